package expr

import (
	"math"
	"slices"
)

// What is found out about expressions and kept (whether one matches anything, whether a guess shows it, what a lemma
// rests on) is a question. A question leads to others, which it shares with many: the members of a union that grows by
// one with every byte are asked about again and again. So each question keeps what it takes by itself and which others
// it leads to, and who is charged for several of them counts each once.

// question is what coming to an answer takes where nothing is known.
type question struct {
	own      uint32 // beside the questions that it leads to, in the unit of the budget of a search
	total    uint32 // with all that it leads to
	under, n uint32 // those that it leads to itself, in Store.under
}

// Inquiry is the finding of one answer, or several that are charged for together.
type Inquiry struct {
	S     *Store
	Own   int // what it takes beside what it asks
	Asked int // what that takes
	under []uint32
	last  uint32  // the greatest of those
	met   Numbers // the first known of those, and what they lead to
	known int
}

// Ask notes that a question is led to, and returns what that takes with all that it leads to, but for what was met.
//
// PERF: mostly all that is asked is one question, which leads to hundreds, and one of its own for each state, which
// leads to none. A text of 4 KB along the states of x{0,90}(ab){64} took 110 ms, three quarters of it to meet the
// hundreds again for each state, and one of x{2833}(ab){138} 80 ms, half of it.
func (q *Inquiry) Ask(id uint32) (cost int) {
	if id == 0 || id == q.last || len(q.under) > 0 && id == q.under[0] {
		return 0
	}
	x := q.S.questions.At(id)
	switch {
	case len(q.under) == 0, x.n == 0 && id > q.last: // questions lead to older ones
		cost = int(x.total)
	default:
		for ; q.known < len(q.under); q.known++ {
			q.S.QuestionCost(q.under[q.known], q.met.Add)
		}
		if cost = q.S.QuestionCost(id, q.met.Add); cost == 0 {
			return 0
		}
		q.known++
	}
	q.under, q.last, q.Asked = append(q.under, id), max(q.last, id), q.Asked+cost
	return cost
}

// Spent returns what the inquiry has taken.
func (q *Inquiry) Spent() int { return q.Own + q.Asked }

// Keep returns the question whose answer has been found. 0 is the question that takes nothing.
func (q *Inquiry) Keep() uint32 {
	switch {
	case q.Own == 0 && len(q.under) == 0:
		return 0
	case q.Own == 0 && len(q.under) == 1:
		return q.under[0]
	}
	s := q.S
	at := s.under.Span(len(q.under))
	copy(s.under.Slice(at, len(q.under)), q.under)
	return s.questions.Append(question{
		own: uint32(min(q.Own, math.MaxInt32)), total: uint32(min(q.Spent(), math.MaxInt32)),
		under: at, n: uint32(len(q.under)),
	})
}

// QuestionCost returns what a question takes with all that it leads to, but for those that first knows; first reports
// whether it has not seen one. It takes no lock.
func (s *Store) QuestionCost(id uint32, first func(question uint32) bool) (cost int) {
	if id == 0 || !first(id) {
		return 0
	}
	var room [16]uint32
	for ids := append(room[:0], id); len(ids) > 0; {
		q := s.questions.At(ids[len(ids)-1])
		ids = ids[:len(ids)-1]
		cost += int(q.own)
		for _, x := range s.under.Slice(q.under, int(q.n)) {
			if first(x) {
				ids = append(ids, x)
			}
		}
	}
	return cost
}

// Numbers is a set of mostly few numbers.
type Numbers struct {
	few  []uint32
	many map[uint32]struct{}
}

// fewNumbers is how many are looked for one by one.
const fewNumbers = 16

// Add puts x into the set, and reports whether it was not there.
func (m *Numbers) Add(x uint32) bool {
	if m.many == nil {
		if slices.Contains(m.few, x) {
			return false
		}
		if m.few = append(m.few, x); len(m.few) > fewNumbers {
			m.many = make(map[uint32]struct{}, 4*fewNumbers)
			for _, y := range m.few {
				m.many[y] = struct{}{}
			}
		}
		return true
	}
	before := len(m.many)
	m.many[x] = struct{}{}
	return len(m.many) > before
}
