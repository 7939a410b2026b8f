package mask

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/arena"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/tokenset"
)

// stateMeter counts the work of a computation on states of an automaton, as if no result were known before. It counts
// each transition, each completion and each part of them once. It caches the states that the computation has combined.
type stateMeter struct {
	*tokenset.Scratch

	states arena.Set // automaton states whose items have been counted
	steps  arena.Set // transitions of automaton states
	nodes  arena.Set // stack nodes whose completion has been counted
	parts  arena.Set // parts of the work on transitions that have been counted

	crossing map[crossingPart]struct{}   // parts of the escapes of classes that have been counted
	paid     []paidEscapes               // those that this mask itself uses, as meter.Paid
	tagged   map[tagged]pushdown.StateID // the states behind terminals that end with tags
	joints   map[joint]pushdown.StateID  // results of joined

	sides  []*record            // that this mask is put together from
	sided  map[*record]struct{} // those that have been counted, and the sides of sides
	others int                  // their cost
}

// tagged is the end of a terminal that ends with tags, above a stack node.
type tagged struct {
	e terminal.Expr
	k pushdown.NodeID
}

// joint is a state and one item more.
type joint struct {
	s  pushdown.StateID
	it pushdown.Item
}

// escapes returns a part of the escapes of a class, and counts finding them, once.
func (e *Engine) escapes(c *tokenset.Class, within bool, w *stateMeter) *tokenset.Escapes {
	x := e.EscapesOf(c, within)
	paid := paidEscapes{crossingPart{c, within}, x.Cost}
	if w.cross(paid) > 0 && w.Shares {
		w.paid = append(w.paid, paid)
	}
	return x
}

// cross counts a part of the escapes of a class, and returns the cost: 0 if it was counted before.
func (w *stateMeter) cross(x paidEscapes) int {
	if _, counted := w.crossing[x.part]; counted {
		return 0
	}
	if w.crossing == nil {
		w.crossing = map[crossingPart]struct{}{}
	}
	w.crossing[x.part] = struct{}{}
	w.Charge(x.cost)
	return x.cost
}

// partsOf divides the cost of a mask into its parts.
func (w *stateMeter) partsOf(cost int) *parts {
	p := &parts{cost - w.others, slices.Clone(w.sides), slices.Clone(w.Paid), slices.Clone(w.paid), slices.Clone(w.Terms)}
	for _, x := range p.classes {
		p.own -= x.Cost
	}
	for _, x := range p.escapes {
		p.own -= x.cost
	}
	for _, x := range p.terms {
		p.own -= tokenset.TermCost(w.Store, x)
	}
	return p
}

// mapKept is how many entries of a map a scratch keeps room for. Clearing a map takes time in proportion to its room:
// one heavy mask must not slow all that come after it.
const mapKept = 256

// emptied returns m without its entries, nil if it has many.
func emptied[K comparable, V any](m map[K]V) map[K]V {
	if len(m) > mapKept {
		return nil
	}
	clear(m)
	return m
}

// start begins a computation with a budget.
func (w *stateMeter) start(limit int) {
	w.Scratch.Start(limit)
	for _, set := range []*arena.Set{&w.states, &w.steps, &w.nodes, &w.parts} {
		set.Clear()
	}
	w.sides, w.paid, w.others = w.sides[:0], w.paid[:0], 0
	w.tagged, w.joints = emptied(w.tagged), emptied(w.joints)
}

// side notes that the mask uses side r, and counts r's cost. Boolean nodes nest, so a record that several sides use
// counts once.
func (w *stateMeter) side(r *record) {
	w.sides = append(w.sides, r)
	w.countSide(r)
	w.Over = w.Over || r.over
	w.Spent()
}

func (w *stateMeter) countSide(r *record) {
	if _, counted := w.sided[r]; counted {
		return
	}
	if w.sided == nil {
		w.sided = map[*record]struct{}{}
	}
	w.sided[r] = struct{}{}
	own := r.cost
	if r.parts != nil {
		own = r.parts.own
		for _, x := range r.parts.sides { // as deep as boolean nodes nest, which is limited
			w.countSide(x)
		}
		for _, x := range r.parts.classes {
			w.others += w.Share(x)
		}
		for _, x := range r.parts.escapes {
			w.others += w.cross(x)
		}
		for _, x := range r.parts.terms {
			w.others += w.ShareTerm(w.Store, x)
		}
	}
	w.Charge(own)
	w.others += own
}

// state counts the transitions of the terminals in state s, and in the sides of its boolean nodes.
func (w *stateMeter) state(a *pushdown.Automaton, s pushdown.StateID) {
	if !w.states.Add(uint64(s)) {
		return
	}
	w.Cost += limits.StepCost * a.Width(s)
	st := a.Program().Store()
	for _, it := range a.Items(s) {
		if w.Spent() {
			return
		}
		w.Term(st, it.Terminal)
	}
	for _, it := range a.BooleanItems(s) {
		if w.Spent() {
			return
		}
		b := a.Boolean(it)
		w.state(a, b.Left)
		w.state(a, b.Right)
	}
}

// step counts the transition of automaton state s by byte b to state t. It reports false if t is beyond a budget.
func (w *stateMeter) step(a *pushdown.Automaton, s pushdown.StateID, b byte, t pushdown.StateID) bool {
	if w.steps.Add(uint64(s)<<8 | uint64(b)) {
		w.state(a, s)
		w.Cost += a.Charge(s, b, t, w.parts.Add)
	}
	return w.reached(t)
}

// afterEnd returns the state behind terminal state e, which is complete and may be tagged, above node k. It returns
// false if that is beyond a budget.
//
// PERF: text that may end with a tag after every character has few such states; combining them anew took 40 % of a
// walk.
func (w *stateMeter) afterEnd(
	a *pushdown.Automaton, e terminal.Expr, isTagged bool, k pushdown.NodeID,
) (s pushdown.StateID, ok bool) {
	if !isTagged {
		s = a.After(k)
		return s, w.complete(a, k, s)
	}
	end := tagged{e, k}
	if s, ok = w.tagged[end]; !ok {
		if w.tagged == nil {
			w.tagged = map[tagged]pushdown.StateID{}
		}
		s = a.Complete(e, k)
		w.tagged[end] = s
	}
	return s, w.complete(a, k, s)
}

// joined returns the state with the items of s and item it. It counts combining them once.
//
// PERF: a walk needs a handful of them, 130,000 times. Each time took a microsecond or more.
func (w *stateMeter) joined(a *pushdown.Automaton, s pushdown.StateID, it pushdown.Item) pushdown.StateID {
	key := joint{s, it}
	t, ok := w.joints[key]
	if !ok {
		if w.joints == nil {
			w.joints = map[joint]pushdown.StateID{}
		}
		var cost int
		t, cost = a.WithItem(s, it, w.parts.Add)
		w.joints[key] = t
		w.Charge(limits.StepCost*(1+a.Width(s)) + cost)
	}
	return t
}

// united returns the union of states s and t, and counts finding it.
func (w *stateMeter) united(a *pushdown.Automaton, s, t pushdown.StateID) pushdown.StateID {
	u, cost := a.UnionCost(s, t, w.parts.Add)
	w.Charge(limits.StepCost*(1+a.Width(u)) + cost)
	return u
}

// complete counts finding s, the state behind stack node k. It returns false if s is beyond a budget.
func (w *stateMeter) complete(a *pushdown.Automaton, k pushdown.NodeID, s pushdown.StateID) bool {
	if w.nodes.Add(uint64(k)) {
		w.Cost += limits.StepCost*(1+a.Width(s)) + a.ChargeAfter(k, w.parts.Add)
	}
	return w.reached(s)
}

// reached reports whether s is a state. If it is Over, the computation ends.
func (w *stateMeter) reached(s pushdown.StateID) bool {
	w.Over = w.Over || s == pushdown.Over
	return !w.Over
}

// alive returns the bytes that go on from state s. They need the transitions of all terminals in s, which it counts
// first. It returns nil if the budget is spent.
func (w *stateMeter) alive(a *pushdown.Automaton, s pushdown.StateID) *terminal.ByteSet {
	if w.state(a, s); w.Spent() {
		return nil
	}
	return a.Alive(s)
}
