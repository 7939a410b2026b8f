package tokenset

import (
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/terminal/prices"
)

// The facts that a walk holds of a state stay while it meets more states than are kept, and links equal transitions. A
// new computation in the same place finds the facts of its own states.
func TestFactsStayWhileTheyAreHeld(t *testing.T) {
	st := terminal.NewStore()
	e := New(NewTokens(Config{Bytes: denseVocabulary(rand.New(rand.NewSource(1)), 300), Words: 10}), st)
	text := strings.Repeat("abcdefghij", knownFacts/4) // a state for each character
	x := st.Concat(st.Text(text, terminal.UTF8), st.Star(st.Literal("z")))
	check := func(f ItemFrame, state terminal.Expr) {
		require.Equal(t, state, f.Expr)
		require.Equal(t, *st.Alive(state), *f.Alive)
		require.Equal(t, prices.Row(st, state), f.price)
	}
	w := started(e)
	for _, n := range []int{len(text), knownFacts - 10, 100} {
		for range 2 { // the second time along links
			w.Start(1 << 40)
			var held []ItemFrame
			states := []terminal.Expr{x}
			at := w.FrameOf(x, 0)
			w.Meet(at.Facts)
			for i := range n {
				held = append(held, at)
				next, ok := w.Move(&at, text[i])
				require.True(t, ok)
				states = append(states, st.Delta(states[i], text[i]))
				at = next
			}
			check(at, states[n])
			cost := 0
			for i, f := range held {
				check(f, states[i])
				if i > 0 && held[i-1].links != nil {
					next, _ := w.Move(&held[i-1], text[i-1])
					check(next, states[i])
				}
			}
			for _, s := range states {
				cost += limits.PartCost * prices.Row(st, s)
			}
			require.Equal(t, cost, w.Total(), "each state is counted once")
		}
	}
}

// A walk along the kept facts of counted states reaches the same states as the steps of the store, within escapes and at
// the bounds too.
func TestMovesAreStepsOfCounters(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	st := terminal.NewStore()
	quote, letter := st.Literal(`"`), st.Bytes(terminal.BytesOf("ab"))
	word := st.Concat(letter, letter, st.Star(letter))
	const utf8, quoted = terminal.UTF8, terminal.JSONString
	const text = `ab"c\u0e9dDF`
	for _, x := range []terminal.Expr{
		st.Concat(quote, st.Counted(st.Star(st.AnyRune(quoted)), quoted, 2, 5), quote),
		st.Concat(quote, st.Counted(st.Star(st.AnyRune(utf8)), utf8, 3, 3), quote),
		st.Concat(st.Counted(st.Star(st.Concat(st.AnyRune(utf8), letter, letter)), utf8, 0, 7), quote),
		st.Counted(st.Or(word, st.Concat(st.Star(st.Concat(letter, letter)), st.Literal("c"))), utf8, 3, terminal.Unbounded),
		st.Or(quote, st.Concat(st.Star(letter), quote, st.Counted(word, utf8, 4, 6))),
	} {
		e := New(NewTokens(Config{Bytes: [][]byte{[]byte("a")}, Words: 1}), st)
		w := started(e)
		ends := 0
		for range 300 {
			f := w.FrameOf(x, 0)
			for range 12 {
				b := text[r.Intn(len(text))]
				if r.Intn(4) == 0 {
					b = byte(r.Intn(256))
				}
				if !f.Alive.Has(b) {
					continue
				}
				next, c := counters.Step(st, f.Expr, f.Counter, b)
				to, ok := w.Move(&f, b)
				require.Equal(t, next != terminal.Empty, ok)
				if !ok {
					continue
				}
				require.Equal(t, next, to.Expr)
				require.Equal(t, c, to.Counter)
				require.Equal(t, c.WithCount(0), to.counter)
				require.Equal(t, counters.Accepts(st, next, c), w.Accepts(&to))
				if f = to; w.Accepts(&f) {
					ends++
				}
			}
		}
		require.Positive(t, ends)
	}
}

// A scratch that another store takes holds nothing of the stores before, also if its last walk met few states.
func TestReleaseDropsAllFacts(t *testing.T) {
	st := terminal.NewStore()
	e := New(NewTokens(Config{Bytes: denseVocabulary(rand.New(rand.NewSource(1)), 300), Words: 10}), st)
	w := started(e)
	for _, n := range []int{knownFacts*3/4 + 1, 2} {
		w.Start(1 << 40)
		for i := range n {
			x := st.Text(strings.Repeat("a", i+1), terminal.UTF8)
			f := w.FrameOf(x, 0)
			w.Meet(f.Facts)
		}
	}
	w.facts.release()
	for _, chunk := range w.facts.chunks {
		for _, f := range chunk {
			require.Equal(t, Facts{}, f)
		}
	}
}
