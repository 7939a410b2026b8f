package matcher

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/stopstring"
)

// A sequence with stop strings ends behind the token in which the first string ends. Only the text of the output counts.
// Reasoning does not, and the names of special tokens separate the texts around them.
//
// INVARIANT: masks do not depend on stop strings until the sequence has stopped. Then masks are those after the end, and
// calls accept only the tokens of the mask.

// stopped is the node of a sequence that has stopped.
const stopped stopstring.Node = 1<<16 - 1

// point is a place of one sequence: after its history, or after draft tokens.
type point struct {
	h    uint32
	node stopstring.Node
}

// hit is the place of the first stop string.
type hit struct {
	index  int // of the string
	behind int // bytes from its beginning to the end of the output
}

// stopping follows the text of one sequence.
type stopping struct {
	strings *stopstring.Automaton // immutable
	from    int                   // steps before these strings were set
	nodes   []stopstring.Node     // after each step since then
	shared  bool                  // their memory is also a fork's
	at      int                   // the step that stopped the sequence; 0: it has not stopped
	hit     hit                   // of that step
	last    hit                   // of the last call of scan that returned stopped
}

// StopState is the stop string of a sequence. A value.
type StopState struct {
	Stopped  bool
	Index    int // of the string that the output stopped at
	Behind   int // bytes from its beginning to the end of the output
	HeldBack int // bytes at the end of the output that may still become a stop string
}

// SetStopStrings makes the sequence stop at the first of these strings in text that is accepted from now on. An empty list
// removes earlier strings. A sequence that has stopped stays so. The error is Busy, Argument for an empty string, or
// Limit for too many bytes.
func (m *Matcher) SetStopStrings(list []string) error {
	if err := m.claim(); err != nil {
		return err
	}
	defer m.leave()
	return m.setStopStrings(list)
}

func (m *Matcher) setStopStrings(list []string) error {
	a, err := stopstring.New(list)
	if err != nil {
		return err
	}
	old := m.stopping
	m.stopping, m.going = nil, nil // the progress of an unfinished call has a node of the old strings
	if s := (stopping{strings: a, from: len(m.history) - 1}); old != nil && old.at > 0 {
		s.at, s.hit = old.at, old.hit
		m.stopping = &s
	} else if len(list) > 0 {
		m.stopping = &s
	}
	return nil
}

// Stopped returns the StopState of the sequence. The error is Busy.
func (m *Matcher) Stopped() (StopState, error) {
	if err := m.claim(); err != nil {
		return StopState{}, err
	}
	defer m.leave()
	return m.stopState(), nil
}

func (m *Matcher) stopState() StopState {
	s := m.stopping
	switch {
	case s == nil:
		return StopState{}
	case s.at > 0:
		return StopState{Stopped: true, Index: s.hit.index, Behind: s.hit.behind}
	}
	return StopState{HeldBack: m.heldBack(len(m.history) - 1)}
}

// heldBack returns how many bytes at the end of the first n steps may still become a stop string.
func (m *Matcher) heldBack(n int) int {
	s, node := m.stopping, m.stopping.node(n)
	if h := m.history[n]; h&gated != 0 && h&undecided != 0 {
		if node = m.nodeAsOutput(h); node == stopped {
			return s.last.behind // the next step decides whether this is output
		}
	}
	return s.strings.Depth(node)
}

// unsaid returns how many bytes at the end of an output of n steps are a stop string with the text behind it, or may still
// become a stop string.
func (m *Matcher) unsaid(n int) int {
	switch s := m.stopping; {
	case s == nil:
		return 0
	case s.at > 0:
		return s.hit.behind
	}
	return m.heldBack(n)
}

// node returns the node after n steps.
func (s *stopping) node(n int) stopstring.Node {
	switch {
	case s.at > 0 && n >= s.at:
		return stopped
	case n <= s.from:
		return stopstring.Root
	}
	return s.nodes[n-s.from-1]
}

// push adds the step that leads to p.
func (s *stopping) push(p point) {
	if s.shared {
		s.nodes, s.shared = slices.Clone(s.nodes), false
	}
	s.nodes = append(s.nodes, p.node)
	if p.node == stopped && s.at == 0 {
		s.at, s.hit = s.from+len(s.nodes), s.last
	}
}

// backTo leaves the first n steps.
func (s *stopping) backTo(n int) {
	s.from = min(s.from, n)
	s.nodes = s.nodes[:min(len(s.nodes), n-s.from)]
	if s.at > n {
		s.at = 0
	}
}

// clone returns a copy for a second sequence.
func (s *stopping) clone() *stopping {
	if s == nil {
		return nil
	}
	s.shared = true
	c := *s
	return &c
}

// here returns the point that the sequence has reached.
func (m *Matcher) here() point {
	p := point{h: m.top()}
	if m.stopping != nil {
		p.node = m.stopping.node(len(m.history) - 1)
	}
	return p
}

// move makes p the next step.
func (m *Matcher) move(p point) {
	m.push(p.h)
	if m.stopping != nil {
		m.stopping.push(p)
	}
}

// behindToken returns the point behind token id, which leads from p to entry to.
func (m *Matcher) behindToken(p point, to uint32, id int32) point {
	if m.stopping == nil {
		return point{h: to}
	}
	v := m.g.Vocabulary()
	return m.behind(p, to, v.Bytes(uint32(id)), v.SpecialBytes(uint32(id)))
}

// behind returns the point behind a text, or behind a special token with a name.
func (m *Matcher) behind(p point, to uint32, text, name []byte) point {
	if m.stopping == nil || to&(ended|gated) != 0 || p.h&(gated|undecided) == gated {
		return point{h: to} // a stop token, reasoning, or its end
	}
	n := p.node
	if p.h&gated != 0 { // the output has begun with tokens that could have begun reasoning
		n = m.nodeAsOutput(p.h)
	}
	if n = m.stopping.scan(n, text, name); n == stopped {
		to |= ended
	}
	return point{to, n}
}

// nodeAsOutput returns the node behind the tokens of the undecided entry h, read as output.
func (m *Matcher) nodeAsOutput(h uint32) (n stopstring.Node) {
	j, v := lowest(h), m.g.Vocabulary()
	for _, id := range m.gate.Begin[min(j, m.stopping.from):j] {
		n = m.stopping.scan(n, v.Bytes(id), v.SpecialBytes(id))
	}
	return n
}

// scan returns the node behind a text, or behind a special token with a name. Behind a stop string it only adds to
// last.behind.
func (s *stopping) scan(n stopstring.Node, text, name []byte) stopstring.Node {
	switch {
	case n == stopped:
		s.last.behind += len(text) + len(name)
		return n
	case name != nil:
		return stopstring.Root
	}
	to, end := s.strings.Read(n, text)
	if end == 0 {
		return to
	}
	index, length := s.strings.Found(to)
	s.last = hit{index, length + len(text) - end}
	return stopped
}

// afterStop reports whether the mask of a sequence that has stopped allows token id.
func (m *Matcher) afterStop(id int32) bool {
	switch {
	case m.options.RejectAfterEnd || id < 0 || int(id) >= m.g.Vocabulary().PaddedSize():
		return false
	case m.options.AllAllowedAfterEnd:
		return true
	}
	return slices.Contains(m.stops.Tokens, uint32(id))
}

// untilStop returns the number of bytes of text, behind node n, up to the end of a stop string, or all.
func (m *Matcher) untilStop(n stopstring.Node, text []byte) int {
	if m.stopping == nil || n == stopped {
		return len(text)
	}
	if _, end := m.stopping.strings.Read(n, text); end > 0 {
		return end
	}
	return len(text)
}

// written returns the number of steps up to the end of the output.
func (m *Matcher) written() int {
	if s := m.stopping; s != nil && s.at > 0 {
		return s.at
	}
	n := len(m.history) - 1
	for n > 0 && m.history[n]&ended != 0 {
		n--
	}
	return n
}
