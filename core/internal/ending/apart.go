package ending

import (
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Without its comparisons, an array of distinct items ends in the same bytes, unless its shortest text repeats an
// earlier item (Lemma 228). So the state without comparisons answers, and the items are compared with one text.

// withoutComparisons replaces each node of state s that compares items by its left side. levels is how deep such nodes
// nest at the present place.
func (f *Finder) withoutComparisons(s pushdown.StateID) (t pushdown.StateID, levels int) {
	if compares, _ := f.shortest.Compares(); !compares {
		return s, 0
	}
	for nodes := f.a.BooleanItems(s); len(nodes) > 0; nodes = f.a.BooleanItems(s) { // they nest
		t, cost := f.a.Unfold(f.a.Items(s), nodes, pushdown.LeftSide, false, f.account.paid.Add)
		f.pay(cost)
		s, levels = t, levels+1
	}
	return s, levels
}

// apart reports whether state s compares items, and the shortest text that follows without comparisons ends no copy.
func (f *Finder) apart(s pushdown.StateID) bool {
	plain, levels := f.withoutComparisons(s)
	if levels == 0 || plain <= pushdown.Over {
		return false
	}
	text := f.shortestText(plain)
	ok, nodes := text != nil, f.a.BooleanItems(s)
	for ok && len(nodes) > 0 {
		var inner []pushdown.BooleanItem
		for _, it := range nodes {
			t := f.a.TryItems(it)
			f.pay(t.Size() + len(text))
			if ok, _ := t.Text(text); !ok {
				return false
			}
			inner = append(inner, f.a.BooleanItems(f.a.Boolean(it).Left)...)
		}
		nodes = inner
	}
	return ok
}

// shortestText returns a shortest text that completes state s, along the first of the next bytes; nil if none of at most
// directBytes bytes is known.
func (f *Finder) shortestText(s pushdown.StateID) []byte {
	if !f.knows(factText, s) {
		f.learn(factText, s, func() { f.texts[s] = f.findText(s) })
		f.masks.Hold(len(f.texts[s]))
	}
	return f.texts[s]
}

func (f *Finder) findText(s pushdown.StateID) []byte {
	text := []byte{}
	if f.toEndBytes(s) > directBytes {
		return nil
	}
	for !f.a.Accepts(s) {
		list := f.nextOf(s)
		if len(list) > 0 && list[0].b == terminal.TokenMark {
			list = list[1:]
		}
		if len(list) == 0 {
			return nil
		}
		s, text = list[0].state, append(text, list[0].b)
	}
	return text
}

// alike is how many bytes are followed from a state that compares items if they lead to one state without comparisons.
const alike = 8

// eachApart is eachByte for a state that compares items. It visits the bytes that shortest texts from plain, the state
// without comparisons, go on with. If each of them ends a copy of an earlier item, it visits others.
func (f *Finder) eachApart(s, plain pushdown.StateID, visit func(b byte, t pushdown.StateID)) {
	list, some := f.nextOf(plain), false
	for _, x := range list {
		if t := f.step(s, x.b); t > pushdown.Over {
			some = true
			visit(x.b, t)
		}
	}
	if some {
		return
	}
	alive, counts := f.a.Alive(s), map[pushdown.StateID]int{}
	for b := alive.Next(0); b < 256; b = alive.Next(b + 1) {
		if t := f.step(plain, byte(b)); counts[t] < alike {
			counts[t]++
			if t = f.step(s, byte(b)); t > pushdown.Over {
				visit(byte(b), t)
			}
		}
	}
}
