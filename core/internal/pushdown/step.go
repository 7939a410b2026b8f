package pushdown

import (
	"github.com/sluice-engine/sluice/core/internal/distinct"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
)

// Step returns the state after byte b in state s: Dead if there is none, Over if the transition exceeds the bounds.
// Lock-free for transitions that an earlier Step has taken.
func (a *Automaton) Step(s StateID, b byte) StateID {
	if s <= Over {
		return s
	}
	key := transitionKey(s, b)
	if t, ok := a.taken.priced(key); ok {
		return t
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	t := a.take(s, b)
	if _, ok := a.taken.priced(key); !ok {
		a.taken.setPrice(key, priceOf(a.costAtMost(s, b, t)))
	}
	return t
}

// StepBytes returns the state after all of text.
func (a *Automaton) StepBytes(s StateID, text []byte) StateID {
	for _, b := range text {
		if s = a.Step(s, b); s <= Over {
			return s
		}
	}
	return s
}

// StepKnown follows text from s along transitions that were taken before. It returns the state after the first n bytes
// and an upper bound of their cost, in the unit of limits.Budgets.Mask; free transitions cost nothing. It stops at Dead
// or Over, and at a transition that no earlier Step has taken. It takes no lock.
func (a *Automaton) StepKnown(s StateID, text []byte) (t StateID, n, cost int) {
	return a.taken.follow(s, text, false)
}

// StepFree is StepKnown along transitions that are free.
func (a *Automaton) StepFree(s StateID, text []byte) (t StateID, n int) {
	t, n, _ = a.taken.follow(s, text, true)
	return t, n
}

// take is Step under the lock. It leaves the price of a new transition to Step, since transitions of sides need none.
func (a *Automaton) take(s StateID, b byte) StateID {
	key := transitionKey(s, b)
	t, ok := a.taken.get(key)
	if ok {
		return t
	}
	shares, like, ways := a.sharesBytes(s), uint32(0), uint64(0)
	if shares {
		like, ways = a.alike(s, b)
	}
	if like != 0 {
		t = a.share(key, like)
	} else {
		t = a.step(s, b)
		var about uint32
		if t > Over {
			about = unpriced<<effortBits | uint32(effortOf(a.took))
		}
		if a.taken.put(key, t, about); shares {
			a.likes.Add(ways, key)
		}
	}
	if a.taken.n%sizeEvery == 0 {
		a.held.Store(int64(a.size()))
	}
	return t
}

// step makes the transition of state s by byte b, as a unit of work.
func (a *Automaton) step(s StateID, b byte) StateID {
	return a.budgeted(func() StateID {
		c, under := a.open(), len(a.under)
		c.stepItems(s, b)
		t := c.finish()
		a.keepTook(s, b, under)
		return t
	})
}

// stepItems adds the items of state s after byte b.
func (c *closure) stepItems(s StateID, b byte) {
	if !c.Steps(s) {
		panic(budgetSpent{})
	}
	var room [16]nodeID
	ks := room[:0] // the nodes after items that are complete
	rec := c.states.At(uint32(s))
	for i := uint32(0); i < rec.n; i++ {
		it := *c.items.At(rec.items + i)
		e, n := counters.Step(c.st, it.Terminal, it.Counter, b)
		if e == terminal.TooHard {
			panic(budgetSpent{})
		}
		if e == terminal.Empty {
			continue
		}
		tagged := c.st.View().Tagged(e)
		if tagged && !c.MayEnd(it.After, c.st.ReachableTags(e)) {
			continue
		}
		if c.st.GoesOn(e) {
			c.found.items = append(c.found.items, Item{e, n, it.After})
		}
		switch {
		case !counters.Accepts(c.st, e, n):
		case tagged:
			c.merge(c.completeTagged(e, it.After))
		default:
			ks = append(ks, it.After)
		}
	}
	if len(ks) > 0 {
		// PERF: if words adjoin, each letter completes many items. Most letters complete the same ones, so their union and
		// the state after it are computed once.
		c.merge(c.startWithin(c.unite(ks)))
	}
	for _, it := range c.BooleanItems(s) {
		c.stepBoolean(it, b)
	}
}

// stepBoolean adds the boolean item after byte x.
func (c *closure) stepBoolean(it BooleanItem, x byte) {
	b := *c.Boolean(it)
	if b.Left = c.stepSide(b.Left, x); b.Left == Dead {
		return
	}
	complete := c.Accepts(b.Left)
	switch b.Is {
	case grammar.Both:
		if b.Right = c.stepSide(b.Right, x); b.Right == Dead {
			return
		}
		complete = complete && c.Accepts(b.Right)
	case grammar.Without:
		b.Right = c.stepSide(b.Right, x)
		complete = complete && !c.Accepts(b.Right)
	case grammar.Distinct:
		var ok bool
		if b.Items, ok = c.values.Step(b.Items, x); !ok {
			return
		}
	}
	if b.Is != grammar.Distinct || c.meets(b.Left, c.values.Need(b.Items)) {
		c.addBoolean(b, it.After)
	}
	if complete {
		c.merge(c.startWithin(it.After))
	}
}

// stepSide is Step for a side of a boolean node, within a unit of work that pays for it.
func (a *Automaton) stepSide(s StateID, c byte) StateID {
	t, key := s, transitionKey(s, c)
	if s > Over {
		t = a.take(s, c)
	}
	if t == Over {
		panic(budgetSpent{})
	}
	if a.taken.effort(key) == dear {
		a.charge(a.dearOf[key], 0)
	}
	return t
}

// meets is Meets under the lock. Counters may refuse bytes that are alive, so it takes the transitions, each as a unit
// of its own. A transition to Over counts as a continuation, both for masks and for accepted texts.
func (a *Automaton) meets(s StateID, need distinct.Need) bool {
	if need == distinct.Nothing || s <= Over {
		return s != Dead
	}
	more := &numberBytes
	if need == distinct.MoreText {
		more = &textBytes
	}
	bytes := *a.aliveLocked(s)
	bytes.Intersect(more)
	for b := bytes.Next(0); b < 256; b = bytes.Next(b + 1) {
		if a.take(s, byte(b)) != Dead {
			return true
		}
	}
	return false
}

// numberBytes are the bytes that may continue a number.
var numberBytes = func() (set terminal.ByteSet) {
	set.AddRange('0', '9')
	for _, b := range []byte(".eE+-") {
		set.Add(b)
	}
	return set
}()

// textBytes are the bytes that may continue a string: all but the closing quote.
var textBytes = func() (set terminal.ByteSet) {
	set.AddRange(0, '"'-1)
	set.AddRange('"'+1, 0xFF)
	return set
}()

// Complete returns the state after terminal e, which is complete, above node k.
func (a *Automaton) Complete(e terminal.Expr, k NodeID) StateID {
	tagged := a.st.View().Tagged(e)
	if !tagged {
		return a.After(k)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.budgeted(func() StateID { return a.completeTagged(e, k) })
}

// completeTagged is Complete for a tagged terminal, within a unit of work.
func (a *Automaton) completeTagged(e terminal.Expr, k nodeID) StateID {
	c := a.open()
	var buf [4]uint32
	tags, bare := a.st.View().Tags(e, buf[:0])
	for _, t := range tags {
		s := a.startTagged(k, t)
		if s == Over {
			panic(budgetSpent{})
		}
		a.charge(a.tagged[taggedKey{k, t}].part, 0)
		c.merge(s)
	}
	if bare {
		c.merge(a.startWithin(k))
	}
	return c.finish()
}

// startWithin is start within a unit that pays for it. The start runs as a unit of its own, so start can keep Over.
func (a *Automaton) startWithin(k nodeID) StateID {
	s := a.start(k)
	if s == Over {
		panic(budgetSpent{})
	}
	a.charge(a.nodes.At(uint32(k)).part, a.unit.depth)
	return s
}

// TryItems returns a trial that compares texts with the array items read so far, for the item of a Distinct node.
func (a *Automaton) TryItems(it BooleanItem) *distinct.Trial {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.values.Try(a.Boolean(it).Items)
}

// Meets reports whether state s can continue the present array item as need demands. s is a state of the left side of a
// Distinct node.
func (a *Automaton) Meets(s StateID, need distinct.Need) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.meets(s, need)
}
