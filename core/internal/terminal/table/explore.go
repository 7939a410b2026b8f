package table

import (
	"sync"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/analysis"
)

// Anything returns all texts.
var Anything = sync.OnceValue(func() *Table {
	var all [256]uint32
	for b := range all {
		all[b] = start
	}
	bytes := ofRows([]row{nil, rowOf(&all)}, []bool{false, true})
	st := terminal.NewStore()
	t, _ := bytes.And(st, st.Star(st.AnyRune(terminal.UTF8)), false)
	return t
})

// And returns the texts of t that are in e, or, if exclude is set, those that are not. The strings of e are made of whole
// code points of UTF-8. ok is false if there would be more than limits.TableStates states, or if finding them would take
// more than limits.TableWork.
func (t *Table) And(st *terminal.Store, e terminal.Expr, exclude bool) (_ *Table, ok bool) {
	return t.Within(st, e, exclude, limits.TableWork)
}

// Within is And with a bound of its own on the work.
func (t *Table) Within(st *terminal.Store, e terminal.Expr, exclude bool, work int) (_ *Table, ok bool) {
	e = st.And(e) // counters become states
	a := st.Lock()
	defer st.Unlock()
	tally := a.Count(work)
	defer tally.Close()
	x := explorer{t: t, a: a, exclude: exclude, rows: map[terminal.Expr]*derivatives{}}
	first := pair{start, e} // is there even if e is empty
	x.number = map[pair]uint32{{}: 0, first: start}
	x.states = []pair{{}, first}
	table := []row{nil}
	for i := start; i < len(x.states); i++ {
		if len(x.states) > limits.TableStates || a.Spent() {
			return nil, false
		}
		table = append(table, x.row(x.states[i]))
		a.Work.Spend(stateWork)
	}
	final := make([]bool, len(x.states))
	for i, p := range x.states {
		final[i] = t.final[p.state] && a.Nullable(p.e) != exclude
	}
	return ofRows(table, final), true
}

// stateWork is what a state counts for in the budget of a compilation, besides the expressions that are made for it.
const stateWork = 60

// explorer finds the pairs of a state of t and an expression that bytes lead to from the first pair.
type explorer struct {
	t       *Table
	a       *analysis.Analysis
	exclude bool
	rows    map[terminal.Expr]*derivatives
	number  map[pair]uint32
	states  []pair
}

type pair struct {
	state uint32
	e     terminal.Expr
}

// derivatives are those of one expression that have been asked for. Bytes of one signature have the same.
type derivatives struct {
	sig   [256]uint64
	known map[uint64]terminal.Expr
}

func (x *explorer) reach(p pair) uint32 {
	if p.state == 0 || p.e == terminal.Empty && !x.exclude {
		return 0
	}
	n, ok := x.number[p]
	if !ok {
		n = uint32(len(x.states))
		x.number[p] = n
		x.states = append(x.states, p)
	}
	return n
}

// row returns the row of p: bytes that neither t nor the expression tells apart lead to one state.
func (x *explorer) row(p pair) row {
	var to [256]uint32
	d := x.rows[p.e]
	if d == nil {
		d = &derivatives{known: map[uint64]terminal.Expr{}}
		x.a.Sign(p.e, &d.sig)
		x.rows[p.e] = d
	}
	for b := range 256 {
		state := x.t.to(p.state, byte(b))
		switch {
		case state == 0:
			continue
		case b > 0 && d.sig[b] == d.sig[b-1] && state == x.t.to(p.state, byte(b-1)):
			to[b] = to[b-1]
			continue
		}
		e, ok := d.known[d.sig[b]]
		if !ok {
			e = x.a.Derive(p.e, byte(b))
			d.known[d.sig[b]] = e
		}
		to[b] = x.reach(pair{state, e})
	}
	return rowOf(&to)
}

// row is the transitions of a state, as runs of bytes that lead to one state, in order; nil: none leads anywhere.
type row []run

type run struct {
	last uint8 // byte of the run
	to   uint32
}

func rowOf(to *[256]uint32) row {
	var r row
	for b := range 256 {
		if b == 255 && to[b] == 0 && len(r) == 0 {
			return nil
		}
		if b == 255 || to[b] != to[b+1] {
			r = append(r, run{uint8(b), to[b]})
		}
	}
	return r
}

// all calls f with every byte and the state that it leads to.
func (r row) all(f func(b uint8, to uint32)) {
	b := 0
	for _, x := range r {
		for ; b <= int(x.last); b++ {
			f(uint8(b), x.to)
		}
	}
}

// ofRows returns the table of a list of rows: bytes that lead to the same states from all are one class.
func ofRows(rows []row, final []bool) *Table {
	t := &Table{final: final, classes: 2}
	for b := range t.class {
		if isContinuation(byte(b)) {
			t.class[b] = 1
		}
	}
	for _, r := range rows {
		t.split(r)
	}
	t.next = make([]uint32, len(rows)*t.classes)
	for i, r := range rows {
		r.all(func(b uint8, to uint32) { t.next[i*t.classes+int(t.class[b])] = to })
	}
	return t.finish()
}

// split divides the classes of bytes that a row tells apart.
func (t *Table) split(r row) {
	var first [256]uint32 // by class: one more than where the first byte of it leads to
	same := true
	r.all(func(b uint8, to uint32) {
		switch c := t.class[b]; first[c] {
		case 0:
			first[c] = to + 1
		case to + 1:
		default:
			same = false
		}
	})
	if same {
		return
	}
	type part struct {
		class uint8
		to    uint32
	}
	parts := map[part]uint8{}
	r.all(func(b uint8, to uint32) {
		p := part{t.class[b], to}
		k, ok := parts[p]
		if !ok {
			k = uint8(len(parts))
			parts[p] = k
		}
		t.class[b] = k
	})
	t.classes = len(parts)
}
