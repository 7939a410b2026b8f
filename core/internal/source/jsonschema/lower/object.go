package lower

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/pattern"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/plan"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// object returns the node of an object. Properties without values are forbidden keys: the node does not declare them,
// and excludes them from undeclared keys.
func (l *lowerer) object(o *plan.ObjectPlan, lead terminal.Expr) grammar.Symbol {
	if l.tooDeep() {
		r := l.g.NewRule("object")
		if o.Min == 0 && o.Required == 0 {
			l.g.Add(r, grammar.T(l.st.Literal("{}")))
		}
		return grammar.N(r)
	}
	node := grammar.Object{
		Close: l.close, Comma: l.comma, Quote: l.quote, Colon: l.colon,
		Open:       l.openingObject(lead),
		MinMembers: 0, MaxMembers: bound32(o.Max),
	}
	if o.Min > uint64(o.Required) {
		node.MinMembers = bound32(o.Min)
	}
	l.members(&node, o)
	symbols := l.inOrders(node, o)
	if len(symbols) == 1 {
		return symbols[0]
	}
	r := l.g.NewRule("object")
	for _, s := range symbols {
		l.g.Add(r, s)
	}
	return grammar.N(r)
}

func (l *lowerer) members(node *grammar.Object, o *plan.ObjectPlan) bool {
	known := make([]string, 0, len(o.Properties))
	names := make([]string, 0, len(o.Properties))
	node.Properties = make([]grammar.Property, 0, len(o.Properties))
	for i := range o.Properties {
		q := &o.Properties[i]
		known = append(known, q.Name)
		if l.solved.May(q) {
			names = append(names, q.Name)
			value := l.closedWith(l.symbolOf(q.Goal), q.Name)
			node.Properties = append(node.Properties, grammar.Property{
				Value: value, Required: q.Required, Name: q.Name, At: l.originOf(q.Goal),
			})
			if i < o.Ordered && !l.anyOrder() {
				node.Ordered++
			}
		}
	}
	if int(node.Ordered) < len(names) {
		node.AnyOrder = true
	} else {
		node.Ordered = 0
	}
	if uint64(len(names)) <= o.Max && len(o.Extras) == 0 {
		node.MaxMembers = grammar.Unbounded // the names bound the number
	}
	if len(names) > 0 {
		l.patterned = o.Free
		node.Keys = l.keys(names)
		l.patterned = false
	}
	for i := range o.Extras {
		e := &o.Extras[i]
		if !l.solved.Within[e.Goal] {
			continue
		}
		if key := l.extraKey(e, known); key != terminal.Empty {
			node.Extra = append(node.Extra, grammar.Extra{
				Key: key, Value: l.symbolOf(e.Goal), At: l.originOf(e.Goal),
			})
		}
	}
	return len(names)+len(node.Extra) > 0
}

func (l *lowerer) inOrders(node grammar.Object, o *plan.ObjectPlan) []grammar.Symbol {
	symbols := []grammar.Symbol{l.orEmpty(node, "{}")}
	if o.Orders == nil || l.wide {
		return symbols
	}
	places := make([]int, len(o.Properties)) // by plan: the node's property, or -1
	next := 0
	for i := range o.Properties {
		places[i] = -1
		if l.solved.May(&o.Properties[i]) {
			places[i] = next
			next++
		}
	}
	for _, order := range o.Orders {
		symbols = append(symbols, l.orEmpty(reordered(node, order, places), "{}"))
	}
	return symbols
}

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

// extraKey returns the rest of a key of the class after its opening quote. Names are compared after decoding, so it
// excludes every spelling of the known ones.
func (l *terms) extraKey(e *plan.ExtraPlan, known []string) (key terminal.Expr) {
	if l.tags.inside != isJSON && l.enc.HasEscapes() {
		l.in(l.tags.names, func() { key = l.extraKey(e, known) })
		return key
	}
	st := l.st
	patterned := e.Names != plan.AnyGoal || len(e.With)+len(e.Without) > 0
	xs := make([]terminal.Expr, 0, 4)
	if e.Names != plan.AnyGoal {
		xs = append(xs, l.nameLanguage(e.Names, len(e.With)+len(e.Without)+len(known) > 0))
	}
	for _, q := range e.With {
		xs = append(xs, l.pattern(q))
	}
	switch {
	case l.spell != nil && patterned && l.p.Tagged.Style.Escapes != nil: // patterns ignore escapes
		l.noteUnescaped()
		xs = append(xs, l.clean(st.Plus(l.nameCharacter(false))))
	case len(xs) == 0 || l.spell != nil:
		xs = append(xs, l.anyBody)
	case l.safe != terminal.Empty: // patterns ignore the end of a value
		xs = append(xs, l.safe)
	}
	for _, q := range e.Without {
		xs = append(xs, st.Not(l.pattern(q)))
	}
	if len(known) > 0 {
		xs = append(xs, l.except(known))
	}
	body := xs[0]
	if len(xs) > 1 {
		ok := false
		if body, ok = st.AndCounted(xs, l.enc, 0, terminal.Unbounded); !ok {
			body = st.And(xs...)
		}
	}
	if body == l.anyBody && l.tags.inside == isJSON && l.python() {
		return l.anyString
	}
	if body == terminal.Empty || (len(xs) > 1 || e.Names != plan.AnyGoal) && l.noNames(e, known, body) {
		return terminal.Empty
	}
	if l.tags.inside == isJSON && l.python() {
		return st.Concat(l.endOfName, body, l.endOfName)
	}
	return st.Concat(body, l.endOfName)
}

func (l *terms) noNames(e *plan.ExtraPlan, known []string, body terminal.Expr) bool {
	if l.spell != nil {
		return l.st.IsEmpty(body)
	}
	return l.noKey(e, known)
}

func (l *terms) noKey(e *plan.ExtraPlan, known []string) bool {
	if e.Names == plan.AnyGoal {
		whole := slices.ContainsFunc(e.With, func(q *pattern.Pattern) bool { return q.WholeMatch })
		if some, simple := pattern.SimpleOverlap(e.With, e.Without); simple && !whole {
			return !some // more names have a given beginning than are known
		}
		return l.noText(nil, e.With, e.Without, known)
	}
	for i := range l.p.Goals[e.Names].Cases {
		f := &l.p.Goals[e.Names].Cases[i].Flat
		if f.HasValues || f.Types&jsontype.String != 0 && !l.noText(f, e.With, e.Without, known) {
			return false
		}
	}
	return true
}

// nameLanguage returns the string bodies that satisfy a goal of propertyNames. If beside is set, the result is
// intersected with others. Then it is no table, because the search in an intersection cannot look into a machine.
func (l *terms) nameLanguage(g plan.GoalID, beside bool) terminal.Expr {
	var xs []terminal.Expr
	l.noTable = beside
	defer func() { l.noTable = false }()
	low, high, shared := l.sharedLengths(g)
	for a := range l.p.CasesOf(g) {
		if shared {
			plain := *a
			plain.Flat.MinLength, plain.Flat.MaxLength = 0, plan.NoMaximum
			a = &plain
		}
		switch {
		case a.Flat.Types&jsontype.String == 0:
		case a.Flat.HasValues:
			xs = append(xs, l.literals(l.texts(a.Flat.Values)))
		case beside && len(a.Flat.Patterns) == 1 && !a.Flat.Patterns[0].Negated &&
			l.p.PatternFor(&a.Flat.Patterns[0]).HasLeapSeconds():
			xs = append(xs, l.besideOthers(&a.Flat.Patterns[0]))
		default:
			xs = append(xs, l.body(a))
		}
	}
	if shared {
		return l.st.Counted(l.st.Or(xs...), l.enc, bound32(low), bound32(high))
	}
	return l.st.Or(xs...)
}

// sharedLengths returns the bounds on the lengths of a goal's cases, if there are several cases with equal bounds. One
// counter serves them; a union of counted cases would write each count out.
func (l *terms) sharedLengths(g plan.GoalID) (low, high uint64, shared bool) {
	cases := l.p.Goals[g].Cases
	if len(cases) < 2 {
		return 0, 0, false
	}
	low, high = cases[0].Flat.MinLength, cases[0].Flat.MaxLength
	return low, high, (low > 0 || high != plan.NoMaximum) && !slices.ContainsFunc(cases, func(a plan.Alternative) bool {
		f := &a.Flat
		return f.HasValues || f.Types != jsontype.String || f.MinLength != low || f.MaxLength != high
	})
}

// orEmpty returns the symbol of an object node. With indented lines the empty object has no line end, so it is a
// separate alternative.
func (l *lowerer) orEmpty(node grammar.Object, empty string) grammar.Symbol {
	if !l.indented || l.tags.inside != isJSON {
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

func (l *lowerer) valueInAnyOrder(v jsontext.ID, lead terminal.Expr) grammar.Sequence {
	t := l.p.Tree
	n := t.Node(v)
	if !l.reorders(v) {
		return grammar.Sequence{grammar.T(l.lead(lead, l.value(v)))}
	}
	if n.Kind == jsontext.Array {
		seq := grammar.Sequence{grammar.T(l.openingList(lead))}
		for c := n.First; c != 0; c = t.Node(c).Next {
			if c != n.First {
				seq = append(seq, grammar.T(l.comma))
			}
			seq = append(seq, l.insideInAnyOrder(c)...)
		}
		return append(seq, grammar.T(l.endList))
	}
	node := grammar.Object{
		AnyOrder: true, Open: l.openingObject(lead), Close: l.close, Comma: l.comma, Quote: l.quote, Colon: l.colon,
		MaxMembers: grammar.Unbounded,
	}
	names := make([]string, 0, n.Count)
	for c := n.First; c != 0; c = t.Node(c).Next {
		names = append(names, t.Node(c).Key)
		member := l.insideInAnyOrder(c)
		s := member[0]
		if len(member) > 1 {
			r := l.g.NewRule("member")
			l.g.Add(r, member...)
			s = grammar.N(r)
		}
		node.Properties = append(node.Properties, grammar.Property{Value: s, Required: true})
	}
	node.Keys = l.keys(names)
	return grammar.Sequence{l.g.NewObject(node)}
}

func (l *lowerer) insideInAnyOrder(v jsontext.ID) grammar.Sequence {
	l.setDepth(l.depth + 1)
	seq := l.valueInAnyOrder(v, l.ws)
	l.setDepth(l.depth - 1)
	return seq
}
