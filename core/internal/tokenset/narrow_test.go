package tokenset

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Finding out that a state needs no class counts until the walk as what it takes where that is much, however often it
// has been found out, and after a run of bytes too; then only the walk counts.
func TestDearNarrowStates(t *testing.T) {
	// letters at several places from the end: after each byte a search tells whether something is left
	hard := func(st *terminal.Store) terminal.Expr {
		letter := st.Bytes(terminal.BytesOf("ab"))
		ends := func(first string, n uint32) terminal.Expr {
			return st.Concat(st.Star(letter), st.Literal(first), st.Repeat(letter, n, n))
		}
		return st.And(ends("a", 7), st.Not(ends("b", 6)), ends("b", 5), st.Not(ends("a", 3)))
	}
	tokens := NewTokens(Config{Bytes: [][]byte{[]byte("a"), []byte("b"), []byte(" ")}, Words: 1})
	costs := func(e *Sets, find func(x terminal.Expr, w *Scratch) *Class) [2]int {
		w := started(e)
		require.Nil(t, find(hard(e.store), w))
		before := w.Total()
		w.Settle()
		return [2]int{before, w.Total()}
	}
	for _, led := range []bool{false, true} {
		var all [][2]int
		for range 2 { // the second store finds what the first one has shared
			e := New(tokens, terminal.NewStore())
			find := e.Class
			if led {
				r := e.RunsOf(terminal.BytesOf(" "))
				find = func(x terminal.Expr, w *Scratch) *Class { return e.LedClass(r, 1<<20, x, w) }
			}
			all = append(all, costs(e, find), costs(e, find))
		}
		require.Greater(t, all[0][0], dearNarrow)
		require.Less(t, all[0][1], dearNarrow)
		for _, c := range all {
			require.Equal(t, all[0], c, "led: %t", led)
		}
	}
}

// What a text tells of the state that begins with it is what a walk finds, at no other cost.
func TestNarrowTexts(t *testing.T) {
	var bytes [][]byte
	for i := range 256 {
		bytes = append(bytes, []byte{'k', byte(i)}, []byte{'m', byte(i), 'x'}[:1+i%3])
	}
	bytes = append(bytes, []byte("n"), []byte("na"), []byte("nab"), []byte("naba"))
	tokens := NewTokens(Config{Bytes: bytes, Words: 17})
	known := 0
	for _, text := range []string{"k", "ka", "kab", "m", "mc", "mcx", "mcd", "n", "na", "naba", "nabax", "nax", "z"} {
		for _, tail := range []string{"", "x", "[a-z]*"} {
			st := terminal.NewStore()
			x := st.Literal(text)
			switch tail {
			case "x":
				x = st.Literal(text + "x")
			case "[a-z]*":
				x = st.Concat(x, st.Star(st.Bytes(terminal.BytesOf("abcx"))))
			}
			e := New(tokens, st)
			if !e.isNarrowText(x) {
				continue
			}
			known++
			w := started(e)
			require.Nil(t, e.Class(x, w))
			require.Equal(t, narrowCost, w.Total())
			w = started(e)
			c, ok := e.findClass(x, w)
			require.True(t, ok)
			require.Nil(t, c, "%s%s", text, tail)
			w.narrow(w.Total())
			require.Equal(t, narrowCost, w.Total())
		}
	}
	require.Greater(t, known, 10)
}
