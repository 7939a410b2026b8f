package pushdown

import (
	"cmp"
	"math"
	"slices"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/shortest"
)

// Shortest finds how few bytes complete states of one automaton. The distance of a state is the least distance of its
// items. An item's distance is the sum for its terminal and its stack node. A node's distance is the least over its
// frames of the sum for the frame and the node below. So stacks need no search, however deep the output nests. A
// distance is a bound, and not exact, if a boolean node joins languages or compares items, or if a rule or terminal
// takes too much. Then the caller has to search, led by it.
//
// One goroutine at a time.
type Shortest struct {
	a              *Automaton
	ends           *shortest.Finder
	starts         map[terminal.Expr]shortest.Ends // of the terminals that the program names
	left           int                             // cost that is left for starts
	cuts           bool
	compares, hard bool // see Compares
	found          map[node]Distance
	nodes          map[nodeID]Distance
	sides          map[StateID]sideDistance
	tags           map[taggedKey]Distance
	owes           map[owing]Distance
}

// owing is an object and its members so far.
type owing struct {
	o *object
	m pair
}

// itemCost is the cost of the distance of an item whose parts are known.
const itemCost = 4

// Distance is a number of bytes to an end.
type Distance = shortest.Distance

// sideDistance is a bound for a side of a boolean node, and its cost.
type sideDistance struct {
	d    Distance
	cost int
}

// NewShortest returns a finder for a's states.
func NewShortest(a *Automaton) *Shortest {
	return &Shortest{a: a, ends: shortest.New(a.st)}
}

// Of returns how few bytes complete state s. It adds the cost of this to *cost, as if nothing were known about the
// state. States may share the keys of objects, and sides of boolean nodes. Of does not add the costs of such terminals
// and sides, but calls pay with each and its name.
func (x *Shortest) Of(s StateID, cost *int, pay func(name Counted, cost int)) Distance {
	switch {
	case s == Dead:
		return shortest.None
	case s == Over:
		return Distance{}
	case x.a.Accepts(s):
		return Distance{Exact: true}
	}
	x.read()
	d := shortest.None
	for _, it := range x.a.Items(s) {
		d = d.Or(x.item(it, cost, pay))
	}
	for _, it := range x.a.BooleanItems(s) {
		d = d.Or(x.boolean(it, pay))
	}
	return d
}

// all is Of with the whole cost.
func (x *Shortest) all(s StateID, cost *int) Distance {
	return x.Of(s, cost, func(_ Counted, n int) {
		*cost = min(*cost+n, math.MaxInt32) // a shared side counts at each use, so the sum may be exponential
	})
}

// AtLeast returns a number of bytes that every completion of state s takes. It searches nothing but terminals and
// the sides of boolean nodes.
func (x *Shortest) AtLeast(s StateID) uint32 {
	if s <= Over || x.a.Accepts(s) || len(x.a.BooleanItems(s)) > 0 {
		var cost int
		return x.all(s, &cost).Bytes
	}
	x.read()
	least := uint32(shortest.Never)
	for _, it := range x.a.Items(s) {
		d := Distance{Bytes: max(x.ends.AtLeast(it.Terminal, it.Counter).Bytes, 1)}
		if !x.a.st.View().Tagged(it.Terminal) {
			d = d.Plus(x.node(it.After))
		}
		least = min(least, d.Bytes)
	}
	return least
}

// Cuts reports whether some rule may end early between two tokens, without a byte that ends it. Then an output may be
// nearer to its end than Of and AtLeast say.
func (x *Shortest) Cuts() bool {
	x.read()
	return x.cuts
}

// Compares reports whether some node compares items with each other. States then hold the texts of the items, so nearly
// every token leads to a new state. hard says that not all boolean nodes of such a program
// have grammar.Boolean.Few set.
func (x *Shortest) Compares() (compares, hard bool) {
	x.read()
	return x.compares, x.compares && x.hard
}

// item returns how few bytes complete an item and its node. It counts at least one byte for the item's terminal. If the
// terminal is complete already, other items of the state stand for its end, or the grammar forbids an empty text.
func (x *Shortest) item(it Item, cost *int, pay func(name Counted, cost int)) Distance {
	ends, took := x.ends.Of(it.Terminal, it.Counter)
	*cost += itemCost
	if it.Counter == 0 && x.a.st.View().Tagged(it.Terminal) {
		pay(countedEnds+Counted(it.Terminal), took)
	} else {
		*cost += took
	}
	some := func(d Distance) Distance {
		if d.Bytes == 0 {
			return Distance{Bytes: 1}
		}
		return d
	}
	d := ends.Bare
	if d.Bytes != shortest.Never {
		d = some(d).Plus(x.node(it.After))
	}
	for _, t := range ends.Tags {
		d = d.Or(some(t.Distance).Plus(x.tagged(it.After, t.Tag)))
	}
	return d
}

// boolean returns a bound, never an exact distance: the other side, or earlier items of an array, may forbid the end.
func (x *Shortest) boolean(it BooleanItem, pay func(name Counted, cost int)) Distance {
	b := x.a.Boolean(it)
	d := x.within(b.Left, pay)
	if b.Is == grammar.Both {
		if r := x.within(b.Right, pay); r.Bytes > d.Bytes {
			d = r
		}
	}
	d.Exact = false
	return d.Plus(x.node(it.After))
}

// within returns a bound for a side, see boolean. A side that may end here counts with no bytes.
func (x *Shortest) within(side StateID, pay func(name Counted, cost int)) Distance {
	got, ok := x.sides[side]
	if !ok {
		got.d = x.all(side, &got.cost)
		got.d.Exact = false
		x.sides[side] = got
	}
	pay(countedBound+Counted(side), got.cost)
	return got.d
}

// node returns how few bytes complete node k after everything above it. Stacks can be as deep as the output nests, so
// there is no recursion.
func (x *Shortest) node(k nodeID) Distance {
	if d, ok := x.nodes[k]; ok {
		return d
	}
	for work := []nodeID{k}; len(work) > 0; {
		n, before := work[len(work)-1], len(work)
		for _, f := range x.a.framesOf(n) {
			if _, ok := x.nodes[f.k]; !ok && f.k != 0 {
				work = append(work, f.k)
			}
		}
		if len(work) > before {
			continue
		}
		work = work[:before-1]
		d := shortest.None
		for _, f := range x.a.framesOf(n) {
			d = d.Or(x.frame(f))
		}
		x.nodes[n] = d
	}
	return x.nodes[k]
}

// frame returns how few bytes complete frame f and the node below, whose distance is known.
func (x *Shortest) frame(f frame) Distance {
	in := x.a.p.code.At(uint32(f.dot))
	var d Distance
	switch in.op {
	case opAccept:
		return Distance{Exact: true}
	case opEnds, opObjectTag, opSwitchTag:
		return shortest.None // opEnds has no continuation, and the others wait for a tag
	case opLeave:
		d.Exact = true
	case opRepeatNext:
		r := x.a.p.repeats.At(in.arg)
		d = Distance{Exact: true}
		if done := x.a.p.spanOf(f.reg).high; done < r.min {
			d = x.sequence(r.body).Times(r.min - done)
		}
	case opObjectFirst, opObjectNext:
		o := x.a.p.objects.At(in.arg)
		m := x.a.p.members(o, f.reg)
		d = x.members(o, m, in.op, x.owed(o, m))
	case opObjectKey:
		o := x.a.p.objects.At(in.arg)
		d = x.key(o, x.a.p.members(o, f.reg))
	default:
		d = x.sequence(f.dot)
	}
	return d.Plus(x.nodes[f.k])
}

// tagged is node for a terminal that ended in a tag.
func (x *Shortest) tagged(k nodeID, tag uint32) Distance {
	key := taggedKey{k, tag}
	if d, ok := x.tags[key]; ok {
		return d
	}
	d := shortest.None
	for _, f := range x.a.framesOf(k) {
		switch in := x.a.p.code.At(uint32(f.dot)); in.op {
		case opObjectTag:
			o := x.a.p.objects.At(in.arg)
			if m, j := x.a.p.members(o, f.reg), o.property(tag); x.a.p.mayTake(o, m, j) {
				rest := x.members(o, x.a.p.afterKey(o, m, j), opObjectNext, x.owedAfter(o, m, j))
				d = d.Or(x.sequence(o.values[j]).Plus(rest).Plus(x.node(f.k)))
			}
		case opSwitchTag:
			if then, ok := x.a.p.switches.At(in.arg).find(tag); ok {
				d = d.Or(x.sequence(then).Plus(x.node(f.k)))
			}
		}
	}
	x.tags[key] = d
	return d
}

// start returns the distances of a terminal of the program, or bounds if earlier terminals have spent x.left.
func (x *Shortest) start(e terminal.Expr) shortest.Ends {
	if d, ok := x.starts[e]; ok {
		return d
	}
	d := shortest.Ends{}
	if x.left > 0 {
		var cost int
		d, cost = x.ends.Of(e, 0)
		x.left -= cost
	} else {
		d.Bare = Distance{Bytes: x.ends.AtLeast(e, 0).Bytes}
		for _, t := range x.a.st.ReachableTags(e) {
			d.Tags = append(d.Tags, shortest.Tagged{Tag: t, Distance: d.Bare})
		}
		slices.SortFunc(d.Tags, func(x, y shortest.Tagged) int { return int(x.Tag) - int(y.Tag) })
	}
	x.starts[e] = d
	return d
}

// sequence returns how few bytes the symbols from d on take.
func (x *Shortest) sequence(d dot) Distance {
	sum := Distance{Exact: true}
	for {
		in := x.a.p.code.At(uint32(d))
		d = in.rest
		switch in.op {
		case opEnd, opAccept:
			return sum
		case opEnds:
			return shortest.None
		case opCut:
			continue
		}
		part, nullable := x.symbol(in)
		switch {
		case nullable && !in.nonEmpty:
			part = Distance{Exact: true}
		case part.Bytes == 0:
			part = Distance{Bytes: 1}
		}
		if sum = sum.Plus(part); sum.Bytes == shortest.Never {
			return sum
		}
	}
}

// symbol returns how few bytes a symbol takes, and whether it may take none.
func (x *Shortest) symbol(in *instruction) (d Distance, nullable bool) {
	p := x.a.p
	switch in.op {
	case opTerminal:
		e := terminal.Expr(in.arg)
		ends := x.start(e)
		d = ends.Bare
		for _, t := range ends.Tags {
			d = d.Or(t.Distance)
		}
		return d, p.st.View().Nullable(e)
	case opCall:
		return x.found[node{opCall, in.arg}], p.rules.At(in.arg).nullable
	case opRepeat:
		r := p.repeats.At(in.arg)
		d = x.found[node{opRepeat, in.arg}]
		if r.max == 0 {
			d = shortest.None
		}
		return d.Times(max(r.min, 1)), r.min == 0
	case opSwitch:
		return x.found[node{opSwitch, in.arg}], p.switches.At(in.arg).nullable
	case opObject, opBoolean:
		return x.found[node{in.op, in.arg}], false
	}
	return Distance{}, false
}

// node is a rule or another node of the grammar, by the instruction that enters it. Nodes may contain each other.
type node struct {
	op op
	id uint32
}

// find returns how few bytes node n takes, from the distances of the nodes within it. Of a repetition, it counts only
// one round.
func (x *Shortest) find(n node) Distance {
	p := x.a.p
	d := Distance{Bytes: shortest.Never}
	switch n.op {
	case opCall:
		r := p.rules.At(n.id)
		for i := range r.count {
			d = d.Or(x.sequence(*p.starts.At(r.alternatives + i)))
		}
		if r.count == 0 {
			d = Distance{Bytes: 1} // it could not be expanded
		}
	case opRepeat:
		return x.sequence(p.repeats.At(n.id).body)
	case opObject:
		return x.object(p.objects.At(n.id))
	case opSwitch:
		w := p.switches.At(n.id)
		ends := x.start(w.on)
		for _, c := range w.cases {
			if t := ends.Tag(c.tag); t.Bytes != shortest.Never {
				d = d.Or(t.Plus(x.sequence(c.then)))
			}
		}
	case opBoolean:
		b := p.booleans.At(n.id)
		d = x.sequence(b.left)
		if b.is == grammar.Both {
			if r := x.sequence(b.right); r.Bytes > d.Bytes {
				d = r
			}
		}
		d.Exact = d.Exact && b.few
	}
	return d
}

// read finds the distances of all nodes, once. It first expands all lazy rules, so that distances do not depend on
// earlier outputs. The code of the program cannot grow after that.
func (x *Shortest) read() {
	if x.found != nil {
		return
	}
	p := x.a.p
	for before := uint32(0); before != p.length(); { // expanded rules may call others
		before = p.length()
		for _, id := range p.lazyRules() {
			_ = p.expand(id)
		}
	}
	x.starts, x.left = map[terminal.Expr]shortest.Ends{}, x.a.st.Budgets().Mask
	x.nodes, x.tags, x.found = map[nodeID]Distance{0: shortest.None}, map[taggedKey]Distance{}, map[node]Distance{}
	x.sides, x.owes = map[StateID]sideDistance{}, map[owing]Distance{}
	list := x.listNodes()
	for _, n := range list {
		x.found[n] = Distance{Bytes: shortest.Never}
	}
	// The first pass computes the numbers, the second decides which of them are exact. Rules that contain each other are
	// near each other in the list, so reversing it in each round shortens long chains.
	for exact := range 2 {
		for changed := true; changed; slices.Reverse(list) {
			changed = false
			for _, n := range list {
				d := x.find(n)
				d.Exact = d.Exact && exact == 1
				changed = changed || d != x.found[n]
				x.found[n] = d
			}
		}
	}
	for n, d := range x.found {
		if d.Bytes == shortest.Never {
			x.found[n] = shortest.None
		}
	}
}

// listNodes returns all nodes of the program, and sets cuts, compares and hard.
func (x *Shortest) listNodes() (list []node) {
	p := x.a.p
	for id, r := range p.rules.All() {
		x.cuts = x.cuts || r.scope != nil && r.scope.Cut
		if r.count > 0 || r.lazy != nil {
			list = append(list, node{opCall, id})
		}
	}
	for id, r := range p.repeats.All() {
		if r.body != 0 {
			list = append(list, node{opRepeat, id})
		}
	}
	for id, o := range p.objects.All() {
		if o.first != 0 {
			list = append(list, node{opObject, id})
		}
	}
	for id, w := range p.switches.All() {
		if w.tag != 0 {
			list = append(list, node{opSwitch, id})
		}
	}
	for id, b := range p.booleans.All() {
		if b.left != 0 {
			list = append(list, node{opBoolean, id})
			x.compares = x.compares || b.is == grammar.Distinct
			x.hard = x.hard || !b.few
		}
	}
	return list
}

// object returns how few bytes an object takes.
func (x *Shortest) object(o *object) Distance {
	return x.terminal(o.open).Plus(x.members(o, o.none(), opObjectFirst, x.owed(o, o.none())))
}

func (x *Shortest) terminal(e terminal.Expr) Distance { return x.start(e).Bare }

// members returns how few bytes complete an object after its members m. The argument at is the instruction at which it
// goes on: opObjectFirst or opObjectNext. owed is x.owed(o, m).
func (x *Shortest) members(o *object, m pair, at op, owed Distance) Distance {
	n := o.wanted(m)
	sum, close := owed.Plus(x.optional(o, m, n-m.owed)), x.terminal(o.close)
	switch {
	case n == 0:
		return sum.Plus(close)
	case at == opObjectFirst:
		sum = sum.Plus(x.terminal(o.quote)).Plus(x.terminal(o.commaQuote).Times(n - 1))
	default:
		sum = sum.Plus(x.terminal(o.commaQuote).Times(n))
	}
	return sum.Plus(close)
}

// key is members for an object that has read the opening quote of a key. At least one member has to follow.
func (x *Shortest) key(o *object, m pair) Distance {
	n := max(o.wanted(m), 1)
	sum := x.owed(o, m).Plus(x.optional(o, m, n-m.owed))
	return sum.Plus(x.terminal(o.commaQuote).Times(n - 1)).Plus(x.terminal(o.close))
}

// wanted returns how many members have to come after m.
func (o *object) wanted(m pair) uint32 {
	if o.counts && m.members < o.minMembers {
		return max(m.owed, o.minMembers-m.members)
	}
	return m.owed
}

// owed returns how few bytes the required members that are still missing take, without separators.
func (x *Shortest) owed(o *object, m pair) (sum Distance) {
	sum.Exact = true
	if m.owed == 0 {
		return sum
	}
	ends := x.start(o.keys)
	for j := range uint32(len(o.values)) {
		if !o.required(j) || x.a.p.passed(o, m, j) {
			continue
		}
		sum = sum.Plus(x.member(o, &ends, j))
	}
	return sum
}

// owedAfter is owed for m after declared key j.
//
// PERF: an output with 400 required keys in any order calls it 80,000 times. Setting a token limit there takes 0.3 s,
// and 1.9 s if each call adds up all members.
func (x *Shortest) owedAfter(o *object, m pair, j uint32) Distance {
	all, ok := x.owes[owing{o, m}]
	if !ok {
		all = x.owed(o, m)
		x.owes[owing{o, m}] = all
	}
	if !o.required(j) {
		return all
	}
	ends := x.start(o.keys)
	member := x.member(o, &ends, j)
	if member.Bytes >= all.Bytes || all.Bytes >= shortest.Never-1 {
		return x.owed(o, x.a.p.afterKey(o, m, j))
	}
	return Distance{Bytes: all.Bytes - member.Bytes, Exact: all.Exact}
}

// member returns how few bytes declared key j takes with its value.
func (x *Shortest) member(o *object, keys *shortest.Ends, j uint32) Distance {
	if o.values[j] == 0 {
		return shortest.None
	}
	if o.place != nil {
		d := shortest.None
		for t, k := range o.place {
			if k == j {
				d = d.Or(keys.Tag(uint32(t)))
			}
		}
		return d.Plus(x.sequence(o.values[j]))
	}
	return keys.Tag(j).Plus(x.sequence(o.values[j]))
}

// optional returns how few bytes k further members take that are not required, without separators. Any k of them can
// come together: declared ones in their order, then undeclared ones.
func (x *Shortest) optional(o *object, m pair, k uint32) Distance {
	if k == 0 {
		return Distance{Exact: true}
	}
	ends := x.start(o.keys)
	var declared []Distance
	for j := range uint32(len(o.values)) {
		if !o.required(j) && !x.a.p.passed(o, m, j) {
			declared = append(declared, x.member(o, &ends, j))
		}
	}
	slices.SortFunc(declared, func(x, y Distance) int { return cmp.Compare(x.Bytes, y.Bytes) })
	sum, other := Distance{Exact: true}, x.undeclared(o)
	for _, d := range declared {
		if k == 0 || d.Bytes >= other.Bytes {
			break
		}
		sum, k = sum.Plus(d), k-1
	}
	return sum.Plus(other.Times(k))
}

// undeclared returns how few bytes an undeclared key takes with its value.
func (x *Shortest) undeclared(o *object) Distance {
	d := shortest.None
	for _, e := range o.extras {
		d = d.Or(x.terminal(e.key).Plus(x.sequence(e.value)))
	}
	return d
}
