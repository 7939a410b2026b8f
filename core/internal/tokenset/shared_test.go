package tokenset

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/limits"
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

// A grammar adds no more than its share to what grammars share, and its next generation goes on from there.
func TestOneGrammarDoesNotFillWhatAllShare(t *testing.T) {
	tokens := denseVocabulary(rand.New(rand.NewSource(3)), 5000)
	shared := NewTokens(Config{Bytes: tokens, Words: (len(tokens) + 31) / 32})
	walk := func(e *Sets, body string) (found *Class) {
		x := e.store.Concat(e.store.Star(e.store.AnyRune(terminal.UTF8)), e.store.Literal(body))
		c, known := e.walkNewClass(x, nil, started(e))
		require.True(t, known)
		require.NotNil(t, c)
		key, ok := e.keyOf(x, nil)
		require.True(t, ok)
		if found = shared.sets.find(key); found != nil {
			require.True(t, found.isShared)
		}
		return found
	}
	e := New(shared, terminal.NewStore())
	c := walk(e, "a")
	require.NotNil(t, c)
	require.EqualValues(t, c.size()+setKeyBytes, e.given.Load())
	e.given.Store(limits.TokenSetGrammarBytes + 1)
	require.Nil(t, walk(e, "b"))
	next, other := New(shared, terminal.NewStore()), New(shared, terminal.NewStore())
	next.Succeed(e)
	require.Nil(t, walk(next, "c"))
	require.NotNil(t, walk(next, "a"), "what is shared is found")
	require.NotNil(t, walk(other, "b"))
}

// A class of another store equals the class of a walk, and costs as much: with the states of its irregular tokens, which
// are expressions of the store, and for machines.
func TestSharedClassesAreOnesOwn(t *testing.T) {
	tokens := denseVocabulary(rand.New(rand.NewSource(3)), 5000)
	newTokens := func() *Tokens { return NewTokens(Config{Bytes: tokens, Words: (len(tokens) + 31) / 32}) }
	irregular, exits, states := 0, 0, 0
	for _, enc := range []terminal.Encoding{terminal.UTF8, terminal.JSONString, terminal.JSONString | terminal.ASCII} {
		terminals := func(st *terminal.Store) []terminal.Expr {
			m := st.Machine("letters", letters{})
			return append(countedTerminals(st, enc), st.Concat(m, st.Literal(`"`)),
				st.Concat(st.Star(st.AnyRune(enc)), st.Literal(`"`), m))
		}
		shared := newTokens()
		first, own := New(shared, terminal.NewStore()), New(newTokens(), terminal.NewStore())
		other := New(shared, terminal.NewStore())
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
			require.Equal(t, want.walked, w.Total())
			require.Len(t, got.Irregular, len(want.Irregular))
			for k, a := range want.Irregular {
				b := other.IrregularOf(got)[k]
				require.Equal(t, [2]uint32{a.Token, a.N}, [2]uint32{b.Token, b.N})
				require.Equal(t, a.C, b.C)
				x, _ := own.store.Digest(a.State)
				y, _ := other.store.Digest(b.State)
				require.Equal(t, x, y)
				if a.State != b.State {
					states++
				}
			}
			irregular, exits = irregular+len(got.Irregular), exits+len(got.Exits)
			want.Irregular, got.Irregular = nil, nil
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
func started(e *Sets) *Scratch {
	w := e.Take()
	w.Start(1 << 40)
	return w
}
