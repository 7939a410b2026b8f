package ending

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/testkit"
	"github.com/sluice-engine/sluice/core/internal/vocab"
)

// Each way to certify finds next tokens if its own number fits, and each of these tokens leads to a state with a number
// less by one at least.
func TestCertifiedTokensFit(t *testing.T) {
	small, err := testkit.ConstraintVocabulary(true)
	require.NoError(t, err)
	r := testkit.Seeded(t, 226)
	found := map[string]int{}
	for _, v := range []*vocab.Vocabulary{small, testkit.CommittedTokenizer(t)} {
		comp := compiler.New(v, compiler.Config{})
		for _, kind := range testkit.ConstraintKinds {
			for range testkit.Rounds(12, 200) {
				c := testkit.RandomConstraint(r, kind, 2)
				g, err := comp.Compile(c.Kind, []byte(c.Text), c.SourceOptions())
				if err != nil {
					continue
				}
				f := New(g.Current(), Stops{})
				for s, n := f.a.Start(), 0; n < 8 && s > pushdown.Over && f.a.Steps(s); n++ {
					f.checkCertified(t, s, c.Text, found)
					s = f.randomStep(r, s)
				}
			}
		}
	}
	t.Logf("states by way: %v", found)
	for _, name := range []string{"direct", "bytes", "searched"} {
		require.Greater(t, found[name], 2, name)
	}
}

func (f *Finder) checkCertified(t *testing.T, s pushdown.StateID, where string, found map[string]int) {
	var direct, bytes int
	text := false // some shortest text begins with a byte, and not with a token that the grammar names
	least := f.Tokens(s)
	if f.a.Accepts(s) || least >= Unknown || !f.ask(0, func() { direct = f.directTokens(s) }) ||
		!f.ask(0, func() { bytes = f.tokenEach(f.toEndBytes(s)) }) || bytes > directBytes {
		return
	}
	require.True(t, f.ask(0, func() {
		text = slices.ContainsFunc(f.nextOf(s), func(x next) bool { return x.b != terminal.TokenMark })
	}), where)
	for _, way := range []struct {
		name  string
		find  func(s pushdown.StateID, n int) []uint32
		n     int
		works bool
	}{
		{"direct", f.nextDirect, direct, direct < Unknown},
		{"bytes", f.nextBytes, bytes, f.spells && !f.limited && text},
		{"searched", f.nextSearched, least, least < direct},
	} {
		var ids []uint32
		require.True(t, f.ask(0, func() { ids = way.find(s, way.n) }), where)
		if way.works {
			require.NotEmpty(t, ids, "%s: %s", way.name, where)
			found[way.name]++
		}
		for _, id := range ids {
			require.Less(t, f.Tokens(f.after(s, id)), way.n, "%s: token %d of %s", way.name, id, where)
		}
	}
}
