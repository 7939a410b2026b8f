package expr

import (
	"math"

	"github.com/sluice-engine/sluice/core/internal/work"
)

// What the work on derivatives counts for in steps: one is a comparison of two parts, which takes 6 ns. The others are
// from unions of hundreds of sequences that are new with every byte, where what is looked at is seldom in a cache.
const (
	partSteps   = 14  // a derivative of a part
	signSteps   = 25  // the signature of a part
	internSteps = 35  // looking for an expression, or making it
	listSteps   = 8   // each of its members
	memberSteps = 20  // a member of a union that is sorted
	manySteps   = 100 // a member of an intersection of many, which is sorted and compared with what others exclude
	// stepsAtOnePart is how many of them count for one part. Unions of hundreds of sequences take 50 to 70 ms within
	// the budget of a mask, and of some that are looked at again and again 20.
	stepsAtOnePart = 3
	// searchSteps is how many steps other than comparisons count for one unit of a search, whose states are small: they
	// take 2 to 3 ns each there, a unit 18 to 32 ns.
	searchSteps = 10
	// rowSteps is the same for one part of the row of an expression that repeats something.
	rowSteps = 5
)

// NoBudget is the budget where rows of parts are used that may be there or not, so that what is counted is history.
const NoBudget = math.MaxInt32

// Steps counts the work on derivatives, and remembers the unions of the current tally.
type Steps struct {
	steps    int // all, including those that a remembered union saved
	pairs    int // comparisons among them
	stepsEnd int // the budget of the current tally; 0: none
	unions   unions
	spare    unions      // memory for the next tally
	within   int         // depth of nested unions under construction
	Work     *work.Meter // of the current compilation; nil after it
}

// Tally counts the steps of one row, or of one search. When they come to more than that may take, the store stops
// comparing the members of unions, and what it makes is given up.
type Tally struct {
	s          *Steps
	begin, end int    // of s.steps
	pairs      int    // s.pairs at its begin
	unions     unions // of the tally that it interrupts
	outer      int    // the end of that tally
}

// Spent reports whether there have been too many steps.
func (s *Steps) Spent() bool { return s.stepsEnd != 0 && s.steps > s.stepsEnd }

// countSteps counts steps of comparisons, and charges them to the compilation.
func (s *Steps) countSteps(n int) {
	s.steps += n
	s.pairs += n
	s.Work.Spend(n)
}

// Count begins a tally that ends at a budget, in parts.
func (s *Steps) Count(budget int) Tally {
	t := Tally{s: s, begin: s.steps, pairs: s.pairs, outer: s.stepsEnd, unions: s.unions}
	t.end = t.begin + stepsAtOnePart*budget
	s.stepsEnd, s.unions, s.spare = t.end, s.spare, unions{}
	return t
}

// Close ends the tally. The one that it interrupted does not count its steps.
func (t *Tally) Close() {
	s := t.s
	s.steps, s.pairs, s.stepsEnd = t.begin, t.pairs, t.outer
	s.unions.forget()
	s.unions, s.spare = t.unions, s.unions
}

// Parts returns how much has been counted, in parts. Where that is more than the budget it is the budget: how far a
// step goes beyond it is of no interest.
func (t *Tally) Parts() int { return (min(t.s.steps, t.end) - t.begin) / stepsAtOnePart }

// Compared returns the part of it that comparisons were; all of it, where the budget is spent.
func (t *Tally) Compared() int {
	if t.s.steps > t.end {
		return t.Parts()
	}
	return (t.s.pairs - t.pairs) / stepsAtOnePart
}

// Searched returns how much has been counted in the unit of limits.Budgets.Search.
func (t *Tally) Searched() int { return t.counted(searchSteps) }

// Made returns how much has been counted for the row of an expression that repeats something, in parts.
func (t *Tally) Made() int { return t.counted(rowSteps) }

// counted returns what has been counted where so many steps other than comparisons count for one.
func (t *Tally) counted(steps int) int {
	if t.s.steps > t.end {
		return t.Parts()
	}
	pairs := t.s.pairs - t.pairs
	return pairs/stepsAtOnePart + (t.s.steps-t.begin-pairs)/steps
}
