package tokenset

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// recount returns the memory of the sets of one store and of the sets that grammars share, counted anew.
func recount(e *Sets) (own, shared int) {
	for i := e.classes.From(); i < e.classes.Len(); i++ {
		own += keptBytes + e.classes.At(i).c.size()
	}
	for _, k := range e.placed {
		own += placedBytes
		if k.c != nil {
			own += k.c.size()
		}
	}
	for _, r := range e.runs {
		if r != nil {
			own += r.bytes
		}
	}
	for _, sets := range []map[setKey]*Class{e.tokens.sets.recent, e.tokens.sets.older} {
		for _, c := range sets {
			shared += c.size() + setKeyBytes
		}
	}
	return own, shared
}

// ask finds all that a mask may ask of a class.
func ask(e *Sets, c *Class) {
	for n := range c.Rooms {
		e.Room(c, uint32(n))
	}
	e.EscapesOf(c, false)
	e.EscapesOf(c, true)
	e.IrregularOf(c)
}

// The memory that is counted while classes are made, and while they grow, equals a new count: classes that grammars share
// count once for all of them, and moving them to the recent ones counts nothing.
func TestMemoryIsCounted(t *testing.T) {
	tokens := denseVocabulary(rand.New(rand.NewSource(3)), 5000)
	shared := NewTokens(Config{Bytes: tokens, Words: (len(tokens) + 31) / 32})
	classes := 0
	for range 2 { // the second store uses the classes of the first
		e := New(shared, terminal.NewStore())
		st := e.store
		xs := append(countedTerminals(st, terminal.UTF8), countedTerminals(st, terminal.JSONString)...)
		xs = append(xs, st.Concat(st.Star(st.AnyRune(terminal.UTF8)), st.Text("ab", terminal.UTF8)))
		for _, x := range xs {
			c := e.Class(x, started(e))
			if c == nil {
				continue
			}
			classes++
			ask(e, c)
			e.LedClass(e.RunsOf(st.Star(st.Bytes(terminal.BytesOf(" \n")))), x, started(e))
			for _, g := range c.groups {
				require.Nil(t, g.ranks, "they take more than the bitmap")
			}
			require.LessOrEqual(t, cap(c.Ends), len(c.Ends)*5/4+4)
		}
		own, common := recount(e)
		require.Equal(t, own, e.Size())
		require.Equal(t, common, shared.SharedBytes())
		shared.sets.mu.Lock() // as if there were no room any more
		shared.sets.older, shared.sets.recent = shared.sets.recent, nil
		shared.sets.olderBytes, shared.sets.bytes = shared.sets.bytes, 0
		shared.sets.mu.Unlock()
	}
	require.Greater(t, classes, 20)
	shared.Forget()
	require.Zero(t, shared.SharedBytes())
}

// Classes that grow are bounded like those that are found.
func TestGrowthMakesRoom(t *testing.T) {
	tokens := denseVocabulary(rand.New(rand.NewSource(3)), 5000)
	e := New(NewTokens(Config{Bytes: tokens, Words: (len(tokens) + 31) / 32}), terminal.NewStore())
	x := e.store.Counted(e.store.Star(e.store.AnyRune(terminal.UTF8)), terminal.UTF8, 0, 1000)
	c := e.Class(x, started(e))
	require.NotNil(t, c)
	sets := &e.tokens.sets
	require.Len(t, sets.recent, 1)
	var key setKey
	for key = range sets.recent {
		break
	}
	for range 2 {
		require.Contains(t, sets.recent, key)
		sets.bytes += limits.TokenSetBytes / 2
		e.grew(c, 1)
		require.Empty(t, sets.recent, "only a class that is found makes room")
		require.Contains(t, sets.older, key)
		require.Same(t, c, sets.find(key))
	}
	sets.bytes += limits.TokenSetBytes / 2
	e.grew(c, 1)
	sets.bytes += limits.TokenSetBytes / 2
	e.grew(c, 1)
	require.Nil(t, sets.find(key))
	require.Less(t, e.tokens.SharedBytes(), limits.TokenSetBytes)
}
