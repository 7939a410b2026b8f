package mask

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// letters is a machine that reads any number of "a" and "b", but ends only after the first.
type letters struct{}

func (letters) Start() string                 { return "" }
func (letters) Accepts(state string) bool     { return state == "some" }
func (letters) Bytes() (set terminal.ByteSet) { set.AddRange('a', 'b'); return set }
func (letters) Step(_ string, b byte) (string, bool) {
	return "some", b == 'a' || b == 'b'
}

// A class that was found with another store is what a walk of one's own finds, and costs as much: with the states of
// its irregular tokens, which are expressions of the store, and for machines.
func TestSharedClassesAreOnesOwn(t *testing.T) {
	tokens := vocabulary(rand.New(rand.NewSource(3)), 5000)
	newTokens := func() *Tokens { return NewTokens(Config{Bytes: tokens, Words: (len(tokens) + 31) / 32}) }
	irregular, exits, states := 0, 0, 0
	for _, enc := range []terminal.Encoding{terminal.UTF8, terminal.JSONString} {
		terminals := func(st *terminal.Store) []terminal.Expr {
			m := st.Machine("letters", letters{})
			return append(countedTerminals(st, enc), st.Concat(m, st.Literal(`"`)),
				st.Concat(st.Star(st.AnyRune(enc)), st.Literal(`"`), m))
		}
		shared := newTokens()
		first, own := NewEngine(shared, terminal.NewStore()), NewEngine(newTokens(), terminal.NewStore())
		other := NewEngine(shared, terminal.NewStore())
		for _, x := range terminals(first.store) {
			first.walkNewClass(x, nil, started(first))
		}
		xs, ys := terminals(own.store), terminals(other.store)
		for i := range xs {
			key, ok := other.keyOf(ys[i], nil)
			require.True(t, ok)
			require.NotNil(t, shared.sets.find(key), "it is not shared")
			w := started(other)
			got, known := other.walkNewClass(ys[i], nil, w)
			want, _ := own.walkNewClass(xs[i], nil, started(own))
			require.True(t, known)
			if want == nil {
				require.Nil(t, got)
				continue
			}
			require.Equal(t, want.walked, w.total())
			require.Len(t, got.irregular, len(want.irregular))
			for k, a := range want.irregular {
				b := other.irregularOf(got)[k]
				require.Equal(t, [2]uint32{a.token, a.n}, [2]uint32{b.token, b.n})
				require.Equal(t, a.c, b.c)
				x, _ := own.store.Digest(a.state)
				y, _ := other.store.Digest(b.state)
				require.Equal(t, x, y)
				if a.state != b.state {
					states++
				}
			}
			irregular, exits = irregular+len(got.irregular), exits+len(got.exits)
			want.irregular, got.irregular = nil, nil
			sameClass(t, want, got)
			require.Equal(t, want.ranks, got.ranks)
			require.Equal(t, want.order, got.order)
		}
	}
	require.Greater(t, irregular, 1000)
	require.Greater(t, exits, 100)
	require.Greater(t, states, 100, "the ids of the two stores are the same")
}

// started returns a scratch with a budget for one computation.
func started(e *Engine) *scratch {
	w := e.take()
	w.start(1 << 40)
	return w
}

// What a class says of the room that it takes goes with it to another store.
func TestSharedClassesKeepTheirRoom(t *testing.T) {
	st := terminal.NewStore()
	e := NewEngine(NewTokens(Config{Bytes: [][]byte{[]byte("a")}, Words: 1}), st)
	x := st.Counted(st.Star(st.AnyRune(terminal.UTF8)), terminal.UTF8, 0, 9)
	own := e.withStates(&class{found: found{counted: true, enough: 7, irregular: []counted{{token: 0, n: 1}}}}, x)
	require.EqualValues(t, 7, own.enough)
	require.NotEqual(t, terminal.Empty, e.irregularOf(own)[0].state)
}

// A walk that is too long for a preparation is not begun again by the next one, and a mask finds the class all the
// same.
func TestPreparationsGiveUpOnce(t *testing.T) {
	tokens := vocabulary(rand.New(rand.NewSource(3)), 5000)
	shared := NewTokens(Config{Bytes: tokens, Words: (len(tokens) + 31) / 32})
	class := func(begin func(w *scratch)) (c *class, known bool, rows, cost int) {
		e := NewEngine(shared, terminal.NewStore())
		x := e.store.Concat(e.store.Star(e.store.AnyRune(terminal.UTF8)), e.store.Text("ab", terminal.UTF8))
		before := e.store.Rows()
		w := e.take()
		begin(w)
		c, known = e.walkNewClass(x, nil, w)
		return c, known, e.store.Rows() - before, w.total()
	}
	short := func(w *scratch) { w.prepare(narrowNodes * 5) }
	_, known, rows, _ := class(short)
	require.False(t, known)
	require.Positive(t, rows)
	_, known, again, _ := class(short)
	require.False(t, known)
	require.Zero(t, again, "the vocabulary is walked again")
	c, known, _, cost := class(func(w *scratch) { w.start(1 << 30) })
	require.True(t, known)
	require.Equal(t, c.walked, cost, "it costs less for what a preparation has done")
	require.Greater(t, cost, narrowNodes*5)
	c, known, again, _ = class(func(w *scratch) { w.prepare(1 << 30) })
	require.True(t, known)
	require.NotNil(t, c)
	require.Zero(t, again, "what has been found since is not used")
}
