package pattern

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/schema"
)

// Whether patterns overlap is the same whether their texts are tried one by one or automata are built.
func TestTextsOverlapAsAutomataDo(t *testing.T) {
	reader, err := schema.Read([]byte(`{}`), &source.Options{})
	require.NoError(t, err)
	b := NewBook(reader, nil)
	pool := []string{
		"^(a|b)(c|d)$", "^(a|b)c$", "^[ab]d?$", "^(ac|bd|é|\\\\n)$", "^[a-c]{2}$", "^b", "^a[cd]*$", "c", "^(a|)$",
		"^ac$", "^(\\u00e9|\")$", "^[^a]$", "d$", "^a|b$", "",
	}
	r := rand.New(rand.NewSource(5))
	known, both := 0, [2]int{}
	pick := func(n int) (qs []*Pattern) {
		for range n {
			qs = append(qs, b.Of(pool[r.Intn(len(pool))], 0))
		}
		return qs
	}
	for range 500 {
		with, without := pick(1+r.Intn(2)), pick(r.Intn(4))
		some, ok := b.textsOverlap(with, without)
		if !ok {
			continue
		}
		known++
		want := b.automataOverlap(with, without)
		require.NoError(t, b.Err)
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
