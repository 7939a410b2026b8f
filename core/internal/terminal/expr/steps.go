package expr

import (
	"math"

	"github.com/sluice-engine/sluice/core/internal/work"
)

// The cost of work on derivatives in steps. One step is a comparison of two parts, which takes 6 ns. The others were
// measured on unions of hundreds of sequences that are new with every byte, whose nodes are seldom in a cache.
const (
	partSteps   = 14  // a derivative of a part
	signSteps   = 25  // the signature of a part
	internSteps = 35  // interning an expression
	listSteps   = 8   // each of its members
	memberSteps = 20  // sorting a member of a union
	manySteps   = 100 // sorting a member of a large intersection, and comparing it with the exclusions
	// stepsPerPart converts steps to parts. Within the budget of a mask, unions of hundreds of sequences take 50 to 70
	// ms, and 20 ms if the same unions are used repeatedly.
	stepsPerPart = 3
	// searchSteps converts steps other than comparisons to units of a search, whose states are small: a step takes 2 to
	// 3 ns there, a unit 18 to 32 ns.
	searchSteps = 10
	// rowSteps converts steps other than comparisons to parts of the row of an expression with repetitions.
	rowSteps = 5
)

// NoBudget is the budget of work that uses rows of parts. Its cost depends on which rows exist, so a bound would make
// answers depend on earlier work.
const NoBudget = math.MaxInt32

// Steps counts the work on derivatives, and remembers the unions of the current tally.
type Steps struct {
	steps       int // all
	pairs       int // comparisons among them
	stepsEnd    int // the number of steps at which the current tally is spent; 0: no tally
	unions      unions
	spareUnions unions      // memory for the next tally
	depth       int         // depth of nested unions under construction
	Work        *work.Meter // of the current compilation; nil after it
}

// Tally counts the steps of one row or search. Once they exceed the budget, members of unions are no longer compared,
// and callers discard the result.
type Tally struct {
	s          *Steps
	begin, end int    // of steps
	pairs      int    // at the beginning
	unions     unions // of the outer tally
	outer      int    // the end of the outer tally
}

// Spent reports whether the current tally exceeds its budget.
func (s *Steps) Spent() bool { return s.stepsEnd != 0 && s.steps > s.stepsEnd }

// countSteps counts n steps of comparisons, and charges them to the compilation.
func (s *Steps) countSteps(n int) {
	s.steps += n
	s.pairs += n
	s.Work.Spend(n)
}

// Count begins a tally with a budget in parts.
func (s *Steps) Count(budget int) Tally {
	t := Tally{s: s, begin: s.steps, pairs: s.pairs, outer: s.stepsEnd, unions: s.unions}
	t.end = t.begin + stepsPerPart*budget
	s.stepsEnd, s.unions, s.spareUnions = t.end, s.spareUnions, unions{}
	return t
}

// Close ends the tally. The outer tally does not count its steps.
func (t *Tally) Close() {
	s := t.s
	s.steps, s.pairs, s.stepsEnd = t.begin, t.pairs, t.outer
	s.unions.forget()
	s.unions, s.spareUnions = t.unions, s.unions
}

// Parts returns the steps so far in parts, at most the budget.
func (t *Tally) Parts() int { return (min(t.s.steps, t.end) - t.begin) / stepsPerPart }

// Compared returns the comparisons so far in parts; all steps once the budget is spent.
func (t *Tally) Compared() int {
	if t.s.steps > t.end {
		return t.Parts()
	}
	return (t.s.pairs - t.pairs) / stepsPerPart
}

// Searched returns the steps so far in units of limits.Budgets.Search.
func (t *Tally) Searched() int { return t.counted(searchSteps) }

// Made returns the steps so far as parts of the row of an expression with repetitions.
func (t *Tally) Made() int { return t.counted(rowSteps) }

// counted returns the comparisons in parts, plus the other steps divided by steps.
func (t *Tally) counted(steps int) int {
	if t.s.steps > t.end {
		return t.Parts()
	}
	pairs := t.s.pairs - t.pairs
	return pairs/stepsPerPart + (t.s.steps-t.begin-pairs)/steps
}
