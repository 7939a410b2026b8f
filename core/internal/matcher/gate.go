package matcher

import (
	"fmt"
	"slices"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
)

// Reasoning is free text before the constrained output: any tokens but stop tokens, until the tokens of End come in a
// row for the first time. Text of AcceptBytes neither begins nor ends it.
type Reasoning struct {
	End []uint32
	// Begin is the tokens by which the sequence may begin with reasoning. A sequence that begins otherwise has none.
	// Empty: the sequence begins in the middle of it, because the prompt ends with its beginning.
	Begin []uint32
	// Budget, if Limited, is the number of tokens of reasoning after which only End may come, without Begin.
	Limited bool
	Budget  int
}

// Bits of history entries before the constrained output. An undecided entry counts the tokens of Begin so far in its
// lowest bits. They may also be output; asOutput computes its state again for each call. All other gated entries are in the
// reasoning. Their lowest bits count the tokens of End in a row. The bits above count all tokens, up to the budget.
//
// INVARIANT: such entries are the beginning of a history, and do not depend on generations of states.
const (
	gated     = 1 << 30
	undecided = 1 << 29
	countAt   = 8
	countMost = 1<<(29-countAt) - 1
)

// gate is a Reasoning that was checked. Immutable.
type gate struct {
	Reasoning
	fail []int // by i: the length of the longest proper prefix of End[:i+1] that is also its suffix; see matched
}

// newGate checks r, which may be nil.
func newGate(r *Reasoning, size int) (*gate, error) {
	if r == nil {
		return nil, nil
	}
	g := &gate{Reasoning: *r}
	g.Begin, g.End = slices.Clone(r.Begin), slices.Clone(r.End)
	if len(g.End) == 0 || len(g.End) > limits.ReasoningTokens || len(g.Begin) > limits.ReasoningTokens {
		return nil, argument("reasoning ends with 1 to %d tokens and begins with at most as many: here are %d and %d",
			limits.ReasoningTokens, len(g.End), len(g.Begin))
	}
	for _, id := range slices.Concat(g.Begin, g.End) {
		if int(id) >= size {
			return nil, argument("token %d of the marks of reasoning is outside the vocabulary of %d", id, size)
		}
	}
	if r.Limited && (r.Budget < 0 || r.Budget > countMost) {
		return nil, argument("a budget of %d tokens of reasoning: it is from 0 to %d", r.Budget, countMost)
	}
	g.fail = make([]int, len(g.End))
	for i, k := 1, 0; i < len(g.End); i++ { // as Knuth, Morris and Pratt do
		for k > 0 && g.End[i] != g.End[k] {
			k = g.fail[k-1]
		}
		if g.End[i] == g.End[k] {
			k++
		}
		g.fail[i] = k
	}
	return g, nil
}

// matched returns the number of tokens of End in a row after id, given k before it.
func (g *gate) matched(k int, id uint32) int {
	for k > 0 && g.End[k] != id {
		k = g.fail[k-1]
	}
	if g.End[k] == id {
		k++
	}
	return k
}

// lowest returns the count in the lowest bits of a gated entry.
func lowest(h uint32) int { return int(h & (1<<countAt - 1)) }

// split returns the counts of an entry in the reasoning, see entry, and whether the budget is spent.
func (g *gate) split(h uint32) (k, n int, spent bool) {
	n = int(h >> countAt & countMost)
	return lowest(h), n, g.Limited && n >= g.Budget
}

// entry returns the entry after n tokens of reasoning, the last k of which begin End.
func (g *gate) entry(k, n int) uint32 {
	if !g.Limited {
		n = 0
	}
	return gated | uint32(min(n, countMost))<<countAt | uint32(k)
}

// start returns the first entry of a history.
func (m *Matcher) start() uint32 {
	switch {
	case m.gate == nil:
		return uint32(m.masks.Automaton().Start())
	case len(m.gate.Begin) > 0:
		return gated | undecided
	}
	return gated
}

// nextGated is next for an entry before the constrained output.
func (m *Matcher) nextGated(h uint32, id int32, c *tally, stop Stop) (uint32, bool, error) {
	g := m.gate
	if h&undecided != 0 {
		j := lowest(h)
		if uint32(id) == g.Begin[j] {
			if j+1 == len(g.Begin) {
				return g.entry(0, 0), true, nil
			}
			_, _, err := m.asOutput(j+1, stop) // caches the state for later calls
			return h + 1, err == nil, err
		}
		s, ok, err := m.asOutput(j, stop)
		if !ok {
			return h, false, err
		}
		return m.next(s, id, c, stop)
	}
	k, n, spent := g.split(h)
	if uint32(id) != g.End[k] && (spent || !m.g.Tokens().IsText(uint32(id)) || slices.Contains(m.stops.Text, uint32(id))) {
		return h, false, nil
	}
	if k = g.matched(k, uint32(id)); k == len(g.End) {
		return uint32(m.masks.Automaton().Start()), true, nil
	}
	return g.entry(k, n+1), true, nil
}

// textGated returns the entry from which AcceptBytes continues. In reasoning, a text is one step.
func (m *Matcher) textGated(h uint32, stop Stop) (uint32, bool, error) {
	if h&undecided != 0 {
		return m.asOutput(lowest(h), stop)
	}
	_, n, spent := m.gate.split(h)
	return m.gate.entry(0, n+1), !spent, nil
}

// asOutput reads the first j tokens of Begin as output. It returns the entry after them, and whether they are allowed.
func (m *Matcher) asOutput(j int, stop Stop) (h uint32, ok bool, err error) {
	walks, going := m.walks, m.going
	defer func() { m.walks, m.going = walks, going }()
	h = uint32(m.masks.Automaton().Start())
	for _, id := range m.gate.Begin[:j] {
		m.walks, m.going = nil, nil
		c := m.tally() // each is a call of its own
		c.whole = true
		if h, ok, err = m.next(h, int32(id), &c, stop); !ok || h&ended != 0 {
			return h, false, err
		}
	}
	return h, true, nil
}

// accepts reports whether the output may end at entry h, which has not ended.
func (m *Matcher) accepts(h uint32) bool {
	if h&gated != 0 {
		if h&undecided == 0 {
			return false
		}
		s, ok, _ := m.asOutput(lowest(h), nil)
		if !ok {
			return false
		}
		h = s
	}
	return m.masks.Automaton().Accepts(pushdown.StateID(h))
}

// fillGated is fillAt for an entry before the constrained output.
func (m *Matcher) fillGated(h uint32, row []uint32, stop Stop) (constrained bool, err error) {
	g, only := m.gate, uint32(0)
	if h&undecided != 0 {
		j := lowest(h)
		s, ok, err := m.asOutput(j, stop)
		if err == nil && ok {
			constrained, err = m.fillAt(s, row, stop)
			ok = err == nil || codeOf(err) != diag.Unsatisfiable
		}
		switch {
		case !ok && (err == nil || codeOf(err) == diag.Unsatisfiable): // nothing but Begin can follow
			clear(row)
			constrained = true
		case err != nil:
			return true, err
		}
		only = g.Begin[j]
	} else {
		k, _, spent := g.split(h)
		if spent {
			clear(row)
		} else {
			m.g.Tokens().Texts(row)
			removeAll(row, m.stops.Text)
		}
		constrained, only = true, g.End[k]
	}
	add(row, only)
	return constrained, nil
}

// stateOf returns the state of an entry; before the constrained output it is the first state.
func (m *Matcher) stateOf(h uint32) pushdown.StateID {
	if h&gated != 0 {
		return m.masks.Automaton().Start()
	}
	return pushdown.StateID(h &^ ended)
}

// reasoned returns the number of steps that were reasoning. Steps that may still begin it count too, because a caller
// that prints a growing output cannot take them back. They do not count if the output may end after them.
func (m *Matcher) reasoned() (n int) {
	if h := m.top(); h&(ended|gated) == gated && !m.accepts(h) {
		return len(m.history) - 1
	}
	for i, h := range m.history {
		if h&gated == 0 {
			break
		}
		if h&undecided == 0 {
			n = i + 1
		}
	}
	return min(n, len(m.history)-1)
}

// explainGated says why a token is allowed or forbidden before the constrained output.
func (m *Matcher) explainGated(h uint32, id uint32, allowed bool, name string) string {
	g := m.gate
	if h&undecided != 0 {
		if id == g.Begin[lowest(h)] {
			return name + " is allowed: reasoning begins with it"
		}
		if allowed {
			return name + " is allowed: the output begins without reasoning"
		}
		return name + " is not allowed: neither reasoning nor the output begins so"
	}
	k, n, spent := g.split(h)
	switch {
	case allowed && id == g.End[k]:
		return name + " is allowed: reasoning ends with it"
	case allowed:
		return name + " is allowed: it is reasoning"
	case spent:
		return fmt.Sprintf("%s is not allowed: %d tokens of reasoning have come, which is the budget, and it ends "+
			"with token %d now", name, n, g.End[k])
	}
	return name + " is not allowed: it ends the sequence or has no text, and the reasoning has not ended"
}

func codeOf(err error) diag.Code { return err.(*diag.Error).Code }
