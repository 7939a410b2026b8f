package terminal_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// checkViews compares everything that tells a state's transitions with its derivatives, taken one by one.
func checkViews(t *testing.T, s *terminal.Store, e terminal.Expr, where string) {
	t.Helper()
	alive := *s.Alive(e)
	to, _ := s.Transitions(e)
	for b := range 256 {
		want := inside(s).Derive(e, byte(b))
		if inside(s).Emptiness(want) == expr.Nothing {
			want = terminal.Empty
		}
		require.Equal(t, want != terminal.Empty, alive.Has(byte(b)), "%q alive after %s", b, where)
		require.Equal(t, want, s.Delta(e, byte(b)), "%q after %s", b, where)
		if x, known := to.To(byte(b)); known && want != terminal.Empty {
			require.Equal(t, want, x, "%q after %s", b, where)
		}
	}
}

// lettersRead is a machine that reads lower-case letters and remembers the last one.
type lettersRead struct{}

func (lettersRead) Start() string         { return "" }
func (lettersRead) Accepts(s string) bool { return s != "" }
func (lettersRead) Step(s string, b byte) (string, bool) {
	return string([]byte{b}), b >= 'a' && b <= 'z' && string([]byte{b}) != s
}

func (lettersRead) Bytes() (set terminal.ByteSet) { set.AddRange('a', 'z'); return set }
func (lettersRead) Read(string) terminal.Reader   { panic("no walk comes here") }
func (lettersRead) Alive(s string) terminal.ByteSet {
	var set terminal.ByteSet
	for b := byte('a'); b <= 'z'; b++ {
		if _, ok := (lettersRead{}).Step(s, b); ok {
			set.Add(b)
		}
	}
	return set
}

// The row of a sprawling state does not give bytes equal signatures in larger expressions.
func TestOpenTargetsAreTold(t *testing.T) {
	s := terminal.NewStore()
	m := s.Machine("letters", lettersRead{})
	e := s.Concat(s.And(m, s.Not(s.Texts([]string{"no", "yes"}, terminal.UTF8, nil))), s.Literal("."))
	checkViews(t, s, e, "")
	whole := s.Or(e, s.Literal("3"))
	checkViews(t, s, whole, "")
	for text, want := range map[string]bool{
		"ab.": true, "aa.": false, "bb.": false, "ba.": true, "no.": false, "yes.": false, "3": true,
	} {
		require.Equal(t, want, counters.Match(s, whole, []byte(text)), text)
	}
}
