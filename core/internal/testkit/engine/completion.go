package engine

import (
	"container/heap"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/compiled"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Completion searches the states after said for one in which the output may end, cheapest text first, and returns that
// text; nil if the bounded search finds none. Closing text is cheap and opening text is expensive, so that the search
// does not descend into nested values.
func Completion(t *testing.T, g *compiled.Grammar, said []byte, id string) []byte {
	t.Helper()
	a := g.Current().Automaton()
	start := a.StepBytes(a.Start(), said)
	require.Greater(t, start, pushdown.Over, "%s: %q is alive", id, said)
	s := &search{visits: []visit{{state: start, parent: -1}}, best: map[pushdown.StateID]int{}}
	s.queue = []int{0}
	const most = 100_000
	for len(s.queue) > 0 && len(s.visits) < most {
		i := heap.Pop(s).(int)
		x := s.visits[i]
		if x.cost > s.best[x.state] {
			continue
		}
		if a.Accepts(x.state) {
			return s.text(i)
		}
		alive := a.Alive(x.state)
		for b := 0; b < terminal.TokenMark; b++ {
			if !alive.Has(byte(b)) {
				continue
			}
			to, cost := a.Step(x.state, byte(b)), x.cost+price(byte(b))
			if known, ok := s.best[to]; to > pushdown.Over && (!ok || cost < known) {
				s.best[to] = cost
				s.visits = append(s.visits, visit{to, i, cost, byte(b)})
				heap.Push(s, len(s.visits)-1)
			}
		}
	}
	require.NotEmpty(t, s.queue, "%s: nothing completes %q", id, said)
	return nil
}

func price(b byte) int {
	switch {
	case b == '{' || b == '[' || b == '(':
		return 20
	case b == '\\' || b >= 0x80 || b <= ' ':
		return 30
	case b == ',' || b >= '0' && b <= '9' || b == '-' || b == '.':
		return 4
	case b == '}' || b == ']' || b == ')' || b == '"' || b == ':' || b == '<' || b == '/':
		return 1
	}
	return 3
}

// search is a priority queue of reached states. One test.
type search struct {
	visits []visit
	queue  []int                    // of visits
	best   map[pushdown.StateID]int // the least cost known
}

type visit struct {
	state  pushdown.StateID
	parent int
	cost   int
	b      byte
}

func (s *search) Len() int           { return len(s.queue) }
func (s *search) Less(i, j int) bool { return s.visits[s.queue[i]].cost < s.visits[s.queue[j]].cost }
func (s *search) Swap(i, j int)      { s.queue[i], s.queue[j] = s.queue[j], s.queue[i] }
func (s *search) Push(x any)         { s.queue = append(s.queue, x.(int)) }

func (s *search) Pop() any {
	x := s.queue[len(s.queue)-1]
	s.queue = s.queue[:len(s.queue)-1]
	return x
}

func (s *search) text(i int) []byte {
	text := []byte{}
	for ; s.visits[i].parent >= 0; i = s.visits[i].parent {
		text = append(text, s.visits[i].b)
	}
	slices.Reverse(text)
	return text
}
