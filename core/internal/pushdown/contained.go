package pushdown

import "github.com/sluice-engine/sluice/core/internal/terminal"

// containedItems bounds the states whose items are compared with each other.
const containedItems = 32

// dropContained leaves out items whose terminal matches nothing that the terminal of another item does not match which the
// same comes after: of "in the middle of [a-z]+" and "before [a-z]+", the first says all. Items are sorted.
func (a *Automaton) dropContained(items []Item) []Item {
	if len(items) < 2 || len(items) > containedItems {
		return items
	}
	for i := 0; i < len(items); {
		if a.containedIn(items, i) {
			items = append(items[:i], items[i+1:]...)
		} else {
			i++
		}
	}
	return items
}

func (a *Automaton) containedIn(items []Item, i int) bool {
	y := &items[i]
	if y.IsBoolean() {
		return false
	}
	var alive *terminal.ByteSet
	for j := range items {
		x := &items[j]
		if j == i || x.After != y.After || x.Counter != 0 || y.Counter != 0 || x.IsBoolean() {
			continue
		}
		if alive == nil {
			alive = a.st.Alive(y.Terminal)
		}
		if a.st.Alive(x.Terminal).Contains(alive) && a.st.Contains(x.Terminal, y.Terminal) {
			return true
		}
	}
	return false
}
