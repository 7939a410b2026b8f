package terminal

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// checkViews compares everything that tells a state's transitions with its derivatives, taken one by one.
func checkViews(t *testing.T, s *Store, e Expr, where string) {
	t.Helper()
	alive := *s.Alive(e)
	to, _ := s.Transitions(e)
	for b := range 256 {
		s.mu.Lock()
		want := s.x.Derive(e, byte(b))
		if s.a.Emptiness(want) == expr.Nothing {
			want = Empty
		}
		s.mu.Unlock()
		require.Equal(t, want != Empty, alive.Has(byte(b)), "%q alive after %s", b, where)
		require.Equal(t, want, s.Delta(e, byte(b)), "%q after %s", b, where)
		if x, known := to.To(byte(b)); known && want != Empty {
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

func (lettersRead) Bytes() (set ByteSet) { set.AddRange('a', 'z'); return set }
func (lettersRead) Read(string) Reader   { panic("no walk comes here") }
func (lettersRead) Alive(s string) ByteSet {
	var set ByteSet
	for b := byte('a'); b <= 'z'; b++ {
		if _, ok := (lettersRead{}).Step(s, b); ok {
			set.Add(b)
		}
	}
	return set
}

// The row of a state whose targets are open does not make bytes alike for what it is a part of.
func TestOpenTargetsAreTold(t *testing.T) {
	s := NewStore()
	m := s.Machine("letters", lettersRead{})
	e := s.Concat(s.And(m, s.Not(s.Literals([]string{"no", "yes"}, UTF8))), s.Literal("."))
	checkViews(t, s, e, "")
	whole := s.Or(e, s.Literal("3"))
	checkViews(t, s, whole, "")
	for text, want := range map[string]bool{
		"ab.": true, "aa.": false, "bb.": false, "ba.": true, "no.": false, "yes.": false, "3": true,
	} {
		require.Equal(t, want, s.Match(whole, []byte(text)), text)
	}
}
