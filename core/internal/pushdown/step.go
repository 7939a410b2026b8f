package pushdown

import "github.com/sluice-engine/sluice/core/internal/terminal"

// Step returns the state after byte b in state s: Dead if there is none, Over if a budget was spent. Lock-free when the
// transition has been taken before.
func (a *Automaton) Step(s StateID, b byte) StateID {
	if s <= Over {
		return s
	}
	key := transitionKey(s, b)
	if t, ok := a.taken.get(key); ok {
		return t
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if t, ok := a.taken.get(key); ok {
		return t
	}
	return a.take(s, b)
}

// StepKnown goes on from s along transitions that have been taken before. It returns the state after the first n bytes of
// text: all of them, those before a transition that nobody has taken yet, or those up to Dead or Over. It takes no lock.
func (a *Automaton) StepKnown(s StateID, text []byte) (t StateID, n int) {
	return a.taken.follow(s, text)
}

// take is Step under the lock, for a transition that is not there yet.
func (a *Automaton) take(s StateID, b byte) StateID {
	t := a.step(s, b)
	a.taken.put(transitionKey(s, b), t)
	a.made.Add(1)
	return t
}

// Taken returns how many transitions have been taken for the first time, large nodes and states counting as several.
func (a *Automaton) Taken() int64 { return a.made.Load() }

// StepBytes returns the state after all of text.
func (a *Automaton) StepBytes(s StateID, text []byte) StateID {
	for _, b := range text {
		if s = a.Step(s, b); s <= Over {
			return s
		}
	}
	return s
}

func (a *Automaton) step(s StateID, b byte) StateID {
	base := len(a.scratch)
	rec := a.states.At(uint32(s))
	accept, over, rows := false, false, 0
	for i := uint32(0); i < rec.n && !over; i++ {
		it := *a.items.At(rec.items + i)
		if it.IsBoolean() {
			ended, within := a.stepBoolean(it, b)
			accept, over = accept || ended, over || !within
			continue
		}
		e, c := a.st.Step(it.Terminal, it.Counter, b)
		if rows += a.st.RowCost(it.Terminal); rows > a.bounds.rows {
			over = true
		}
		if e == terminal.Empty {
			continue
		}
		if e == terminal.TooHard {
			over = true
			continue
		}
		tagged := a.st.Tagged(e)
		if tagged && !a.mayEnd(it.After, e) {
			continue
		}
		if !a.st.Alive(e).IsEmpty() {
			a.scratch = append(a.scratch, Item{e, c, it.After})
		}
		if !a.st.Accepts(e, c) {
			continue
		}
		t := a.complete(e, tagged, it.After)
		if t == Over {
			over = true
			continue
		}
		a.scratch = append(a.scratch, a.Items(t)...)
		accept, over = accept || a.Accepts(t), over || len(a.scratch)-base > a.bounds.work
	}
	if over {
		a.scratch = a.scratch[:base]
		return Over
	}
	if len(a.scratch) == base && !accept {
		return Dead
	}
	return a.budgeted(func() StateID { return a.finish(base, accept) })
}

// Complete returns the state of what follows terminal state e, which is complete, above node k.
func (a *Automaton) Complete(e terminal.Expr, k NodeID) StateID {
	tagged := a.st.Tagged(e)
	if !tagged {
		return a.After(k)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.complete(e, true, k)
}

// complete returns the state of what follows terminal state e, which is complete, above node k.
func (a *Automaton) complete(e terminal.Expr, tagged bool, k nodeID) StateID {
	if !tagged {
		if s := a.nodes.At(uint32(k)).start.Load(); s != 0 {
			return StateID(s - 1)
		}
		return a.start(k)
	}
	return a.budgeted(func() StateID {
		base := len(a.scratch)
		accept := false
		var buf [4]uint32
		tags, bare := a.st.Tags(e, buf[:0])
		for _, t := range tags {
			s := a.startTagged(k, t)
			accept = a.merge(s) || accept
		}
		if bare {
			accept = a.merge(a.startOf(k)) || accept
		}
		return a.finish(base, accept)
	})
}
