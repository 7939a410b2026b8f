package mask

import (
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// walkNamed sets w.named to the tokens that the grammar allows by id in state s, and the allowed tokens whose text is
// not in the trie.
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
			w.eachStep(a, s, func(_ pushdown.StateID, b uint32) {
				if id := hi<<16 | mid<<8 | b; id < count {
					w.named = append(w.named, id)
				}
			})
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
