package matcher

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/ending"
	"github.com/sluice-engine/sluice/core/internal/mask"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
)

// A sequence with a limit of tokens accepts a token only if the output can still be completed with the tokens that the
// limit leaves. The limit is the number of steps after which no token is left, so a rollback gives tokens back, and a
// fork has the same limit.
//
// INVARIANT: the output can be completed with the tokens that are left. The call that sets the limit makes sure of it,
// and each step keeps it. Only Rollback can break it: to within a text that was accepted as a whole, or to before the
// call. Masks and calls then refuse.

// limitMost keeps limits of tokens below Unknown, so that an unknown end never fits.
const limitMost = ending.Unknown / 2

// limit is the limit of one sequence.
type limit struct {
	steps  int            // after which no token is left; 0: there is no limit
	finder *ending.Finder // nil: not asked for yet
	masks  *mask.Masks    // the generation of states that finder belongs to
}

// finder returns the finder of tokens to the end. Matchers with the same stop tokens share one.
func (m *Matcher) finder() *ending.Finder {
	if m.limit.masks != m.masks {
		stops := ending.Stops{Text: m.stops.Text, None: len(m.stops.Tokens) == 0}
		m.limit.finder = ending.FindersOf(m.masks).Of(stops)
		m.limit.masks = m.masks
	}
	return m.limit.finder
}

// SetMaxTokens limits the sequence to n more tokens, the end token counted; 0 removes the limit. On an error the earlier
// limit stays. The error is Unsatisfiable if not even the shortest output fits, and says how many tokens that takes. It is
// Limit if no completion was found within the budget.
func (m *Matcher) SetMaxTokens(n int) error {
	if err := m.enter(nil); err != nil {
		return err
	}
	defer m.leave()
	return m.setMaxTokens(n)
}

func (m *Matcher) setMaxTokens(n int) error {
	switch {
	case n < 0:
		return argument("a limit of %d tokens: it is 0, which is none, or more", n)
	case n == 0:
		m.limit.steps = 0
		return nil
	}
	least, err := m.minTokens()
	switch {
	case err != nil:
		return err
	case least > n:
		return diag.Errorf(diag.Unsatisfiable, "matcher", diag.Place{}, "the limit of tokens is %d, and the shortest "+
			"output from here takes %d, the end token counted: allow at least so many", n, least)
	}
	m.finder().Far(m.masks.Automaton().Start(), n) // finds the grammar's bounds now, so that the first mask need not
	m.limit.steps = len(m.history) - 1 + min(n, limitMost)
	return nil
}

// MinTokens returns the least number of tokens that complete the output from here, the end token counted, and 0 after the
// end. If the search for the least exceeds its budget, it is the number of a short completion. The error is Limit if none
// was found.
func (m *Matcher) MinTokens() (int, error) {
	if err := m.enter(nil); err != nil {
		return 0, err
	}
	defer m.leave()
	return m.minTokens()
}

func (m *Matcher) minTokens() (int, error) {
	m.worked = true
	if m.finder().Compares() {
		return 0, m.exceeded("the constraint compares items of an array with each other (uniqueItems), and has minItems above 1 " +
			"there, or a condition such as not or contains, or the vocabulary lacks some bytes. Shortest outputs behind all " +
			"tokens then take too much to find: leave the limit of tokens or uniqueItems out, or give the items an enum")
	}
	n := m.toEnd(m.top())
	if n >= ending.Unknown {
		_, steps := m.lastState()
		return 0, m.exceeded("after %d accepted tokens or texts, no shortest output is found: require fewer or shorter "+
			"parts that the vocabulary can spell, or leave the limit of tokens out", steps)
	}
	return n, nil
}

// left returns the number of tokens that are left after some steps.
func (m *Matcher) left(steps int) int { return m.limit.steps - steps }

// toEnd returns the least number of tokens that complete an output at entry h.
func (m *Matcher) toEnd(h uint32) int {
	f := m.finder()
	switch {
	case h&ended != 0:
		return 0
	case h&gated == 0:
		return f.Tokens(pushdown.StateID(h))
	}
	after, j := len(m.gate.End)+f.Tokens(m.masks.Automaton().Start()), lowest(h)
	if h&undecided == 0 {
		return after - j
	}
	after += len(m.gate.Begin) - j
	if s, ok, err := m.asOutput(j, nil); ok && err == nil {
		return min(after, f.Tokens(pushdown.StateID(s)))
	}
	return after
}

// noToken stands for a text as the token of roomAfter.
const noToken = -1

// roomAfter reports whether n tokens complete the output at entry `to`. Token id has led there from entry `from`, or a
// text. It asks stop before work.
func (m *Matcher) roomAfter(from, to uint32, id int32, n int, stop Stop) (bool, error) {
	if to&ended != 0 {
		return true, nil
	}
	if to&gated == 0 {
		if from&gated != 0 && from&undecided != 0 {
			var err error
			if from, _, err = m.asOutput(lowest(from), stop); err != nil {
				return false, err
			}
		}
		return m.roomWithin(from, pushdown.StateID(to), id, n, stop)
	}
	if err := m.endKnown(to, stop); err != nil {
		return false, err
	}
	return m.toEnd(to) <= n, nil
}

// endKnown asks stop before the tokens to the end at entry h, in reasoning, are counted.
func (m *Matcher) endKnown(h uint32, stop Stop) error {
	if err := m.startKnown(stop); err != nil || h&undecided == 0 {
		return err
	}
	s, ok, err := m.asOutput(lowest(h), stop)
	if err != nil || !ok {
		return err
	}
	if _, ok := m.finder().Known(pushdown.StateID(s)); ok {
		return nil
	}
	return m.work(stop)
}

// startKnown asks stop before the tokens from the grammar's start to the end are counted.
func (m *Matcher) startKnown(stop Stop) error {
	if _, ok := m.finder().Known(m.masks.Automaton().Start()); ok {
		return nil
	}
	return m.work(stop)
}

// roomWithin is roomAfter for a state of the grammar.
func (m *Matcher) roomWithin(from uint32, to pushdown.StateID, id int32, n int, stop Stop) (bool, error) {
	f, s := m.finder(), pushdown.StateID(from)
	within := from&gated == 0 && id != noToken // then masks may refuse the token
	if within {
		if far, _ := f.Far(s, n+1); far {
			return true, nil
		}
	}
	have, known := f.Known(to)
	switch {
	case known && (have > n || !within):
		return have <= n, nil
	case known && f.Ready(s, n+1):
	default:
		if err := m.work(stop); err != nil {
			return false, err
		}
	}
	var enough, ok bool
	if within {
		enough, ok = f.Leaves(s, to, uint32(id), n)
	} else {
		enough, ok = f.Fits(to, n)
	}
	if !ok {
		return false, m.endTooHard()
	}
	return enough, nil
}

// step is next with the limit of tokens and stop strings. steps is the number of steps before the token.
func (m *Matcher) step(p point, id int32, steps int, c *tally, stop Stop) (point, bool, error) {
	if p.node == stopped {
		return p, m.afterStop(id), nil
	}
	to, ok, err := m.next(p.h, id, c, stop)
	if m.limit.steps != 0 && ok && err == nil {
		ok, err = m.roomAfter(p.h, to, id, m.left(steps+1), stop)
	}
	if m.stopping != nil && ok && err == nil {
		return m.behindToken(p, to, id), true, nil
	}
	return point{h: to}, ok, err
}

// roomForText is roomAfter for a text that was accepted as text. It counts as one token.
func (m *Matcher) roomForText(to uint32, stop Stop) (bool, error) {
	if m.limit.steps == 0 {
		return true, nil
	}
	return m.roomAfter(m.top(), to, noToken, m.left(len(m.history)), stop)
}

// near reports whether a limit of n tokens may forbid tokens that the grammar allows at entry h. It asks stop before work.
func (m *Matcher) near(h uint32, n int, stop Stop) (bool, error) {
	f := m.finder()
	if h&gated != 0 {
		if err := m.startKnown(stop); err != nil {
			return false, err
		}
		return h&undecided != 0 || n <= len(m.gate.End)+f.Tokens(m.masks.Automaton().Start()), nil
	}
	s := pushdown.StateID(h)
	if s == pushdown.Over { // there is no mask
		return false, nil
	}
	far, known := f.Far(s, n)
	if !known {
		if err := m.work(stop); err != nil {
			return false, err
		}
		f.Prepare(s)
		far, _ = f.Far(s, n)
	}
	if far || f.Ready(s, n) {
		return !far, nil
	}
	return true, m.work(stop)
}

// fillLimited is fillAt with the limit of tokens. steps is the number of steps up to entry h.
func (m *Matcher) fillLimited(h uint32, steps int, row []uint32, stop Stop) (constrained bool, err error) {
	if m.limit.steps == 0 || h&ended != 0 {
		return m.fillAt(h, row, stop)
	}
	n := m.left(steps)
	near, err := m.near(h, n, stop)
	if err != nil {
		return true, err
	}
	if !near {
		return m.fillAt(h, row, stop)
	}
	scratch := m.g.Tokens().TakeRow()
	defer m.g.Tokens().GiveRow(scratch)
	if len(row) < len(scratch) {
		return m.fillAt(h, row, stop) // which says so
	}
	fewer, err := m.fillNear(h, n, scratch, stop)
	if err != nil {
		return true, err
	}
	if isEmpty(scratch) {
		return true, diag.Errorf(diag.Unsatisfiable, "matcher", diag.Place{},
			"with the %d tokens that are left, the output cannot be completed", max(n, 0))
	}
	if !fewer {
		return m.fillAt(h, row, stop)
	}
	clear(row[copy(row, scratch):])
	return true, nil
}

// fillNear overwrites row with the set of tokens that may come with n tokens left, and reports whether the grammar allows
// others.
func (m *Matcher) fillNear(h uint32, n int, row []uint32, stop Stop) (fewer bool, err error) {
	if h&gated != 0 {
		return true, m.fillGatedNear(h, n, row, stop)
	}
	s := pushdown.StateID(h)
	if _, err := m.fillAt(h, row, stop); err != nil {
		return false, err
	}
	fewer, ok := m.finder().Cut(s, n, row)
	if !ok {
		return false, m.endTooHard()
	}
	if n <= 0 { // not even for a stop token
		clear(row)
	}
	if m.masks.Automaton().Accepts(s) && n > 0 {
		addAll(row, m.stops.Tokens)
	}
	return fewer, nil
}

func (m *Matcher) endTooHard() error {
	return m.tooHard("finding how outputs end behind the tokens that are allowed here", m.g.Budgets().Ending)
}

// fillGatedNear is fillNear before the grammar applies.
func (m *Matcher) fillGatedNear(h uint32, n int, row []uint32, stop Stop) error {
	g := m.gate
	if h&undecided != 0 {
		return m.fillUndecidedNear(h, n, row, stop)
	}
	if _, err := m.fillGated(h, row, stop); err != nil {
		return err
	}
	after := m.finder().Tokens(m.masks.Automaton().Start())
	fits := slices.DeleteFunc(slices.Clone(g.End), func(id uint32) bool { // no other token leaves room
		return row[id>>5]>>(id&31)&1 == 0 || len(g.End)-g.matched(lowest(h), id)+after > n-1
	})
	clear(row)
	addAll(row, fits)
	return nil
}

// fillUndecidedNear is fillNear for a sequence that may have begun with reasoning or without.
func (m *Matcher) fillUndecidedNear(h uint32, n int, row []uint32, stop Stop) error {
	g, j := m.gate, lowest(h)
	s, ok, err := m.asOutput(j, stop)
	if err != nil {
		return err
	}
	if ok {
		near, err := m.near(s, n, stop)
		switch {
		case err != nil:
			return err
		case near:
			_, err = m.fillNear(s, n, row, stop)
		default:
			_, err = m.fillAt(s, row, stop)
		}
		if err != nil && codeOf(err) != diag.Unsatisfiable {
			return err
		}
		ok = err == nil
	}
	if !ok {
		clear(row)
	}
	to := h + 1
	if j+1 == len(g.Begin) {
		to = g.entry(0, 0)
	}
	removeAll(row, g.Begin[j:j+1]) // accept reads this token as reasoning
	if err := m.endKnown(to, stop); err != nil {
		return err
	}
	if m.toEnd(to) <= n-1 {
		add(row, g.Begin[j])
	}
	return nil
}

// onlyEnds reports whether a limited sequence whose output may end at its top has no room for anything else.
func (m *Matcher) onlyEnds(stop Stop) (bool, error) {
	n := m.left(len(m.history) - 1)
	near, err := m.near(m.top(), n, stop)
	if !near || err != nil {
		return false, err
	}
	row := m.g.Tokens().TakeRow()
	defer m.g.Tokens().GiveRow(row)
	if _, err := m.fillNear(m.top(), n, row, stop); err != nil {
		return false, err
	}
	removeAll(row, m.stops.Tokens)
	return isEmpty(row), nil
}
