package jsonschema

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// object makes the node of an object. Properties without values are forbidden keys: they are no declared properties of
// the node, and are kept from coming back as undeclared ones.
func (l *lowerer) object(o *objectPlan, lead terminal.Expr) grammar.Symbol {
	if l.tooDeep() {
		r := l.g.NewRule("object")
		if o.min == 0 && o.required == 0 {
			l.g.Add(r, grammar.T(l.st.Literal("{}")))
		}
		return grammar.N(r)
	}
	node := grammar.Object{
		Close: l.close, Comma: l.comma, Quote: l.quote, Colon: l.colon,
		Open:       l.openingObject(lead),
		MinMembers: 0, MaxMembers: bound32(o.max),
	}
	if o.min > uint64(o.required) {
		node.MinMembers = bound32(o.min)
	}
	known := make([]string, 0, len(o.properties))
	names := make([]string, 0, len(o.properties))
	var places []int // by plan: the node's property, or -1
	if o.orders != nil && !l.wide {
		places = make([]int, len(o.properties))
	}
	node.Properties = make([]grammar.Property, 0, len(o.properties))
	for i := range o.properties {
		q := &o.properties[i]
		known = append(known, q.name)
		if places != nil {
			places[i] = -1
		}
		if l.solved.satisfied[q.goal] {
			if places != nil {
				places[i] = len(names)
			}
			names = append(names, q.name)
			node.Properties = append(node.Properties, grammar.Property{Value: l.symbol(q.goal), Required: q.required})
		}
	}
	node.AnyOrder = l.anyOrder() && len(names) > 0
	if uint64(len(names)) <= o.max && len(o.extras) == 0 {
		node.MaxMembers = grammar.Unbounded // the names alone bound the number
	}
	if len(names) > 0 {
		node.Keys = l.keys(names)
	}
	for i := range o.extras {
		e := &o.extras[i]
		if !l.solved.satisfied[e.goal] {
			continue
		}
		if key := l.extraKey(e, known); key != terminal.Empty {
			node.Extra = append(node.Extra, grammar.Extra{Key: key, Value: l.symbol(e.goal)})
		}
	}
	s := l.orEmpty(node, "{}")
	if places == nil {
		return s
	}
	r := l.g.NewRule("object")
	l.g.Add(r, s)
	for _, order := range o.orders {
		l.g.Add(r, l.orEmpty(reordered(node, order, places), "{}"))
	}
	return grammar.N(r)
}

// reordered returns the node with its properties in another order of their plans.
func reordered(node grammar.Object, order, places []int) grammar.Object {
	properties := make([]grammar.Property, 0, len(node.Properties))
	node.Tags = make([]uint32, 0, len(node.Properties))
	for _, i := range order {
		if k := places[i]; k >= 0 {
			properties = append(properties, node.Properties[k])
			node.Tags = append(node.Tags, uint32(k))
		}
	}
	node.Properties = properties
	return node
}

// extraKey returns the rest of a key of the class after its opening quote. Names are compared after decoding: the
// complement is taken of every spelling of the known ones.
func (l *lowerer) extraKey(e *extraPlan, known []string) terminal.Expr {
	st := l.st
	xs := make([]terminal.Expr, 0, 4)
	if e.names != anyGoal {
		xs = append(xs, l.nameLanguage(e.names, len(e.with)+len(e.without)+len(known) > 0))
	}
	for _, q := range e.with {
		xs = append(xs, l.pattern(q))
	}
	if len(xs) == 0 || l.p.o.ASCIIOnly {
		xs = append(xs, l.anyBody)
	}
	for _, q := range e.without {
		xs = append(xs, st.Not(l.pattern(q)))
	}
	if len(known) > 0 {
		xs = append(xs, st.Not(l.literals(known)))
	}
	body := xs[0]
	if len(xs) > 1 {
		body = st.And(xs...)
	}
	if body == terminal.Empty || (len(xs) > 1 || e.names != anyGoal) && l.noKey(e, known) {
		return terminal.Empty
	}
	return st.Concat(body, l.endOfName)
}

// noKey says whether a class of undeclared keys has none.
func (l *lowerer) noKey(e *extraPlan, known []string) bool {
	if e.names == anyGoal {
		whole := slices.ContainsFunc(e.with, func(q *pattern) bool { return q.wholeMatch })
		if some, simple := simpleOverlap(e.with, e.without); simple && !whole {
			return !some // a beginning has more names than are known
		}
		return l.noText(nil, e.with, e.without, known)
	}
	for i := range l.p.goals[e.names].cases {
		f := &l.p.goals[e.names].cases[i].flat
		if f.hasValues || f.types&tString != 0 && !l.noText(f, e.with, e.without, known) {
			return false
		}
	}
	return true
}

// nameLanguage returns the string bodies that satisfy a goal of propertyNames. Beside: something else is asked of them too.
func (l *lowerer) nameLanguage(g goalID, beside bool) terminal.Expr {
	var xs []terminal.Expr
	for i := range l.p.goals[g].cases {
		a := &l.p.goals[g].cases[i]
		switch {
		case a.flat.types&tString == 0:
		case a.flat.hasValues:
			xs = append(xs, l.literals(l.texts(a.flat.values)))
		case beside && len(a.flat.patterns) == 1 && !a.flat.patterns[0].negated && l.p.patternFor(&a.flat.patterns[0]).hasLeapSeconds():
			xs = append(xs, l.besideOthers(a, l.p.patternFor(&a.flat.patterns[0])))
		default:
			xs = append(xs, l.body(a))
		}
	}
	return l.st.Or(xs...)
}

// orEmpty returns the symbol of an object node. Where lines are indented it has no empty form: that is written without a
// line end, and is an alternative of its own.
func (l *lowerer) orEmpty(node grammar.Object, empty string) grammar.Symbol {
	if !l.indented {
		return l.g.NewObject(node)
	}
	required := slices.ContainsFunc(node.Properties, func(q grammar.Property) bool { return q.Required })
	r := l.g.NewRule("object")
	if node.MinMembers == 0 && !required {
		l.g.Add(r, grammar.T(l.st.Literal(empty)))
		node.MinMembers = 1
	}
	if node.MaxMembers > 0 {
		l.g.Add(r, l.g.NewObject(node))
	}
	return grammar.N(r)
}
