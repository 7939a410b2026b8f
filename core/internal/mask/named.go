package mask

import (
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
)

// walkNamed appends to w.named the tokens that state s allows as tokens, and tokens that are not in the trie.
func (e *Engine) walkNamed(a *pushdown.Automaton, s pushdown.StateID, w *scratch) {
	w.named = w.named[:0]
	if !a.Names(s) {
		return
	}
	first := a.Step(s, terminal.TokenMark)
	w.step(a, s, terminal.TokenMark, first)
	count := e.Tokens().Count
	w.eachStep(a, first, func(s pushdown.StateID, hi uint32) {
		if hi<<16 >= count {
			return
		}
		w.eachStep(a, s, func(s pushdown.StateID, mid uint32) {
			if hi<<16|mid<<8 >= count {
				return
			}
			last, known := e.lastBytes(a, s, w)
			if !known {
				w.eachStep(a, s, func(_ pushdown.StateID, b uint32) { last.Add(byte(b)) })
			}
			for b := last.Next(0); b < 256; b = last.Next(b + 1) {
				if id := hi<<16 | mid<<8 | uint32(b); id < count {
					w.named = append(w.named, id)
				}
			}
		})
	})
	for _, m := range e.Tokens().Marked {
		if e.Tokens().IsSpec[m.ID] && !w.text {
			continue
		}
		t := s
		for _, b := range m.Text {
			from := t
			if t = a.Step(from, b); !w.step(a, from, b, t) || t <= pushdown.Over {
				break
			}
			w.Visited++
		}
		if t > pushdown.Over && !w.Spent() {
			w.named = append(w.named, m.ID)
		}
	}
}

// eachStep calls f with the states that one byte leads to from s, and that byte.
func (w *scratch) eachStep(a *pushdown.Automaton, s pushdown.StateID, f func(t pushdown.StateID, b uint32)) {
	if s <= pushdown.Over {
		return
	}
	alive := a.Alive(s)
	for b := alive.Next(0); b < 256 && !w.Spent(); b = alive.Next(b + 1) {
		t := a.Step(s, byte(b))
		w.Visited++
		if w.step(a, s, byte(b), t) && t > pushdown.Over {
			f(t, uint32(b))
		}
	}
}

// lastBytes returns the bytes that go on from s, without making the states after them: a grammar that names many tokens
// may have a state with expensive transitions behind each. It returns false if those states have to decide.
//
// A state goes on by a byte if and only if one of its items does. Transitions of a plain terminal leave out dead ends:
// the state behind one goes on, or is complete, and then the continuation of the item decides.
func (e *Engine) lastBytes(a *pushdown.Automaton, s pushdown.StateID, w *scratch) (bytes terminal.ByteSet, ok bool) {
	st := e.Store()
	w.state(a, s)
	if len(a.BooleanItems(s)) > 0 {
		return terminal.ByteSet{}, false
	}
	for _, it := range a.Items(s) {
		if st.View().Tagged(it.Terminal) {
			return terminal.ByteSet{}, false
		}
		to, plain := st.Transitions(it.Terminal)
		if !plain {
			return terminal.ByteSet{}, false
		}
		alive := st.Alive(it.Terminal)
		w.Visited += alive.Len()
		follows := false // it is known that something does
		for b := alive.Next(0); b < 256; b = alive.Next(b + 1) {
			t, known := to.To(byte(b))
			if !known || t == terminal.TooHard || w.Spent() {
				return terminal.ByteSet{}, false
			}
			if !follows && counters.Accepts(st, t, 0) {
				after := a.After(it.After)
				if !w.complete(a, it.After, after) || after == pushdown.Dead {
					return terminal.ByteSet{}, false
				}
				follows = true
			}
		}
		bytes.Union(alive)
	}
	return bytes, true
}
