package plan

import (
	"slices"
	"strconv"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/pattern"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// objectPlanner builds one ObjectPlan.
type objectPlanner struct {
	p      *Planner
	f      *Flat
	o      *ObjectPlan
	names  GoalID
	closed bool // see closed.go
	buffer []atom
}

// planObject plans the objects of a case: the declared properties of all schemas in the order in which the schemas were
// applied, then names that are only required, then classes of other keys. Names that are only tested have no order. If
// no object is possible it removes that type from f and returns nil.
func (p *Planner) planObject(f *Flat) *ObjectPlan {
	b := objectPlanner{p: p, f: f, o: &ObjectPlan{Min: f.minProps, Max: f.maxProps}, names: AnyGoal}
	b.closed = p.closesObjects(f)
	if len(f.nameAtoms) > 0 {
		b.names = p.goalOf(append(slices.Clip(f.nameAtoms), positive(p.Strings(f.nameAtoms[0].Node())))...)
		p.expandGoal(b.names)
		if p.Goals[b.names].state == goalExpanding {
			p.Invalid(f.nameAtoms[0].Node(), "propertyNames", "propertyNames refers to the schema around it")
			return nil
		}
	}
	total := len(f.required) + len(f.named) + len(f.forbidden)
	for i := range f.facets {
		if c := f.facets[i].properties; c != 0 {
			total += int(p.Tree.Node(c).Count)
		}
	}
	b.o.Properties = make([]PropertyPlan, 0, total)
	if total > fewNames {
		b.o.index = make(map[string]int, total)
	}
	b.collect()
	first := make([]int, 0, len(f.required))
	for _, u := range f.required {
		i := b.o.find(u.name)
		at := &b.o.Properties[i]
		if at.Required {
			continue
		}
		if i < b.o.Ordered {
			first = append(first, i)
		}
		at.Required, at.node = true, u.node
		b.o.Required++
		if at.Goal == NoneGoal {
			p.noneFor(f, u, b.names)
			return nil
		}
	}
	if !p.Options.AnyOrder && b.o.Ordered > 1 {
		b.planOrders(first)
	}
	b.others()
	return b.check()
}

// collect adds every name that some schema knows.
func (b *objectPlanner) collect() {
	for _, tested := range [...]bool{false, true} {
		for i := range b.f.facets {
			if c := b.f.facets[i].properties; c != 0 && b.f.facets[i].tested == tested {
				for d := range b.p.Tree.Children(c) {
					b.add(b.p.Tree.Node(d).Key, d)
				}
			}
		}
		for _, u := range b.f.required {
			if u.tested == tested && (u.declared || !b.closed) {
				b.add(u.name, 0)
			}
		}
		if !tested {
			b.o.Ordered = len(b.o.Properties)
		}
	}
	if b.closed {
		for _, u := range b.f.required {
			b.mention(u.name)
		}
	}
	for _, n := range b.f.named {
		b.mention(n.name)
	}
	for _, u := range b.f.forbidden {
		b.add(u.name, 0)
	}
}

// add plans one name, which d declares if it is not zero, unless it is planned already.
func (b *objectPlanner) add(name string, d jsontext.ID) {
	p, o := b.p, b.o
	if o.find(name) >= 0 {
		return
	}
	b.put(PropertyPlan{Name: name, Goal: b.goal(name), node: d})
	if p.Err == nil && b.names != AnyGoal && !p.nameSatisfies(name, b.names) {
		o.Properties[len(o.Properties)-1].Goal = NoneGoal
	}
}

// mention is add for a name that no enforced schema declares, such as a name in a negation.
func (b *objectPlanner) mention(name string) {
	switch {
	case !b.closed:
		b.add(name, 0)
	case b.o.find(name) < 0:
		b.put(PropertyPlan{Name: name, Goal: NoneGoal})
	}
}

func (b *objectPlanner) put(q PropertyPlan) {
	if b.o.index != nil {
		b.o.index[q.Name] = len(b.o.Properties)
	}
	b.o.Properties = append(b.o.Properties, q)
}

// goal returns the goal of the property's value: the atoms of all schemas about it.
func (b *objectPlanner) goal(name string) GoalID {
	p, t, f := b.p, b.p.Tree, b.f
	if _, ok := hasName(f.forbidden, name); ok {
		return NoneGoal
	}
	atoms := b.buffer[:0]
	p.Options.Work.Spend(nameWork * (4 + len(f.facets) + len(f.named)))
	for i := range f.facets {
		fc := &f.facets[i]
		matched := p.declaresAny(fc.beside, name)
		if c := p.Declared(fc.properties, name); c != 0 {
			matched = true
			atoms = append(atoms, positive(c))
		}
		if fc.patterns != 0 {
			for c := range t.Children(fc.patterns) {
				p.Options.Work.Spend(nameWork)
				if p.Patterns.Matches(p.Patterns.Of(t.Node(c).Key, c), name) {
					matched = true
					atoms = append(atoms, positive(c))
				}
			}
		}
		if !matched && fc.additional != 0 {
			atoms = append(atoms, positive(fc.additional))
		}
	}
	for _, n := range f.named {
		if n.name == name {
			atoms = append(atoms, n.atom)
		}
	}
	b.buffer = atoms
	return p.goalOf(atoms...)
}

// keyPattern is a key of patternProperties with the facet it comes from. Without a node it adds no schema, and only
// marks its keys as evaluated.
type keyPattern struct {
	q     *pattern.Pattern
	facet int
	node  jsontext.ID
}

// others divides the undeclared keys into classes by the patterns they match, so that every key is in one class and the
// class knows all schemas for its values.
func (b *objectPlanner) others() {
	p, t := b.p, b.p.Tree
	var patterns []keyPattern
	closed := false // some schema allows no undeclared key
	for i := range b.f.facets {
		fc := &b.f.facets[i]
		count := 0
		if fc.patterns != 0 {
			for c := range t.Children(fc.patterns) {
				patterns = append(patterns, keyPattern{p.Patterns.Of(t.Node(c).Key, c), i, c})
				count++
			}
		}
		for _, other := range fc.beside {
			if other.patterns == 0 {
				continue
			}
			for c := range t.Children(other.patterns) {
				patterns = append(patterns, keyPattern{q: p.Patterns.Of(t.Node(c).Key, c), facet: i})
				count++
			}
		}
		if count == 0 && fc.additional != 0 && p.trivial(positive(fc.additional)) == NoneGoal {
			closed = true
		}
	}
	if closed || b.names == NoneGoal || b.o.Max == uint64(b.o.Required) {
		return
	}
	patterns = b.united(patterns)
	classes := []ExtraPlan{{Names: b.names}}
	questions := len(patterns) > 1
	defer func(before jsontext.ID) { p.Now = before }(p.Now)
	for n, kp := range patterns {
		p.Now = orElse(kp.node, p.Now)
		if slices.ContainsFunc(patterns[:n], func(x keyPattern) bool { return x.q == kp.q }) {
			continue
		}
		var next []ExtraPlan
		for _, c := range classes {
			in := ExtraPlan{With: append(slices.Clip(c.With), kp.q), Without: c.Without, Names: b.names}
			out := ExtraPlan{With: c.With, Without: append(slices.Clip(c.Without), kp.q), Names: b.names}
			if !questions || p.Patterns.Overlap(in.With, in.Without) {
				next = append(next, in)
			}
			if !questions || p.Patterns.Overlap(out.With, out.Without) {
				next = append(next, out)
			}
		}
		if classes = next; len(classes) > limits.SchemaKeyClasses {
			if p.Unsupported(b.patternNode(kp), "patternProperties",
				"the patterns overlap in more than "+strconv.Itoa(limits.SchemaKeyClasses)+" ways") {
				b.o.Extras = []ExtraPlan{{Names: b.names, Goal: AnyGoal}}
			}
			return
		}
	}
	for _, c := range classes {
		if c.Goal = b.classGoal(&c, patterns); c.Goal != NoneGoal && !b.declareAll(&c) {
			b.o.Extras = append(b.o.Extras, c)
		}
	}
}

// united joins the unanchored patterns of a schema that give their keys the same schema. It drops unanchored patterns
// whose keys may have any value, if undeclared keys may, too. Five such patterns with one schema then divide the keys
// into two classes instead of 32. Other patterns stay.
func (b *objectPlanner) united(patterns []keyPattern) (out []keyPattern) {
	type kind struct {
		facet int
		goal  GoalID
	}
	at, alike := map[kind]int{}, map[int][]*pattern.Pattern{}
	for _, kp := range patterns {
		if kp.node == 0 || len(patterns) == 1 || !kp.q.Unanchored() {
			out = append(out, kp)
			continue
		}
		k := kind{kp.facet, b.p.goalOf(positive(kp.node))}
		additional := b.f.facets[kp.facet].additional
		if k.goal == AnyGoal && !b.closed && (additional == 0 || b.p.trivial(positive(additional)) == AnyGoal) {
			continue
		}
		n, ok := at[k]
		if !ok {
			n = len(out)
			at[k], out = n, append(out, kp)
		}
		alike[n] = append(alike[n], kp.q)
	}
	for n := range out {
		if list := alike[n]; list != nil {
			out[n].q = b.p.Patterns.Union(list, out[n].node)
		}
	}
	return out
}

// declareAll makes properties of the keys of a class if they are few and the order is free: then none occurs twice.
func (b *objectPlanner) declareAll(c *ExtraPlan) bool {
	if !b.p.Options.AnyOrder {
		return false
	}
	names, few := b.p.namesOf(c)
	if !few {
		return false
	}
	for _, name := range names {
		if b.o.find(name) >= 0 {
			continue
		}
		b.put(PropertyPlan{Name: name, Goal: c.Goal})
		b.o.Free = b.o.Free || len(c.With) > 0
	}
	return true
}

func (b *objectPlanner) patternNode(kp keyPattern) jsontext.ID {
	if kp.node == 0 {
		return b.f.facets[kp.facet].additional
	}
	return b.p.Tree.Node(kp.node).Parent
}

// classGoal returns the goal of the values of a class of keys.
func (b *objectPlanner) classGoal(c *ExtraPlan, patterns []keyPattern) GoalID {
	if b.closed && len(c.With) == 0 {
		return NoneGoal
	}
	atoms := b.buffer[:0]
	for i := range b.f.facets {
		matched := false
		for _, kp := range patterns {
			if kp.facet == i && slices.Contains(c.With, kp.q) {
				matched = true
				if kp.node != 0 {
					atoms = append(atoms, positive(kp.node))
				}
			}
		}
		if additional := b.f.facets[i].additional; !matched && additional != 0 {
			atoms = append(atoms, positive(additional))
		}
	}
	b.buffer = atoms
	return b.p.goalOf(atoms...)
}

// check compares the member bounds with the planned members.
func (b *objectPlanner) check() *ObjectPlan {
	o := b.o
	possible := uint64(0)
	for i := range o.Properties {
		if o.Properties[i].Goal != NoneGoal {
			possible++
		}
	}
	switch {
	case uint64(o.Required) > o.Max:
		b.f.restrictBy(^jsontype.Object, orElse(b.f.ends.props[1], b.f.Why.Node), b.f.ends.props[0], "maxProperties",
			"more properties are required than allowed")
	case possible < o.Min && len(o.Extras) == 0:
		b.f.restrictBy(^jsontype.Object, orElse(b.f.ends.props[0], b.f.Why.Node), b.f.ends.props[1], "minProperties",
			"fewer properties are possible than required")
	default:
		if possible < o.Min && b.f.ends.props[0] != 0 {
			b.p.Note(b.f.ends.props[0], "minProperties", diag.Wider,
				"an undeclared key may occur twice in an object, and counts each time")
		}
		return o
	}
	return nil
}

// planOrders plans two more orders of properties. In one, required properties come first, in the order of required. In
// the other, properties of schemas that were applied later come first, since extensions follow the extended schema.
func (b *objectPlanner) planOrders(required []int) {
	o := b.o
	b.addOrder(required)
	declaring := 0
	for i := range b.f.facets {
		if b.f.facets[i].properties != 0 && !b.f.facets[i].tested {
			declaring++
		}
	}
	if declaring < 2 {
		return
	}
	t := b.p.Tree
	var later []int
	planned := make([]bool, o.Ordered)
	for i := len(b.f.facets) - 1; i >= 0; i-- {
		c := b.f.facets[i].properties
		if c == 0 || b.f.facets[i].tested {
			continue
		}
		for d := range t.Children(c) {
			if k := o.find(t.Node(d).Key); !planned[k] {
				planned[k] = true
				later = append(later, k)
			}
		}
	}
	b.addOrder(later)
}

// addOrder adds the order in which the properties at the given places come first, unless it exists already. The others
// follow in the order of properties.
func (b *objectPlanner) addOrder(first []int) {
	o := b.o
	placed := make([]bool, len(o.Properties))
	order := make([]int, 0, len(o.Properties))
	for _, i := range first {
		placed[i] = true
		order = append(order, i)
	}
	for i := range o.Properties {
		if !placed[i] {
			order = append(order, i)
		}
	}
	if !slices.IsSorted(order) && !slices.ContainsFunc(o.Orders, func(other []int) bool { return slices.Equal(other, order) }) {
		o.Orders = append(o.Orders, order)
	}
}
