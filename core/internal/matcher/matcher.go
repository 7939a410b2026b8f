// Package matcher follows one sequence under a grammar: it accepts tokens, says which may come next, and goes back.
//
// Invariant: Accept takes token i exactly when Fill sets bit i. A matcher is one sequence, used by one goroutine at a
// time; a second one is refused, not served. Its whole state is a history of state ids, so a rollback is a slice and a
// fork is a copy of two words. Start reading at Matcher.
package matcher

import (
	"slices"
	"sync/atomic"

	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/mask"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Options is how one sequence differs from the default.
type Options struct {
	StopTokens         []uint32 // what ends the sequence; nil: the vocabulary's end tokens
	RejectAfterEnd     bool     // reject tokens after the end instead of ignoring them
	AllAllowedAfterEnd bool     // after the end allow every token instead of the stop tokens alone
}

// ended marks a history entry after which the sequence has ended. State ids stay below it.
const ended = 1 << 31

// Matcher is one sequence.
type Matcher struct {
	busy    atomic.Bool
	g       *compiler.Grammar
	masks   *mask.Masks
	stop    []uint32
	options Options
	history []uint32 // states after each step, the start first
	shared  bool     // history's memory is also a fork's
}

// New returns a matcher at the start of grammar g.
func New(g *compiler.Grammar, o Options) (*Matcher, error) {
	stop := o.StopTokens
	if stop == nil {
		stop = g.Vocabulary().EndTokens()
	}
	for _, id := range stop {
		if int(id) >= g.Vocabulary().PaddedSize() {
			return nil, argument("stop token %d is outside the vocabulary of %d", id, g.Vocabulary().PaddedSize())
		}
	}
	m := &Matcher{g: g, stop: slices.Clone(stop), options: o, masks: g.Current(), history: make([]uint32, 1, 64)}
	m.history[0] = uint32(m.masks.Automaton().Start())
	return m, nil
}

func argument(format string, args ...any) *diag.Error {
	return diag.Errorf(diag.Argument, "matcher", diag.Place{}, format, args...)
}

// enter claims the matcher for one call and catches up with the grammar's generation.
func (m *Matcher) enter() error {
	if !m.busy.CompareAndSwap(false, true) {
		return diag.Errorf(diag.Busy, "matcher", diag.Place{}, "the matcher is in use on another thread; give each sequence a matcher of its own")
	}
	if now := m.g.Current(); now != m.masks {
		m.move(now)
	}
	return nil
}

func (m *Matcher) leave() { m.busy.Store(false) }

// move carries the history over to a younger generation of states.
func (m *Matcher) move(now *mask.Masks) {
	mv := pushdown.NewMover(m.masks.Automaton(), now.Automaton())
	moved := make([]uint32, len(m.history), cap(m.history))
	for i, h := range m.history {
		moved[i] = uint32(mv.Move(pushdown.StateID(h&^ended))) | h&ended
	}
	m.history, m.shared, m.masks = moved, false, now
}

func (m *Matcher) top() uint32 { return m.history[len(m.history)-1] }

func (m *Matcher) push(h uint32) {
	if m.shared {
		m.history = append(make([]uint32, 0, len(m.history)*2), m.history...)
		m.shared = false
	}
	m.history = append(m.history, h)
}

// next returns the history entry after token id, and whether the token is allowed.
func (m *Matcher) next(h uint32, id int32) (uint32, bool, error) {
	if id < 0 || int(id) >= m.g.Vocabulary().PaddedSize() {
		return h, false, nil
	}
	if h&ended != 0 {
		if m.options.RejectAfterEnd {
			return h, false, nil
		}
		return h, true, nil
	}
	a, s := m.masks.Automaton(), pushdown.StateID(h)
	if a.Accepts(s) && slices.Contains(m.stop, uint32(id)) {
		return h | ended, true, nil
	}
	t := pushdown.Dead
	if text := m.g.Tokens().Text(uint32(id), m.g.TextView()); text != nil {
		t = a.StepBytes(s, text)
	}
	if a.Alive(s).Has(terminal.TokenMark) && int(id) < m.g.Vocabulary().Size() {
		name := terminal.TokenSpelling(uint32(id))
		if n := a.StepBytes(s, name[:]); n > pushdown.Over {
			t = a.Union(t, n)
		}
	}
	switch t {
	case pushdown.Dead:
		return h, false, nil
	case pushdown.Over:
		return h, false, overBudget()
	}
	return uint32(t), true, nil
}

func overBudget() error {
	return diag.Errorf(diag.Limit, "matcher", diag.Place{}, "the grammar is too ambiguous here: one token leads to more than %d things at once", limits.TransitionWork)
}

// Accept moves over ids and returns how many were allowed; the first that is not ends the call and changes nothing. The
// error says why the call could not be made (Busy) or a budget ended it (Limit); a rejected token is no error.
func (m *Matcher) Accept(ids []int32) (int, error) {
	if err := m.enter(); err != nil {
		return 0, err
	}
	defer m.leave()
	for i, id := range ids {
		h, ok, err := m.next(m.top(), id)
		if !ok {
			return i, err
		}
		m.push(h)
	}
	m.g.Trim(m.masks)
	return len(ids), nil
}

// Validate returns what Accept would, and stays.
func (m *Matcher) Validate(ids []int32) (int, error) {
	if err := m.enter(); err != nil {
		return 0, err
	}
	defer m.leave()
	h := m.top()
	for i, id := range ids {
		n, ok, err := m.next(h, id)
		if !ok {
			return i, err
		}
		h = n
	}
	return len(ids), nil
}

// AcceptBytes moves over text as one step, all of it or nothing.
func (m *Matcher) AcceptBytes(text []byte) (bool, error) {
	if err := m.enter(); err != nil {
		return false, err
	}
	defer m.leave()
	h := m.top()
	if h&ended != 0 {
		if m.options.RejectAfterEnd {
			return false, nil
		}
		m.push(h)
		return true, nil
	}
	if slices.Contains(text, terminal.TokenMark) {
		return false, nil // no text contains it; it marks tokens spelled as tokens
	}
	s := m.masks.Automaton().StepBytes(pushdown.StateID(h), text)
	switch s {
	case pushdown.Dead:
		return false, nil
	case pushdown.Over:
		return false, overBudget()
	}
	m.push(uint32(s))
	m.g.Trim(m.masks)
	return true, nil
}

// Rollback takes back the last n steps, ended ones included.
func (m *Matcher) Rollback(n int) error {
	if err := m.enter(); err != nil {
		return err
	}
	defer m.leave()
	if n < 0 || n >= len(m.history) {
		return argument("cannot take back %d steps of %d", n, len(m.history)-1)
	}
	m.history = m.history[:len(m.history)-n]
	return nil
}

// Reset goes back to the start.
func (m *Matcher) Reset() error {
	if err := m.enter(); err != nil {
		return err
	}
	defer m.leave()
	m.history = m.history[:1]
	return nil
}

// Fork returns a second matcher with the same state and history.
func (m *Matcher) Fork() (*Matcher, error) {
	if err := m.enter(); err != nil {
		return nil, err
	}
	defer m.leave()
	m.shared = true
	return &Matcher{g: m.g, masks: m.masks, stop: m.stop, options: m.options, history: m.history, shared: true}, nil
}

// Fill overwrites row with the set of tokens that may come next; row has at least the vocabulary's words. constrained is
// false if every token is allowed. If no token is, the row is all zero and the error (Unsatisfiable) says so.
func (m *Matcher) Fill(row []uint32) (constrained bool, err error) {
	if err := m.enter(); err != nil {
		return true, err
	}
	defer m.leave()
	if words := m.g.Vocabulary().Words(); len(row) < words {
		return true, argument("the row has %d words; the vocabulary needs %d", len(row), words)
	}
	h := m.top()
	if h&ended != 0 {
		return m.fillEnded(row), nil
	}
	some, inBudget := m.masks.Fill(pushdown.StateID(h), row, m.stop)
	if err := noMask(some, inBudget, m.masks.Engine().Store().Budgets().Mask); err != nil {
		return true, err
	}
	m.g.Trim(m.masks)
	return true, nil
}

// noMask says why there is no mask, nil if there is one.
func noMask(some, inBudget bool, budget int) error {
	if !inBudget {
		return diag.Errorf(diag.Limit, "matcher", diag.Place{}, "the mask takes more than %d steps here: the constraint has a pattern whose counts multiply; bound it less tightly", budget)
	}
	if !some {
		return diag.Errorf(diag.Unsatisfiable, "matcher", diag.Place{}, "no token of the vocabulary can continue here, and the output may not end")
	}
	return nil
}

// Name returns the name of the mask that Fill would write, the zero Name if it has none: after the end, and where the
// output may end with stop tokens of this matcher's own. Errors are those of Fill.
func (m *Matcher) Name() (n mask.Name, err error) {
	if err := m.enter(); err != nil {
		return n, err
	}
	defer m.leave()
	h := m.top()
	if h&ended != 0 {
		return n, nil
	}
	n, end, some, inBudget := m.masks.Name(pushdown.StateID(h))
	if err := noMask(some || end && len(m.stop) > 0, inBudget, m.masks.Engine().Store().Budgets().Mask); err != nil {
		return mask.Name{}, err
	}
	m.g.Trim(m.masks)
	if end && m.options.StopTokens != nil {
		return mask.Name{}, nil
	}
	return n, nil
}

func (m *Matcher) fillEnded(row []uint32) (constrained bool) {
	clear(row)
	if m.options.AllAllowedAfterEnd {
		n := m.g.Vocabulary().PaddedSize()
		for i := range n / 32 {
			row[i] = ^uint32(0)
		}
		if n%32 != 0 {
			row[n/32] = 1<<(n%32) - 1
		}
		return false
	}
	for _, id := range m.stop {
		row[id>>5] |= 1 << (id & 31)
	}
	return true
}

// Completed reports whether the output may end here, or has.
func (m *Matcher) Completed() bool {
	if m.enter() != nil {
		return false
	}
	defer m.leave()
	h := m.top()
	return h&ended != 0 || m.masks.Automaton().Accepts(pushdown.StateID(h))
}

// Terminated reports whether the output has ended.
func (m *Matcher) Terminated() bool {
	if m.enter() != nil {
		return false
	}
	defer m.leave()
	return m.top()&ended != 0
}

// ForcedBytes appends to dst the text about which the grammar leaves no choice, as far as limits.ForcedBytes.
func (m *Matcher) ForcedBytes(dst []byte) ([]byte, error) {
	if err := m.enter(); err != nil {
		return dst, err
	}
	defer m.leave()
	h := m.top()
	if h&ended != 0 {
		return dst, nil
	}
	a, s := m.masks.Automaton(), pushdown.StateID(h)
	for n := 0; n < limits.ForcedBytes && !a.Accepts(s); n++ {
		alive := a.Alive(s)
		only, to := -1, pushdown.Dead
		for b := alive.Next(0); b < 256; b = alive.Next(b + 1) {
			t := a.Step(s, byte(b))
			if t == pushdown.Dead {
				continue
			}
			if only >= 0 || t == pushdown.Over {
				return dst, nil
			}
			only, to = b, t
		}
		if only < 0 || only == terminal.TokenMark {
			return dst, nil
		}
		dst = append(dst, byte(only))
		s = to
	}
	return dst, nil
}

// Len returns how many steps Rollback can take back.
func (m *Matcher) Len() int { return len(m.history) - 1 }
