package pushdown

import (
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// A closure finds everything that may come next at a stack node. What it finds is on the Automaton's stacks. It visits
// the node's frames; each either waits for a terminal, which becomes an item, or for a rule, which is predicted once
// with the union of all that waits for it, rules that may begin with others first.

// startOf returns the state of what may come after node k, within a unit of work.
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
	base, first := a.found.level(), len(a.pending.calls)
	accept := false
	for i := uint32(0); i < r.n; i++ {
		f := *a.frames.At(r.frames + i)
		accept = a.resume(f, first) || accept
	}
	s := a.close(base, first, accept)
	r.part = a.leave(startPart, own, under)
	a.unit.depth--
	r.setStart(s, effortOf(a.parts.At(uint32(r.part)).most))
	return s
}

// start is startOf as a unit of work of its own. That it takes too much is kept too: it is so whatever has been found
// before.
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

// startTagged returns the state of what may come after node k when its terminal ended in tag, as a unit of work.
func (a *Automaton) startTagged(k nodeID, tag uint32) StateID {
	key := taggedKey{k, tag}
	if t, ok := a.tagged[key]; ok {
		return t.state
	}
	var t tagStart
	t.state = a.budgeted(func() StateID {
		under := len(a.under)
		s := a.startTag(k, tag)
		t.part = a.newPart(stepPart, under)
		return s
	})
	a.tagged[key] = t
	return t.state
}

func (a *Automaton) startTag(k nodeID, tag uint32) StateID {
	base, first := a.found.level(), len(a.pending.calls)
	accept := false
	r := a.nodes.At(uint32(k))
	for i := uint32(0); i < r.n; i++ {
		f := *a.frames.At(r.frames + i)
		switch in := a.p.code.At(uint32(f.dot)); in.op {
		case opObjectTag:
			o := a.p.objects.At(in.arg)
			if m, j := a.p.members(o, f.reg), o.property(tag); a.p.mayTake(o, m, j) {
				next := a.node(frame{o.next, a.p.afterKey(o, m, j), f.k})
				accept = a.run(o.values[j], next, true, first) || accept
			}
		case opSwitchTag:
			w := a.p.switches.At(in.arg)
			if then, ok := w.find(tag); ok {
				accept = a.run(then, f.k, true, first) || accept
			}
		}
	}
	return a.close(base, first, accept)
}

// close predicts what is pending and interns the state of what has been found since base.
func (a *Automaton) close(base level, first int, accept bool) StateID {
	for len(a.pending.calls) > first {
		id, ks := a.pending.take(first)
		k, r := a.unite(ks), a.p.rules.At(id)
		if r.lazy != nil && a.p.expand(id) != nil {
			panic(budgetSpent{})
		}
		for i := range r.count {
			accept = a.run(*a.p.starts.At(r.alternatives + i), k, false, first) || accept
		}
	}
	return a.finish(base, accept)
}

// predict asks for rule id with continuation k.
func (a *Automaton) predict(id uint32, k nodeID, first int) {
	a.spend(1)
	a.pending.add(prediction{rank: a.p.rules.At(id).rank, rule: id, k: k}, first)
}

// merge adds what state s is in the middle of to the closure.
func (a *Automaton) merge(s StateID) bool {
	if s == Over {
		panic(budgetSpent{})
	}
	a.spend(a.Width(s) + 1)
	a.addState(s)
	a.addEnds(a.states.At(uint32(s)).ends)
	return a.Accepts(s)
}

func (a *Automaton) item(e terminal.Expr, k nodeID) {
	if a.st.GoesOn(e) {
		a.spend(1)
		a.found.items = append(a.found.items, Item{Terminal: e, After: k})
	}
}

// then returns the node that goes on at d and after that with k. A call in tail position needs no frame of its own:
// without this, right recursion would make new nodes at every step.
func (a *Automaton) then(d dot, k nodeID) nodeID {
	switch in := a.p.code.At(uint32(d)); in.op {
	case opEnd:
		return k
	case opRepeat:
		// A loop to come is the loop after a round of it.
		if r := a.p.repeats.At(in.arg); r.max == terminal.Unbounded && r.min == 0 && !in.nonEmpty {
			return a.node(frame{r.next, 1, a.then(in.rest, k)})
		}
	}
	return a.node(frame{dot: d, k: k})
}

// run visits the sequence at d with continuation k. consumed tells whether anything has been read since the sequence's
// rule was predicted: a rule that matches nothing is skipped by its caller, not completed here.
func (a *Automaton) run(d dot, k nodeID, consumed bool, first int) (accept bool) {
	for {
		in := *a.p.code.At(uint32(d))
		skip := false
		switch in.op {
		case opEnd:
			if consumed {
				return a.merge(a.startOf(k)) || accept
			}
			return accept
		case opAccept:
			return true
		case opCut:
			a.addEndsOf(in.arg, k)
			skip = true
		case opEnds:
			a.addEndsOf(in.arg, k)
			return accept
		case opTerminal:
			e := terminal.Expr(in.arg)
			a.item(e, a.then(in.rest, k))
			skip = a.st.View().Nullable(e)
		case opCall:
			r := a.p.rules.At(in.arg)
			a.predict(in.arg, a.enterScope(r.scope, a.then(in.rest, k)), first)
			skip = r.nullable
		case opRepeat:
			r := a.p.repeats.At(in.arg)
			if r.max > 0 {
				after := a.then(in.rest, k)
				accept = a.run(r.body, a.node(frame{r.next, 1, after}), false, first) || accept
			}
			skip = r.nullable
		case opObject:
			o := a.p.objects.At(in.arg)
			members := a.node(frame{dot: o.first, reg: a.p.startRegister(o), k: a.then(in.rest, k)})
			a.item(o.open, members)
			if a.st.View().Nullable(o.open) {
				accept = a.merge(a.startOf(members)) || accept
			}
		case opBoolean:
			a.enterBoolean(a.p.booleans.At(in.arg), a.then(in.rest, k))
		case opSwitch:
			accept = a.enterSwitch(in.arg, a.then(in.rest, k), first) || accept
			skip = a.p.switches.At(in.arg).nullable
		}
		if !skip || in.nonEmpty {
			return accept
		}
		d = in.rest
	}
}

func (a *Automaton) enterSwitch(id uint32, after nodeID, first int) (accept bool) {
	w := a.p.switches.At(id)
	a.item(w.on, a.node(frame{dot: w.tag, k: after}))
	if a.st.View().Nullable(w.on) {
		tags, _ := a.st.View().Tags(w.on, nil)
		for _, t := range tags {
			if then, ok := w.find(t); ok {
				accept = a.run(then, after, false, first) || accept
			}
		}
	}
	return accept
}

// resume goes on with frame f, above which everything is complete.
func (a *Automaton) resume(f frame, first int) (accept bool) {
	in := *a.p.code.At(uint32(f.dot))
	switch in.op {
	case opRepeatNext:
		r := a.p.repeats.At(in.arg)
		done := a.p.spanOf(f.reg)
		if done.high >= r.min || r.nullable {
			accept = a.merge(a.startOf(f.k))
		}
		if done.low < r.max {
			next := a.p.spanRegister(r.oneMore(done))
			accept = a.run(r.body, a.node(frame{f.dot, next, f.k}), false, first) || accept
		}
		return accept
	case opObjectFirst:
		o := a.p.objects.At(in.arg)
		accept = a.objectMembers(o, f, o.quote)
		if a.st.View().Nullable(o.quote) {
			a.objectKeys(o, f)
		}
		return accept
	case opObjectNext:
		o := a.p.objects.At(in.arg)
		return a.objectMembers(o, f, o.commaQuote)
	case opObjectKey:
		a.objectKeys(a.p.objects.At(in.arg), f)
		return false
	case opLeave:
		if s := a.p.rules.At(in.arg).scope; s.Behind != 0 || a.p.isFull(f) {
			a.run(s.ends, a.node(f), true, first)
		}
		return a.merge(a.startOf(f.k))
	case opObjectTag, opSwitchTag:
		return false // these wait for a tag, and their terminal ended without one
	}
	return a.run(f.dot, f.k, true, first)
}
