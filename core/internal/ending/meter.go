package ending

import "github.com/sluice-engine/sluice/core/internal/pushdown"

// A question is one public call. Its cost is the sum of the costs of the facts that it needs, each as if nothing
// had been found before, so a question is too expensive always or never (Lemma 225). Facts keep their cost. A fact that
// many others need is charged once a question.

// stepCost is the cost of a transition that is free as part of a text.
const stepCost = 2

// tooMuch unwinds a question that takes too much.
type tooMuch struct{}

// ask answers a question under the lock. before is the cost of a part that was answered earlier. ask reports false if
// the answer takes too much.
func (f *Finder) ask(before int, answer func()) (ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	defer func() {
		if r := recover(); r != nil {
			if _, much := r.(tooMuch); !much {
				panic(r)
			}
		}
	}()
	f.depth, f.cost, f.most = 0, before, f.masks.Engine().Store().Budgets().Ending
	f.paid = &f.sets[0]
	f.paid.Clear()
	answer()
	return true
}

// pay adds to the cost of the question.
func (f *Finder) pay(n int) {
	if f.cost += n; f.cost > f.most {
		panic(tooMuch{})
	}
}

// measure returns the cost of finding a fact, as if nothing had been found before. It does not add it to the question.
func (f *Finder) measure(find func()) (cost int) {
	before, most := f.cost, f.most
	if f.depth++; f.depth == len(f.sets) {
		panic(tooMuch{})
	}
	f.cost, f.most, f.paid = 0, most-before, &f.sets[f.depth]
	f.paid.Clear()
	find()
	cost = f.cost
	f.depth--
	f.cost, f.most, f.paid = before, most, &f.sets[f.depth]
	return cost
}

// factDepth bounds how deep facts nest. Of required arrays of distinct items, each adds two to the first one's depth and
// makes it cost three times as much, so the budget is spent at a third of this depth.
const factDepth = 64

// Facts that are charged once a question.
const (
	factBytes  = iota // the bytes to the end
	factDirect        // the states to which tokens of shortest texts lead
	factLoop          // the loop
	factNext          // the next bytes of shortest texts
	factToken         // the state after a token
)

// factSize is the memory of a fact without its lists.
const factSize = 64

// charge reports whether the question has not been charged for a fact of a state.
func (f *Finder) charge(fact uint8, s pushdown.StateID) bool {
	return f.paid.Add(pushdown.FactOf(fact, s))
}

// Cost returns the cost of the last question. Tests compare it with the budget.
func (f *Finder) Cost() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.cost
}
