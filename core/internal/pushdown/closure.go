package pushdown

import (
	"github.com/sluice-engine/sluice/core/internal/distinct"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// A closure visits the frames of a node. A frame that waits for a terminal becomes an item; one that waits for a rule
// becomes a prediction. Each predicted rule runs once, above the union of the nodes that wait for it, after all rules
// that may begin with it.

// After returns the state after node k: the text above k is complete.
func (a *Automaton) After(k NodeID) StateID {
	if s, ok := a.nodes.At(uint32(k)).started(); ok {
		return s
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.start(k)
}

// AfterTag is After for a terminal that ended in tag.
func (a *Automaton) AfterTag(k NodeID, tag uint32) StateID {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.startTagged(k, tag)
}

// startOf returns the state after node k, within a unit of work.
func (a *Automaton) startOf(k nodeID) StateID {
	r := a.nodes.At(uint32(k))
	if s, ok := r.started(); ok {
		a.charge(r.part, a.unit.depth)
		return s
	}
	if a.unit.depth++; a.unit.depth > a.bounds.depth {
		panic(budgetSpent{})
	}
	own, under := a.enter()
	c := a.open()
	for i := range r.n {
		c.resume(*a.frames.At(r.frames + i))
	}
	s := c.close()
	r.part = a.leave(startPart, own, under)
	a.unit.depth--
	r.setStart(s, effortOf(a.parts.At(uint32(r.part)).most))
	return s
}

// start is startOf as a unit of work. It keeps Over too: the price does not depend on earlier units, so a second try
// would also end in Over.
func (a *Automaton) start(k nodeID) StateID {
	r := a.nodes.At(uint32(k))
	if s, ok := r.started(); ok {
		return s
	}
	s := a.budgeted(func() StateID { return a.startOf(k) })
	if s == Over {
		r.setStart(Over, little)
	}
	return s
}

// startTagged returns the state after node k whose terminal ended in tag, as a unit of work.
func (a *Automaton) startTagged(k nodeID, tag uint32) StateID {
	key := taggedKey{k, tag}
	if t, ok := a.tagged[key]; ok {
		return t.state
	}
	var t tagStart
	t.state = a.budgeted(func() StateID {
		under := len(a.under)
		c := a.open()
		for _, f := range a.framesOf(k) {
			c.resumeTag(f, tag)
		}
		s := c.close()
		t.part = a.newPart(stepPart, under)
		return s
	})
	a.tagged[key] = t
	return t.state
}

// resumeTag continues with frame f, whose terminal ended in tag.
func (c *closure) resumeTag(f frame, tag uint32) {
	switch in := c.p.code.At(uint32(f.dot)); in.op {
	case opObjectTag:
		o := c.p.objects.At(in.arg)
		if m, j := c.p.members(o, f.reg), o.property(tag); c.p.mayTake(o, m, j) {
			c.run(o.values[j], c.node(frame{o.next, c.p.register(o, c.p.afterKey(o, m, j)), f.k}), true)
		}
	case opSwitchTag:
		if then, ok := c.p.switches.At(in.arg).find(tag); ok {
			c.run(then, f.k, true)
		}
	}
}

// close runs the predicted rules and returns the state.
func (c *closure) close() StateID {
	for len(c.found.calls) > c.base.calls {
		id, ks := c.found.take(c.base.calls)
		k, r := c.unite(ks), c.p.rules.At(id)
		if r.lazy != nil && c.p.expand(id) != nil {
			panic(budgetSpent{}) // its error has been kept, see Program.expand
		}
		for i := range r.count {
			c.run(*c.p.starts.At(r.alternatives + i), k, false)
		}
	}
	return c.finish()
}

// then returns the node that goes on at d and after that with k. A call in tail position needs no frame of its own:
// without this, right recursion makes new nodes at each step.
func (st *stacks) then(d dot, k nodeID) nodeID {
	switch in := st.p.code.At(uint32(d)); in.op {
	case opEnd:
		return k
	case opRepeat:
		// X* before its first round continues as it does after one, so both have the same frame.
		if r := st.p.repeats.At(in.arg); r.max == terminal.Unbounded && r.min == 0 && !in.nonEmpty {
			return st.node(frame{r.next, 1, st.then(in.rest, k)})
		}
	}
	return st.node(frame{dot: d, k: k})
}

// run visits the sequence at d above node k. consumed reports whether the rule of the sequence has read a byte. If not,
// run does not complete the rule, because sequences that call a nullable rule skip it.
func (c *closure) run(d dot, k nodeID, consumed bool) {
	for {
		in := *c.p.code.At(uint32(d))
		skip := false
		switch in.op {
		case opEnd:
			if consumed {
				c.merge(c.startOf(k))
			}
			return
		case opAccept:
			c.accept = true
			return
		case opCut:
			c.addEndsOf(in.arg, k)
			skip = true
		case opEnds:
			c.addEndsOf(in.arg, k)
			return
		case opTerminal:
			e := terminal.Expr(in.arg)
			c.item(e, c.then(in.rest, k))
			skip = c.st.View().Nullable(e)
		case opCall:
			r := c.p.rules.At(in.arg)
			c.predict(in.arg, c.enterScope(r.scope, c.then(in.rest, k)))
			skip = r.nullable
		case opRepeat:
			r := c.p.repeats.At(in.arg)
			if r.max > 0 {
				c.run(r.body, c.node(frame{r.next, 1, c.then(in.rest, k)}), false)
			}
			skip = r.min == 0
		case opObject:
			o := c.p.objects.At(in.arg)
			members := c.node(frame{dot: o.first, reg: c.p.register(o, o.none()), k: c.then(in.rest, k)})
			c.item(o.open, members)
			if c.st.View().Nullable(o.open) {
				c.merge(c.startOf(members))
			}
		case opBoolean:
			c.enterBoolean(c.p.booleans.At(in.arg), c.then(in.rest, k))
		case opSwitch:
			w := c.p.switches.At(in.arg)
			c.enterSwitch(w, c.then(in.rest, k))
			skip = w.nullable
		}
		if !skip || in.nonEmpty {
			return
		}
		d = in.rest
	}
}

func (c *closure) enterSwitch(w *switchNode, after nodeID) {
	c.item(w.on, c.node(frame{dot: w.tag, k: after}))
	if c.st.View().Nullable(w.on) {
		tags, _ := c.st.View().Tags(w.on, nil)
		for _, t := range tags {
			if then, ok := w.find(t); ok {
				c.run(then, after, false)
			}
		}
	}
}

// enterBoolean adds the item of a boolean node, followed by after.
func (c *closure) enterBoolean(n *boolean, after nodeID) {
	b := Boolean{Is: n.is, Left: c.side(n.left)}
	if n.is == grammar.Distinct {
		if c.values == nil {
			c.values = distinct.New()
		}
		b.Items = distinct.Start
	} else {
		b.Right = c.side(n.right)
	}
	c.addBoolean(b, after)
}

func (a *Automaton) side(d dot) StateID {
	s := a.startOf(a.node(frame{dot: d, k: a.root}))
	if s == Over {
		panic(budgetSpent{})
	}
	return s
}

// resume continues with frame f after the text above it is complete.
func (c *closure) resume(f frame) {
	in := *c.p.code.At(uint32(f.dot))
	switch in.op {
	case opRepeatNext:
		r := c.p.repeats.At(in.arg)
		done := c.p.spanOf(f.reg)
		if done.high >= r.min {
			c.merge(c.startOf(f.k))
		}
		if done.low < r.max {
			c.run(r.body, c.node(frame{f.dot, c.p.spanRegister(r.oneMore(done)), f.k}), false)
		}
	case opObjectFirst:
		o := c.p.objects.At(in.arg)
		c.objectMembers(o, f, o.quote)
		if c.st.View().Nullable(o.quote) {
			c.objectKeys(o, f)
		}
	case opObjectNext:
		o := c.p.objects.At(in.arg)
		c.objectMembers(o, f, o.commaQuote)
	case opObjectKey:
		c.objectKeys(c.p.objects.At(in.arg), f)
	case opLeave:
		if s := c.p.rules.At(in.arg).scope; s.Behind != 0 || c.p.isFull(f) {
			c.run(s.ends, c.node(f), true)
		}
		c.merge(c.startOf(f.k))
	case opObjectTag, opSwitchTag: // their terminal ended without a tag
	default:
		c.run(f.dot, f.k, true)
	}
}

// objectMembers adds intro, which begins another member, and the closing bracket. If the bracket may be empty, it also
// adds the items after the object.
func (c *closure) objectMembers(o *object, f frame, intro terminal.Expr) {
	m := c.p.members(o, f.reg)
	if o.extrasAllowed(m) || o.declaredLeft(m) {
		c.item(intro, c.node(frame{o.key, f.reg, f.k}))
	}
	if m.owed > 0 || o.counts && m.members < o.minMembers {
		return
	}
	c.item(o.close, f.k)
	if c.st.View().Nullable(o.close) {
		c.merge(c.startOf(f.k))
	}
}

// objectKeys adds the keys after an opening quote.
func (c *closure) objectKeys(o *object, f frame) {
	m := c.p.members(o, f.reg)
	if o.declaredLeft(m) {
		c.item(o.keys, c.node(frame{o.tag, f.reg, f.k}))
	}
	if !o.extrasAllowed(m) {
		return
	}
	next := c.node(frame{o.next, c.p.register(o, o.afterExtra(m)), f.k})
	for _, e := range o.extras {
		c.item(e.key, c.node(frame{dot: e.value, k: next}))
	}
}
