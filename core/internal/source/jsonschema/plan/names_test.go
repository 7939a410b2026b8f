package plan

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/schema"
	"github.com/sluice-engine/sluice/core/internal/work"
)

// Whether patterns overlap is the same whether their texts are tried one by one or automata are built.
func TestTextsOverlapAsAutomataDo(t *testing.T) {
	p := planned(t, `{}`).Planner
	pool := []string{
		"^(a|b)(c|d)$", "^(a|b)c$", "^[ab]d?$", "^(ac|bd|é|\\\\n)$", "^[a-c]{2}$", "^b", "^a[cd]*$", "c", "^(a|)$",
		"^ac$", "^(\\u00e9|\")$", "^[^a]$", "d$", "^a|b$", "",
	}
	r := rand.New(rand.NewSource(5))
	known, both := 0, [2]int{}
	pick := func(n int) (qs []*Pattern) {
		for range n {
			qs = append(qs, p.patternOf(pool[r.Intn(len(pool))], 0))
		}
		return qs
	}
	for range 500 {
		with, without := pick(1+r.Intn(2)), pick(r.Intn(4))
		some, ok := p.textsOverlap(with, without)
		if !ok {
			continue
		}
		known++
		want := p.automataOverlap(with, without)
		require.NoError(t, p.Err)
		require.Equal(t, want, some, "%v without %v", patternTexts(with), patternTexts(without))
		if some {
			both[1]++
		} else {
			both[0]++
		}
	}
	require.Greater(t, known, 100)
	require.Greater(t, min(both[0], both[1]), 20)
}

func patternTexts(qs []*Pattern) (texts []string) {
	for _, q := range qs {
		texts = append(texts, q.Text)
	}
	return texts
}

// Keys of patternProperties that match a few names each are told apart by those names, so work grows with the number of
// names. Automata of what none of the other keys matches took far more.
func TestPatternsOfFewNamesAreToldApartByThem(t *testing.T) {
	spent := func(n int) int {
		var keys []string
		for i := range n {
			keys = append(keys, fmt.Sprintf(`"^(a|b|c)(d|e|f)(g|h)%d$": {"minimum": %d}`, i, i))
		}
		m := work.New(1<<40, nil)
		text := `{"type": "object", "patternProperties": {` + strings.Join(keys, ",") + `}}`
		r, err := schema.Read([]byte(text), &source.Options{Work: m})
		require.NoError(t, err)
		_, err = New(r, nil, Writing{})
		require.NoError(t, err)
		return 1<<40 - m.Left()
	}
	require.Less(t, spent(60), 2_000_000)
}
