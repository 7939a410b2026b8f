package enginetest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/mask"
	"github.com/sluice-engine/sluice/core/internal/oracle"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// Boolean nodes within random grammars, on random texts of the grammar: the engine accepts the oracle's texts; a prefix
// of an accepted text is alive, and a text that is dead to a side is dead. Masks equal a trial of every token, and
// states carried over to another automaton have the same futures.
func TestBooleanNodes(t *testing.T) {
	r := testkit.Seeded(t, 21)
	const alphabet = `ab()[],01."true\\u6`
	vocabularies := testkit.SmallVocabularies(alphabet)
	accepted, bools := 0, 0
	for range testkit.Rounds(24, 5_000) {
		st := terminal.NewStore()
		shape := testkit.GrammarShape{Alphabet: "ab", Rules: 2, Nodes: r.Intn(2) == 0, Spans: true}
		g := testkit.Grammar(r, st, shape)
		p, err := pushdown.NewProgram(st, g)
		if err != nil {
			continue
		}
		bools += len(g.Booleans)
		o := oracle.New(st, g)
		a := pushdown.NewAutomaton(p)
		v := vocabularies[r.Intn(len(vocabularies))]
		m := mask.NewMasks(mask.NewEngine(v.MaskTokens(), st), a, false)
		for range 4 {
			s, said := a.Start(), ""
			where := func() string { return said + " in\n" + oracle.DescribeGrammar(st, g) }
			for len(said) < 14 && s > pushdown.Over {
				wins := o.Accepts([]byte(said))
				require.Equal(t, wins, a.Accepts(s), "accepted: %s", where())
				require.True(t, o.LivePrefix([]byte(said)), "dead, but the engine is alive after %s", where())
				if wins {
					accepted++
				}
				checkMask(t, m, s, v, false, where)
				moved := pushdown.NewAutomaton(p)
				to := pushdown.NewMover(a, moved).Move(s)
				alive := a.Alive(s)
				require.Equal(t, *alive, *moved.Alive(to), "moved: %s", where())
				var bytes []byte
				for b := alive.Next(0); b < 128; b = alive.Next(b + 1) {
					next := a.Step(s, byte(b))
					if again := moved.Step(to, byte(b)); next != pushdown.Over && again != pushdown.Over {
						require.Equal(t, next == pushdown.Dead, again == pushdown.Dead, "moved: %s", where())
					}
					if next > pushdown.Over && strings.IndexByte(alphabet, byte(b)) >= 0 {
						bytes = append(bytes, byte(b))
					} else if next == pushdown.Dead {
						checkNothingFollows(t, o, said+string(rune(b)), alphabet, where)
					}
				}
				if len(bytes) == 0 {
					break
				}
				b := bytes[r.Intn(len(bytes))]
				s, said = a.Step(s, b), said+string(rune(b))
			}
		}
	}
	require.Positive(t, accepted, "texts that are accepted")
	require.Positive(t, bools, "boolean nodes")
}

// checkNothingFollows tries continuations of a text that the engine considers dead.
func checkNothingFollows(t *testing.T, o *oracle.Oracle, said, alphabet string, where func() string) {
	t.Helper()
	for _, more := range testkit.Strings("ab)]", 3) {
		require.False(t, o.Accepts([]byte(said+more)), "%q is dead, but %q is accepted; %s", said, said+more, where())
	}
}
