package ending

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/arena"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
)

// A question is one public call. It pays for its own steps and for the facts that it needs, each once and as if nothing
// had been found before. So a question is too expensive always or never (Lemma 225).

// fact is the cost of finding something, and the facts that were needed for it. Immutable.
type fact struct {
	cost  int                // without the needs
	below int                // how deep the needs nest
	needs []pushdown.Counted // each once
}

// Kinds of facts.
const (
	factBytes  = iota // the bytes to the end
	factNext          // the next bytes of shortest texts
	factText          // a shortest text
	factDirect        // the states to which tokens of shortest texts lead
	factSearch        // the search for fewer tokens
	factLoop          // the loop
	factToken         // the state after a token; only counted
)

// factDepth bounds how deep facts nest. Of required arrays of distinct items, each adds three.
const factDepth = 256

// accountsKept bounds the accounts that stay for the next question.
const accountsKept = 8

// factSize is the memory of a fact without its lists.
const factSize = 128

// stepCost is the cost of a transition that is free as part of a text, and of a need.
const stepCost = 2

// account adds up the cost of a question or a fact.
type account struct {
	depth int
	root  bool // of a question: it pays for its needs
	cost  int
	paid  arena.Set // the parts of cost, and the needs
	below int
	needs []pushdown.Counted
}

// tooMuch unwinds a question that takes too much.
type tooMuch struct{}

// ask answers a question under the lock. before is the cost of a part that was answered earlier. ask reports false if
// the answer takes too much.
func (f *Finder) ask(before int, answer func()) (ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	had := f.a.Len()
	defer func() {
		f.masks.Took(f.a.Len() - had)
		if r := recover(); r != nil {
			if _, much := r.(tooMuch); !much {
				panic(r)
			}
		}
	}()
	f.spent, f.most = before, f.masks.Engine().Store().Budgets().Ending
	if len(f.accounts) > accountsKept {
		f.accounts = slices.Delete(f.accounts, accountsKept, len(f.accounts))
	}
	f.open(0, true)
	answer()
	return true
}

// aside answers a question within a question. It may cost most, and the outer one pays for it. ok is false if the answer
// takes too much.
func (f *Finder) aside(most int, answer func()) (cost int, ok bool) {
	up, spent, outer := f.account, f.spent, f.most
	defer func() {
		r := recover()
		if _, much := r.(tooMuch); r != nil && !much {
			panic(r)
		}
		if cost, ok = f.spent, r == nil; !ok {
			cost = most
		}
		f.account, f.spent, f.most = up, spent, outer
	}()
	f.spent, f.most = 0, most
	f.open(up.depth+1, true)
	answer()
	return cost, ok
}

// open begins an account.
func (f *Finder) open(depth int, root bool) {
	if depth == len(f.accounts) {
		f.accounts = append(f.accounts, &account{depth: depth})
	}
	a := f.accounts[depth]
	a.root, a.cost, a.below, a.needs = root, 0, 0, a.needs[:0]
	a.paid.Clear()
	f.account = a
}

// pay adds to the cost of the question or fact at hand.
func (f *Finder) pay(n int) {
	f.account.cost += n
	if f.spent += n; f.spent > f.most {
		panic(tooMuch{})
	}
}

// measure returns the fact that find finds. Its caller has to pay for it.
func (f *Finder) measure(find func()) fact {
	up, spent := f.account, f.spent
	if up.depth == factDepth {
		panic(tooMuch{})
	}
	f.open(up.depth+1, false)
	find()
	a := f.account
	f.account = up
	if f.spent -= a.cost; up.root {
		f.spent = spent // the question pays for all that was found for the fact, too
	}
	return fact{a.cost, a.below, slices.Clone(a.needs)}
}

// knows reports whether a fact of state s was found before. If so, the question or fact at hand needs it; else the caller
// has to learn it.
func (f *Finder) knows(kind uint8, s pushdown.StateID) bool {
	name := pushdown.FactOf(kind, s)
	if f.account.paid.Has(name) {
		return true
	}
	x, ok := f.facts[name]
	if ok {
		f.need(name, x)
	}
	return ok
}

// learn finds a fact of state s for the question or fact at hand.
func (f *Finder) learn(kind uint8, s pushdown.StateID, find func()) {
	f.keep(pushdown.FactOf(kind, s), f.measure(find))
}

// keep adds a fact, and the question or fact at hand needs it. Within another fact, the question will pay for it.
func (f *Finder) keep(name pushdown.Counted, x fact) {
	f.facts[name] = x
	f.masks.Hold(factSize + 8*len(x.needs))
	if !f.account.root {
		f.spent += x.cost
	}
	f.need(name, x)
}

// need makes the question or fact at hand need a known fact.
func (f *Finder) need(name pushdown.Counted, x fact) {
	a := f.account
	if !a.paid.Add(name) {
		return
	}
	if a.root {
		f.owe(x)
		return
	}
	f.pay(stepCost)
	f.nest(x)
	a.needs = append(a.needs, name)
}

// owe pays for a fact, and needs the facts that it needs.
func (f *Finder) owe(x fact) {
	f.nest(x)
	f.pay(x.cost)
	for _, name := range x.needs {
		f.need(name, f.facts[name])
	}
}

// nest counts how deep facts nest, whether x has just been found or not.
func (f *Finder) nest(x fact) {
	a := f.account
	if a.depth+1+x.below > factDepth {
		panic(tooMuch{})
	}
	a.below = max(a.below, 1+x.below)
}

// shared makes the question or fact at hand need a terminal or side that many states share. Package pushdown names it.
func (f *Finder) shared(name pushdown.Counted, cost int) {
	if x, ok := f.facts[name]; ok {
		f.need(name, x)
		return
	}
	f.keep(name, fact{cost: cost})
}

// Cost returns the cost of the last question. Tests compare it with the budget.
func (f *Finder) Cost() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.spent
}
