package table

import (
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Work of building tables, in the unit of a compilation's budget, about 25 ns.
const (
	exploreWork = 40 // a transition that is derived, besides the parts that deriving it counts
	productWork = 4  // a transition of a product
)

// Of returns the table of e, whose strings are made of whole code points of UTF-8. ok is false if it would have more than limits.TableStates states, or take more than limits.TableWork.
func Of(st *terminal.Store, e terminal.Expr) (t *Table, ok bool) {
	e = st.And(e) // counters become states
	a := st.Lock()
	defer st.Unlock()
	derived := a.Count(limits.TableWork)
	defer derived.Close()
	states := []terminal.Expr{terminal.Empty, e}
	number := map[terminal.Expr]uint32{terminal.Empty: 0, e: start}
	rows := [][256]uint32{{}}
	edges := 0
	for i := start; i < len(states); i++ {
		if len(states) > limits.TableStates || a.Spent() {
			return nil, false
		}
		var sig [256]uint64
		a.Sign(states[i], &sig)
		known := map[uint64]uint32{}
		rows = append(rows, [256]uint32{})
		row := &rows[i]
		for b := range 256 {
			if b > 0 && sig[b] == sig[b-1] {
				row[b] = row[b-1]
				continue
			}
			to, ok := known[sig[b]]
			if !ok {
				edges++
				x := a.Derive(states[i], byte(b))
				if to, ok = number[x]; !ok {
					to = uint32(len(states))
					number[x] = to
					states = append(states, x)
				}
				known[sig[b]] = to
			}
			row[b] = to
		}
	}
	final := make([]bool, len(states))
	for i, x := range states {
		final[i] = a.Nullable(x)
	}
	t = ofRows(rows, final)
	t.Work = exploreWork*edges + derived.Parts()
	return t, true
}

// ofRows returns the table of a list of rows: bytes that lead to the same states from all are one class.
func ofRows(rows [][256]uint32, final []bool) *Table {
	t := &Table{final: final, classes: 2}
	for b := range t.class {
		if isContinuation(byte(b)) {
			t.class[b] = 1
		}
	}
	for i := range rows {
		t.split(&rows[i])
	}
	t.next = make([]uint32, len(rows)*t.classes)
	for i := range rows {
		for b, c := range t.class {
			t.next[i*t.classes+int(c)] = rows[i][b]
		}
	}
	return t.finish()
}

// split divides the classes of bytes that a row tells apart.
func (t *Table) split(row *[256]uint32) {
	var first [256]int // by class: one more than the first byte of it
	same := true
	for b, c := range t.class {
		if first[c] == 0 {
			first[c] = b + 1
		} else if row[b] != row[first[c]-1] {
			same = false
			break
		}
	}
	if same {
		return
	}
	type part struct {
		class uint8
		to    uint32
	}
	parts := map[part]uint8{}
	for b, c := range t.class {
		p := part{c, row[b]}
		k, ok := parts[p]
		if !ok {
			k = uint8(len(parts))
			parts[p] = k
		}
		t.class[b] = k
	}
	t.classes = len(parts)
}
