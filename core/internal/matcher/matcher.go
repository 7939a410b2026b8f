// Package matcher follows one sequence under a grammar: it accepts tokens, fills masks and rolls back.
//
// Invariant: if Fill writes a row, Accept takes token i exactly when bit i is set. A matcher is one sequence. One
// goroutine at a time may use it, and a second one gets Busy. Its state is a history of state ids. A rollback shortens
// the history, and a fork shares its memory. Start reading at Matcher, then Until (stop.go).
//
// Exported functions claim the matcher. All others are for callers that have claimed it.
package matcher

import (
	"slices"
	"sync/atomic"

	"github.com/sluice-engine/sluice/core/internal/compiled"
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/events"
	"github.com/sluice-engine/sluice/core/internal/mask"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal/spelling"
	"github.com/sluice-engine/sluice/core/internal/tokenizer"
)

// Options are the options of one sequence.
type Options struct {
	StopTokens         []uint32             // the tokens that end the sequence; nil: the vocabulary's end tokens
	RejectAfterEnd     bool                 // reject tokens after the end instead of ignoring them
	AllAllowedAfterEnd bool                 // after the end allow every token instead of the stop tokens alone
	KeepOutput         bool                 // remember the output, see Output
	Tokenizer          *tokenizer.Tokenizer // the model's; nil: there are no forced tokens
	Reasoning          *Reasoning
	Events             func() *events.Program // the format of the output, see Matcher.Events
	MaxTokens          int                    // as for SetMaxTokens; 0: no limit
}

// ended marks a history entry after which the sequence has ended. State ids stay below it, and below gated.
const ended = 1 << 31

// Matcher is one sequence.
type Matcher struct {
	word     atomic.Uint64 // State after the last finished call, and a busy bit; see standing
	g        *compiled.Grammar
	masks    *mask.Masks
	stops    mask.Stops
	options  Options
	gate     *gate    // nil: no reasoning
	history  []uint32 // an entry after each step, the start first: a state, or bits as for ended and gated
	shared   bool     // history's memory is also a fork's
	stay     bool     // the last call was unfinished, and its results belong to this generation of states
	limited  bool     // the grammar counts tokens
	worked   bool     // new results have made the grammar grow, see forget
	counted  counted
	walks    []walk            // of the present call, see tally
	going    *going            // progress of the last call, if it was unfinished
	records  []uint32          // memory of drafts
	carrying *carrying         // nil: the history is in the generation of masks
	log      log               // the output, if it is needed
	cutter   *tokenizer.Cutter // nil: not asked for yet
	text     []byte            // memory of tail
	layouts  [2]laid           // see laid; the newest first
	limit    limit
	reading  *reading  // nil: nobody has asked for events
	stopping *stopping // nil: there are no stop strings
}

// New returns a matcher at the start of grammar g.
func New(g *compiled.Grammar, o Options) (*Matcher, error) {
	stops := mask.Stops{Tokens: g.Vocabulary().EndTokens()}
	if o.StopTokens != nil {
		stops = mask.Stops{Tokens: slices.Clone(o.StopTokens)}
	}
	for _, id := range stops.Tokens {
		if int(id) >= g.Vocabulary().PaddedSize() {
			return nil, argument("stop token %d is outside the vocabulary of %d", id, g.Vocabulary().PaddedSize())
		}
		if !slices.Contains(g.Vocabulary().EndTokens(), id) { // end tokens are no text in the grammar
			stops.Text = append(stops.Text, id)
		}
	}
	gate, err := newGate(o.Reasoning, g.Vocabulary().Size())
	if err != nil {
		return nil, err
	}
	m := &Matcher{g: g, stops: stops, options: o, gate: gate, masks: g.Current(), history: make([]uint32, 1, 64)}
	m.history[0] = m.start()
	m.log.keep = o.KeepOutput || o.Tokenizer != nil || g.Captures() != nil
	m.limited = m.masks.Automaton().Program().Limited()
	m.word.Store(m.standing())
	if o.MaxTokens != 0 {
		return m, m.SetMaxTokens(o.MaxTokens)
	}
	return m, nil
}

func argument(format string, args ...any) *diag.Error {
	return diag.Errorf(diag.Argument, "matcher", diag.Place{}, format, args...)
}

// unfinished is the error of a call that stop ended. It is one value, so calls with AtOnce allocate nothing.
var unfinished = diag.Errorf(diag.Unfinished, "matcher", diag.Place{},
	"this takes work that nobody has done yet, and the call was to do without: call the function that waits for it")

// claim takes the matcher for one call, which ends with leave, or for several, see Held.
func (m *Matcher) claim() error {
	if w := m.word.Load(); w&busy != 0 || !m.word.CompareAndSwap(w, w|busy) {
		return diag.Errorf(diag.Busy, "matcher", diag.Place{},
			"the matcher is in use on another thread; give each sequence a matcher of its own")
	}
	return nil
}

// enter is claim for a call that needs states.
func (m *Matcher) enter(stop Stop) error {
	if err := m.claim(); err != nil {
		return err
	}
	entered := false
	defer func() {
		if !entered { // frees the matcher also after a panic
			m.word.Store(m.word.Load() &^ busy)
		}
	}()
	err := m.catchUp(stop)
	entered = err == nil
	return err
}

// leave ends the call that claim or enter began, also after a panic.
func (m *Matcher) leave() {
	m.forget()
	m.word.Store(m.standing())
}

// forget drops the results of one call, and bounds the grammar's memory if the call has made it grow. Other calls do not
// read its size: with a grammar for each sequence of a batch, that would miss the cache each time.
func (m *Matcher) forget() {
	if !m.stay {
		m.going = nil
		if m.worked {
			m.worked = false
			m.g.Trim(m.masks)
		}
	}
	if m.going == nil {
		clear(m.walks) // the texts are the caller's
		m.walks = m.walks[:0]
	}
}

// work asks stop before work that is not cached. Such work makes the grammar grow.
func (m *Matcher) work(stop Stop) error {
	if stop != nil && stop() {
		m.stay = true
		return unfinished
	}
	m.worked = true
	return nil
}

// catchUp carries the history over to the grammar's present generation of states, unless an unfinished call goes on.
func (m *Matcher) catchUp(stop Stop) error {
	now := m.g.Current()
	if now == m.masks || m.stay {
		m.stay = false
		return nil
	}
	c := m.carrying
	if c == nil || c.to != now {
		mv := pushdown.NewMover(m.masks.Automaton(), now.Automaton())
		c = &carrying{to: now, mover: mv, moved: make([]uint32, 0, cap(m.history))}
	}
	m.carrying = nil
	// Steps rolled back since the carrying began are at the end: nothing is accepted before all is carried.
	c.moved = c.moved[:min(len(c.moved), len(m.history))]
	for i, h := range m.history[len(c.moved):] {
		if i%carriedAtOnce == 0 && stop != nil && stop() {
			m.carrying = c
			return unfinished
		}
		if h&gated == 0 {
			h = uint32(c.mover.Move(pushdown.StateID(h&^ended))) | h&ended
		}
		c.moved = append(c.moved, h)
	}
	m.g.Carried(now, c.mover.Bytes())
	m.history, m.shared, m.masks = c.moved, false, now
	return nil
}

// carrying is a history of which a part is carried over to the next generation of states. A call that may not wait leaves
// the rest to the next call.
type carrying struct {
	to    *mask.Masks
	mover *pushdown.Mover
	moved []uint32
}

// carriedAtOnce is the number of steps that are carried between two calls of stop. A step takes some microseconds if its
// state is not carried yet.
const carriedAtOnce = 64

func (m *Matcher) top() uint32 { return m.history[len(m.history)-1] }

func (m *Matcher) push(h uint32) {
	if m.shared {
		m.history = append(make([]uint32, 0, len(m.history)*2), m.history...)
		m.shared = false
	}
	m.history = append(m.history, h)
}

// backTo takes steps back until n entries are left.
func (m *Matcher) backTo(n int) {
	m.history = m.history[:n]
	m.log.backTo(n - 1)
	m.forgetLayouts(n - 1)
	if m.reading != nil {
		m.reading.low = min(m.reading.low, n-1)
	}
	if m.stopping != nil {
		m.stopping.backTo(n - 1)
	}
}

// next returns the history entry after token id, and whether the token is allowed.
func (m *Matcher) next(h uint32, id int32, c *tally, stop Stop) (uint32, bool, error) {
	if id < 0 || int(id) >= m.g.Vocabulary().PaddedSize() {
		return h, false, nil
	}
	if h&ended != 0 {
		if m.options.RejectAfterEnd {
			return h, false, nil
		}
		return h, true, nil
	}
	if h&gated != 0 {
		return m.nextGated(h, id, c, stop)
	}
	a, s := m.masks.Automaton(), pushdown.StateID(h)
	if s == pushdown.Over {
		return h, false, m.overBudget("following what came before this token")
	}
	if a.Accepts(s) && slices.Contains(m.stops.Tokens, uint32(id)) {
		return h | ended, true, nil
	}
	asText := len(m.stops.Text) == 0 || !slices.Contains(m.stops.Text, uint32(id))
	t, err := pushdown.Dead, error(nil)
	text := m.g.Tokens().Text(uint32(id), m.g.TextView())
	if text != nil && asText {
		if t, _, err = c.walk(a, s, text, stop); err != nil {
			return h, false, err
		}
	}
	names, known := a.NamesTokens(s)
	if !known {
		if err := m.work(stop); err != nil {
			return h, false, err
		}
		names = a.Names(s)
	}
	if names && int(id) < m.g.Vocabulary().Size() {
		if t, err = m.named(t, s, uint32(id), c, stop); err != nil {
			return h, false, err
		}
	}
	if m.limited {
		if t, err = m.border(t, stop); err != nil {
			return h, false, err
		}
	}
	switch t {
	case pushdown.Dead:
		return h, false, nil
	case pushdown.Over:
		if c.spent() && c.later {
			return h, false, m.overTokens()
		}
		ok, err := m.beyond(s, uint32(id), stop)
		return uint32(t), ok, err
	}
	return uint32(t), true, nil
}

// border returns the state behind the end of a token that leads to state t, for a grammar that counts tokens.
func (m *Matcher) border(t pushdown.StateID, stop Stop) (pushdown.StateID, error) {
	a := m.masks.Automaton()
	if !a.TokenKnown(t) {
		if err := m.work(stop); err != nil {
			return t, err
		}
	}
	return a.Token(t), nil
}

// beyond reports whether the mask of state s allows token id, whose transition exceeds the budget. A mask tries the ways
// to read a token one by one, while the state after the token combines them all. If the mask allows the token, the
// matcher takes it, and all later tokens are beyond the budget.
func (m *Matcher) beyond(s pushdown.StateID, id uint32, stop Stop) (bool, error) {
	if err := m.look(s, stop); err != nil {
		return false, err
	}
	ok, inBudget := m.masks.Has(s, id)
	if !inBudget {
		return false, m.overBudget("following this token")
	}
	return ok, nil
}

// named returns the state after token id in state s of a grammar that names tokens. t is the state after its text.
func (m *Matcher) named(t, s pushdown.StateID, id uint32, c *tally, stop Stop) (pushdown.StateID, error) {
	a, name := m.masks.Automaton(), spelling.Token(id)
	n, _, err := c.walk(a, s, name[:], stop)
	if err != nil || n == pushdown.Dead || t == pushdown.Over {
		return t, err
	}
	if t != pushdown.Dead && n != pushdown.Over && stop != nil && stop() {
		return t, unfinished
	}
	if n == pushdown.Over {
		return n, nil
	}
	m.worked = true
	return a.Union(t, n), nil
}

// overBudget is the error of a budget that was spent on the way to a state.
func (m *Matcher) overBudget(what string) error {
	return m.tooHard(what, m.g.Budgets().Transition)
}

func (m *Matcher) accept(ids []int32, stop Stop) (int, error) {
	before, c, i := len(m.history), m.tally(), 0
	if g := c.resume(ids, true); g != nil {
		for ; i < len(g.ids); i++ {
			m.move(m.behindToken(m.here(), g.after[i], ids[i]))
			m.log.token(ids[i])
		}
	}
	for p := m.here(); i < len(ids); i++ {
		walks := c.next
		c.later = i > 0
		next, ok, err := m.step(p, ids[i], len(m.history)-1, &c, stop)
		if !ok {
			if err == error(unfinished) {
				after := m.history[before:]
				m.backTo(before)
				return 0, c.pauseTokens(ids[:i], walks, p, after)
			}
			return i, err
		}
		p = next
		m.move(p)
		m.log.token(ids[i])
	}
	if m.top()&ended != 0 {
		m.tell()
	}
	return len(ids), nil
}

func (m *Matcher) validate(ids []int32, stop Stop) (int, error) {
	p, c, i := m.here(), m.tally(), 0
	if g := c.resume(ids, false); g != nil {
		i, p = len(g.ids), g.last
	}
	for ; i < len(ids); i++ {
		walks := c.next
		c.later = i > 0
		next, ok, err := m.step(p, ids[i], len(m.history)-1+i, &c, stop)
		if !ok {
			if err == error(unfinished) {
				return 0, c.pauseTokens(ids[:i], walks, p, nil)
			}
			return i, err
		}
		p = next
	}
	return len(ids), nil
}

func (m *Matcher) acceptBytes(text []byte, stop Stop) (bool, error) {
	h, t := m.top(), m.tally()
	if h&ended != 0 {
		p := m.here()
		if m.options.RejectAfterEnd || p.node == stopped && !m.options.AllAllowedAfterEnd {
			return false, nil
		}
		m.move(p)
		m.log.text(text)
		return true, nil
	}
	if h&gated != 0 {
		after, ok, err := m.textGated(h, stop)
		if ok && after&gated != 0 {
			if ok, err = m.roomForText(after, stop); ok {
				m.move(point{h: after})
				m.log.text(text)
			}
			return ok, t.ending(err)
		}
		if !ok {
			return false, t.ending(err)
		}
		h = after
	}
	raw := text
	text = spelling.Text(text)
	s, n, err := t.walk(m.masks.Automaton(), pushdown.StateID(h), text, stop)
	if m.limited && err == nil {
		m.worked = true
		s = m.masks.Automaton().Text(s)
	}
	switch {
	case err != nil:
		return false, t.pauseText(text)
	case t.spent():
		return false, m.overText(text, n)
	case s == pushdown.Over:
		return false, m.overBudget("following this text")
	case s == pushdown.Dead:
		return false, nil
	}
	if ok, err := m.roomForText(uint32(s), stop); !ok {
		return false, t.ending(err)
	}
	m.move(m.behind(m.here(), uint32(s), raw, nil))
	m.log.text(text)
	return true, nil
}

// Rollback takes back the last n steps, ended ones included.
func (m *Matcher) Rollback(n int) error {
	if err := m.claim(); err != nil {
		return err
	}
	defer m.leave()
	return m.rollback(n)
}

func (m *Matcher) rollback(n int) error {
	if n < 0 || n >= len(m.history) {
		return argument("cannot take back %d steps of %d", n, len(m.history)-1)
	}
	m.backTo(len(m.history) - n)
	return nil
}

// Reset goes back to the start.
func (m *Matcher) Reset() error {
	if err := m.claim(); err != nil {
		return err
	}
	defer m.leave()
	m.backTo(1)
	m.tell()
	return nil
}

// Fork returns a second matcher with the same state and history.
func (m *Matcher) Fork() (*Matcher, error) {
	if err := m.claim(); err != nil {
		return nil, err
	}
	defer m.leave()
	m.shared, m.log.shared = true, true
	f := &Matcher{
		g: m.g, masks: m.masks, stops: m.stops, options: m.options, gate: m.gate, history: m.history, shared: true,
		log: m.log, limited: m.limited, limit: m.limit, layouts: m.layouts,
	}
	f.reading, f.stopping = m.reading.clone(), m.stopping.clone()
	f.word.Store(f.standing())
	return f, nil
}
