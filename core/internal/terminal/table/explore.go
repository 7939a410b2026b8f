package table

import (
	"sync"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/analysis"
)

// Anything returns all texts.
var Anything = sync.OnceValue(func() *Table {
	bytes := ofRows([]row{nil, {{255, start}}}, []bool{false, true})
	st := terminal.NewStore()
	t, _ := bytes.And(st, st.Star(st.AnyRune(terminal.UTF8)), false)
	return t
})

// And returns the texts of t that e matches, or, if exclude is set, does not match. The strings of e consist of whole
// code points of UTF-8. ok is false if the result exceeds limits.TableStates, or the search limits.TableWork.
func (t *Table) And(st *terminal.Store, e terminal.Expr, exclude bool) (_ *Table, ok bool) {
	return t.Within(st, e, exclude, limits.TableWork)
}

// Within is And with its own bound on the work.
func (t *Table) Within(st *terminal.Store, e terminal.Expr, exclude bool, work int) (_ *Table, ok bool) {
	e = st.And(e) // counters become states
	a := st.Lock()
	defer st.Unlock()
	tally := a.Count(work)
	defer tally.Close()
	x := explorer{
		t: t, a: a, exclude: exclude, runs: runs(&t.class, nil), derivatives: map[terminal.Expr][]derivative{},
		first: map[uint64]int{},
	}
	first := pair{start, e} // a state even if e is empty
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

// stateWork is the cost of a state in a compilation's budget, besides its expressions.
const stateWork = 60

// explorer finds the reachable pairs of a state of t and an expression.
type explorer struct {
	t       *Table
	a       *analysis.Analysis
	exclude bool
	runs    []uint8 // the last byte of each run of bytes in one class of t
	number  map[pair]uint32
	states  []pair

	derivatives map[terminal.Expr][]derivative

	// memory for derive
	sig   [256]uint64
	ends  []uint8
	first map[uint64]int
}

type pair struct {
	state uint32
	e     terminal.Expr
}

// reach returns the number of p, 0 if p is dead.
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

// derivative is an expression's derivative by a run of bytes with equal signatures.
type derivative struct {
	last  uint8 // byte of the run
	first int   // the first run with this derivative
	known bool
	e     terminal.Expr
}

// derive returns the runs of e, without their derivatives.
func (x *explorer) derive(e terminal.Expr) []derivative {
	if d, ok := x.derivatives[e]; ok {
		return d
	}
	clear(x.sig[:])
	clear(x.first)
	x.a.Sign(e, &x.sig)
	x.ends = runs(&x.sig, x.ends[:0])
	d := make([]derivative, 0, len(x.ends))
	for _, last := range x.ends {
		i, ok := x.first[x.sig[last]]
		if !ok {
			i = len(d)
			x.first[x.sig[last]] = i
		}
		d = append(d, derivative{last: last, first: i})
	}
	x.derivatives[e] = d
	return d
}

func (x *explorer) row(p pair) row {
	var r row
	d := x.derive(p.e)
	i, k := 0, 0
	var reached pair
	to := uint32(0)
	for i < len(x.runs) {
		last := min(x.runs[i], d[k].last)
		next := pair{state: x.t.to(p.state, last)}
		if next.state != 0 {
			f := &d[d[k].first]
			if !f.known {
				f.known, f.e = true, x.a.Derive(p.e, last)
			}
			next.e = f.e
		}
		if next != reached {
			reached, to = next, x.reach(next)
		}
		r = r.with(last, to)
		if x.runs[i] == last {
			i++
		}
		if d[k].last == last {
			k++
		}
	}
	return r
}
