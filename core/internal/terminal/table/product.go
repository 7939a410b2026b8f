package table

import "github.com/sluice-engine/sluice/core/internal/limits"

// Both returns the texts that are in x and y.
func Both(x, y *Table) (*Table, bool) { return product(x, y, false) }

// Without returns the texts of x that are not in y.
func Without(x, y *Table) (*Table, bool) { return product(x, y, true) }

// product explores the pairs of states of x and y. A pair goes on as long as x does and, unless y is excluded, y does.
// ok is false if there are more than limits.TableStates pairs.
func product(x, y *Table, exclude bool) (t *Table, ok bool) {
	t = &Table{}
	type classPair struct{ x, y uint8 }
	var pairs []classPair
	for b := range t.class {
		p := classPair{x.class[b], y.class[b]}
		k := 0
		for k < len(pairs) && pairs[k] != p {
			k++
		}
		if k == len(pairs) {
			pairs = append(pairs, p)
		}
		t.class[b] = uint8(k)
	}
	t.classes = len(pairs)
	type pair struct{ x, y uint32 }
	states := []pair{{}, {start, start}}
	number := map[pair]uint32{{start, start}: start}
	t.next = make([]uint32, t.classes)
	edges := 0
	for i := start; i < len(states); i++ {
		if len(states) > limits.TableStates {
			return nil, false
		}
		at := states[i]
		xs, ys := x.next[int(at.x)*x.classes:], y.next[int(at.y)*y.classes:]
		for _, c := range pairs {
			to := pair{xs[c.x], ys[c.y]}
			if to.x == 0 || to.y == 0 && !exclude {
				t.next = append(t.next, 0)
				continue
			}
			edges++
			n, ok := number[to]
			if !ok {
				n = uint32(len(states))
				number[to] = n
				states = append(states, to)
			}
			t.next = append(t.next, n)
		}
	}
	t.final = make([]bool, len(states))
	for i, p := range states[start:] {
		t.final[i+start] = x.final[p.x] && y.final[p.y] != exclude
	}
	t.Work = productWork * edges
	return t.finish(), true
}
