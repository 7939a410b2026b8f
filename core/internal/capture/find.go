package capture

import (
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/spelling"
)

// The edges of a node in the order in which the search tries them. MarkOpen is first, so captured rules begin early. The
// marks of ends come after the output's bytes, so the rules are long. MarkLate is between them, so tokens before ignored
// text are long.
const (
	wayOpen = iota
	wayNamed
	wayByte
	wayLate
	wayRecord // record k is wayRecord + k
	wayClose  = wayRecord + spelling.MaxRecords
	ways      = wayClose + 1
)

// node is a place in the output, the byte `at` of a piece, and the state there.
type node struct {
	piece, at int
	state     pushdown.StateID
}

// key is a node with its place as one number.
type key struct {
	place int
	state pushdown.StateID
}

// choice is a node to which the search may return, with its next edge and the number of events before it.
type choice struct {
	node   node
	way    int
	events int
}

type event struct {
	way   int // wayOpen, wayLate, wayRecord + k, wayClose
	place int // in the text of the output
}

// search is a depth-first walk over the nodes, which visits none twice (Lemma 81). One call.
type search struct {
	t        *captureGrammar
	pieces   []Piece
	begins   []int // by piece, and for the end: the place of a key; an empty piece has one of its own
	texts    []int // by piece, and for the end: the offset in the text
	complete bool

	seen    map[key]struct{}
	choices []choice
	events  []event
	steps   int // left
	cost    int // left
}

func newSearch(t *captureGrammar, pieces []Piece, complete bool) *search {
	s := &search{t: t, pieces: pieces, complete: complete, seen: map[key]struct{}{}}
	place, text := 0, 0
	for _, p := range pieces {
		s.begins, s.texts = append(s.begins, place), append(s.texts, text)
		place, text = place+max(1, len(p.Text)), text+len(p.Text)
	}
	s.begins, s.texts = append(s.begins, place), append(s.texts, text)
	s.steps = limits.CaptureFirstSteps + limits.CaptureSteps*place
	s.cost = limits.CaptureCosts * t.automaton.Program().Store().Budgets().Text
	return s
}

func (s *search) run() error {
	at, from := node{state: s.t.automaton.Start()}, 0
	for {
		done, next, err := s.walk(at, from)
		if err != nil || done {
			return err
		}
		at, from = next, 0
		if next.state == pushdown.Dead {
			n := len(s.choices)
			if n == 0 {
				return diag.Errorf(diag.Internal, "capture", diag.Place{}, "the output does not match the grammar "+
					"with marks")
			}
			c := s.choices[n-1]
			s.choices, s.events = s.choices[:n-1], s.events[:c.events]
			at, from = c.node, c.way
		}
	}
}

// walk takes the first edge of a node from edge `from` on. It returns the node behind it, in the state Dead if there is no
// edge. done: the whole output is read.
func (s *search) walk(at node, from int) (done bool, next node, err error) {
	end := at.piece == len(s.pieces)
	if end && s.complete && s.t.automaton.Accepts(at.state) {
		return true, at, nil
	}
	if end && !s.complete {
		return true, at, s.close(at)
	}
	dead := node{state: pushdown.Dead}
	alive := s.t.automaton.Alive(at.state)
	marks := alive.Has(spelling.MarkOpen) || alive.Has(spelling.MarkLate) || alive.Has(spelling.MarkRecord) ||
		alive.Has(spelling.MarkClose)
	if from == 0 && (marks || alive.Has(terminal.TokenMark)) {
		k := key{s.begins[at.piece] + at.at, at.state}
		if _, ok := s.seen[k]; ok {
			return false, dead, nil
		}
		s.seen[k] = struct{}{}
	}
	before := len(s.events)
	for way := s.way(alive, at.state, from); way < ways; way = s.way(alive, at.state, way+1) {
		if next, err = s.take(at, way); err != nil {
			return false, dead, err
		}
		if next.state != pushdown.Dead {
			if marks || way == wayNamed {
				s.choices = append(s.choices, choice{at, way + 1, before})
			}
			return false, next, nil
		}
	}
	return false, dead, nil
}

// way returns the first edge of a state from edge `from` on, or ways. It leaves out edges that lead to Dead for sure.
func (s *search) way(alive *terminal.ByteSet, state pushdown.StateID, from int) int {
	for way := from; way < wayRecord; way++ {
		switch {
		case way == wayOpen && alive.Has(spelling.MarkOpen), way == wayNamed && alive.Has(terminal.TokenMark),
			way == wayByte, way == wayLate && alive.Has(spelling.MarkLate):
			return way
		}
	}
	if alive.Has(spelling.MarkRecord) && from < wayClose {
		if k, ok := s.record(state, max(from-wayRecord, 0)); ok {
			return wayRecord + k
		}
	}
	if alive.Has(spelling.MarkClose) && from <= wayClose {
		return wayClose
	}
	return ways
}

// record returns the first record from k on that a mark in this state may name.
func (s *search) record(state pushdown.StateID, k int) (int, bool) {
	a := s.t.automaton
	if state = a.Step(state, spelling.MarkRecord); state <= pushdown.Over {
		return 0, false
	}
	high := a.Alive(state)
	for b := high.Next(k >> 8); b < 256; b = high.Next(b + 1) {
		to := a.Step(state, byte(b))
		if to <= pushdown.Over {
			continue
		}
		low := 0
		if b == k>>8 {
			low = k & 0xFF
		}
		if c := a.Alive(to).Next(low); c < 256 {
			return b<<8 | c, true
		}
	}
	return 0, false
}

// take follows an edge, and notes the event of a mark.
func (s *search) take(at node, way int) (node, error) {
	switch way {
	case wayByte:
		return s.byte(at)
	case wayNamed:
		if at.piece == len(s.pieces) || at.at > 0 || !s.pieces[at.piece].Named {
			return node{state: pushdown.Dead}, nil
		}
		name := spelling.Token(s.pieces[at.piece].ID)
		to, err := s.step(at.state, name[:])
		return node{at.piece + 1, 0, to}, err
	}
	var mark []byte
	switch way {
	case wayOpen:
		mark = []byte{spelling.MarkOpen}
	case wayLate:
		mark = []byte{spelling.MarkLate}
	case wayClose:
		mark = []byte{spelling.MarkClose}
	default:
		mark = spelling.Record(way - wayRecord)
	}
	to, err := s.step(at.state, mark)
	if err == nil && to != pushdown.Dead {
		s.events = append(s.events, event{way, s.texts[at.piece] + at.at})
	}
	return node{at.piece, at.at, to}, err
}

func (s *search) byte(at node) (node, error) {
	if at.piece == len(s.pieces) || at.at == 0 && !s.pieces[at.piece].Spell {
		return node{state: pushdown.Dead}, nil
	}
	text := s.pieces[at.piece].Text
	if len(text) == 0 {
		return node{at.piece + 1, 0, at.state}, nil
	}
	to, err := s.step(at.state, text[at.at:at.at+1])
	if at.at++; at.at == len(text) {
		at.piece, at.at = at.piece+1, 0
	}
	return node{at.piece, at.at, to}, err
}

func (s *search) step(state pushdown.StateID, text []byte) (pushdown.StateID, error) {
	return s.follow(s.t.automaton, state, text)
}

// follow returns the state behind text, and charges for it.
func (s *search) follow(a *pushdown.Automaton, state pushdown.StateID, text []byte) (pushdown.StateID, error) {
	for i := range text {
		from := state
		if state = a.Step(state, text[i]); state == pushdown.Dead {
			return state, nil
		}
		_, _, cost := a.StepKnown(from, text[i:i+1])
		s.steps, s.cost = s.steps-1, s.cost-cost
		if state == pushdown.Over || s.steps < 0 || s.cost < 0 {
			return pushdown.Dead, diag.Errorf(diag.Limit, "capture", diag.Place{}, "finding what is captured takes "+
				"more than %d steps for each byte of the output: it can be read in very many ways; write the captured "+
				"rules and what is around them so that each text has one reading", limits.CaptureSteps)
		}
	}
	return state, nil
}

// close ends the rules that may end after an incomplete output.
func (s *search) close(at node) error {
	seen := map[pushdown.StateID]bool{}
	for !seen[at.state] {
		seen[at.state] = true
		alive := s.t.automaton.Alive(at.state)
		way := s.way(alive, at.state, wayRecord)
		if way == ways {
			if way = s.way(alive, at.state, wayLate); way != wayLate {
				return nil
			}
		}
		next, err := s.take(at, way)
		if err != nil || next.state == pushdown.Dead {
			return err
		}
		at = next
	}
	return nil
}
