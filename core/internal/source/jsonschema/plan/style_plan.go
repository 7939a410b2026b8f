package plan

import (
	"slices"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/schema"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/style"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// In a style a goal has up to three roles: value, form and body. The members of an object or array (a body) are values,
// a value is written in one of several forms, and a form is JSON again, a text or a body. The goal of a form is the
// goal of the value merged with the types of the form. So merging divides listed values, alternatives and tests among
// the forms, and each form is lowered as in JSON.

// Narrowed returns the goal of the values of g that have one of the types. It returns the same goal for every call.
func (p *Planner) Narrowed(g GoalID, types jsontype.Set) GoalID {
	key := part{g, types}
	if n, ok := p.Tagged.parts[key]; ok {
		return n
	}
	all, n := p.typesIn(g), g
	switch {
	case g == AnyGoal:
		n = p.goalOf(positive(p.Typed(types)))
	case all&types == 0:
		n = NoneGoal
	case all&^types != 0:
		n = p.goalOf(append(slices.Clip(p.Goals[g].Atoms), positive(p.Typed(types)))...)
	}
	p.Tagged.parts[key] = n
	return n
}

// planTagged calls visit for the goals that the roles of g need.
func (p *Planner) planTagged(g GoalID, visit func(GoalID)) {
	t := p.Tagged
	value := func(v GoalID) {
		if _, ok := t.Forms[v]; ok {
			return
		}
		forms := make([]GoalID, len(t.Style.Forms))
		t.Forms[v] = forms
		t.Values = append(t.Values, v)
		visit(v)
		for i, f := range t.Style.Forms {
			forms[i] = p.Narrowed(v, f.Types)
			if f.How == style.AsMembers {
				t.bodies[forms[i]] = true
			}
			visit(forms[i])
		}
	}
	if !t.bodies[g] {
		return
	}
	for a := range p.CasesOf(g) {
		if a.Flat.HasValues {
			for _, v := range a.Flat.Values {
				p.planListed(v).members(value)
			}
			continue
		}
		p.checkBody(g, a)
		a.members(value)
		for i := range a.Tests {
			for _, types := range [...]jsontype.Set{jsontype.Object, jsontype.Array} {
				n := p.Narrowed(a.Tests[i].Goal, types)
				t.bodies[n] = true
				visit(n)
			}
		}
	}
}

// checkUnique refuses uniqueItems for items that are not listed: the comparison of items knows no spellings of Python.
func (p *Planner) checkUnique(reached []GoalID) {
	for _, g := range reached {
		for a := range p.CasesOf(g) {
			l := a.List
			if l != nil && a.Flat.Types&jsontype.Array != 0 && l.Unique != 0 && l.Max > 1 && l.Items == nil {
				p.Fail(p.ErrorAt(diag.Unsupported, l.Unique, "uniqueItems",
					"the style %s cannot compare items that the schema does not list; leave uniqueItems "+
						"out", p.Tagged.Style.Name))
			}
		}
	}
}

// planListed returns the plan of a listed array or object, with the listed members.
func (p *Planner) planListed(v jsontext.ID) *Alternative {
	if l, ok := p.Tagged.Listed[v]; ok {
		return l
	}
	l := &Alternative{Flat: Flat{Types: p.TypeOf(v)}}
	n := p.Tree.Node(v)
	goal := func(c jsontext.ID) GoalID { return p.goalOf(positive(p.EnumOf(c, []jsontext.ID{c}))) }
	switch n.Kind {
	case jsontext.Object:
		l.Object = &ObjectPlan{Required: int(n.Count), Max: NoMaximum}
		for c := n.First; c != 0; c = p.Tree.Node(c).Next {
			q := PropertyPlan{Name: p.Tree.Node(c).Key, Goal: goal(c), node: c, Required: true}
			p.checkName(q.Name, c)
			l.Object.Properties = append(l.Object.Properties, q)
		}
		l.Object.Ordered = len(l.Object.Properties)
	case jsontext.Array:
		l.List = &ListPlan{Min: uint64(n.Count), Max: uint64(n.Count), Rest: NoneGoal}
		for c := n.First; c != 0; c = p.Tree.Node(c).Next {
			l.List.Prefix = append(l.List.Prefix, goal(c))
		}
	}
	p.Tagged.Listed[v] = l
	return l
}

// checkName refuses a name that the style cannot write.
func (p *Planner) checkName(name string, node jsontext.ID) {
	if s := p.Tagged.Style; !s.Writable(name, p.Arguments) {
		p.Fail(p.ErrorAt(diag.Unsupported, node, p.Tree.Node(node).Key, "the style %s cannot write the name %s: %s; "+
			"rename the property, or use another style", s.Name, schema.Quote(name), s.NameRule(p.Arguments)))
	}
}

// checkBody refuses parts of the objects and arrays of a case that the style cannot express, and notes the parts that
// it omits.
func (p *Planner) checkBody(g GoalID, a *Alternative) {
	s := p.Tagged.Style
	at := func(node jsontext.ID) jsontext.ID {
		if atoms := p.Goals[g].Atoms; node == 0 && len(atoms) > 0 {
			return atoms[0].Node()
		}
		return node
	}
	refuse := func(node jsontext.ID, keyword, why string) {
		p.Fail(p.ErrorAt(diag.Unsupported, at(node), keyword, "the style %s %s", s.Name, why))
	}
	if l := a.List; l != nil && a.Flat.Types&jsontype.Array != 0 && l.Unique != 0 && l.Max > 1 {
		refuse(l.Unique, "uniqueItems",
			"writes arrays as elements and cannot compare them; leave uniqueItems out")
	}
	o := a.Object
	if o == nil || a.Flat.Types&jsontype.Object == 0 {
		return
	}
	for i := range o.Properties {
		q := &o.Properties[i]
		if q.Goal == NoneGoal && !s.Writable(q.Name, p.Arguments) {
			continue
		}
		p.checkName(q.Name, at(q.node))
	}
	if !s.Repeats() {
		return
	}
	for i := range o.Extras {
		if e := &o.Extras[i]; e.Goal == NoneGoal {
			continue
		} else if e.Goal != AnyGoal || len(e.With) > 0 || e.Names != AnyGoal {
			refuse(0, "additionalProperties", "repeats the name of each element at its end, so it writes only "+
				"declared properties; declare them, or set additionalProperties to false")
		}
	}
	if len(o.Extras) > 0 {
		if node := at(0); node != 0 {
			p.Note(node, "additionalProperties", diag.Narrower, "the style "+s.Name+" writes only declared properties")
		}
		o.Extras = nil
	}
}

// planRoot sets up the plan of a style and returns the goal of the outermost value. The value is a string if the schema
// allows nothing else and the ends of the tag around it are known; otherwise it is a body.
func (p *Planner) planRoot(s *style.Style, ends []string) GoalID {
	t := &tagged{
		Style: s, Forms: map[GoalID][]GoalID{}, bodies: map[GoalID]bool{},
		Listed: map[jsontext.ID]*Alternative{}, parts: map[part]GoalID{},
	}
	if s.Stop != "" {
		t.Ends = []string{s.Stop}
	}
	p.Tagged = t
	start := p.goalOf(positive(p.Root), positive(p.Typed(s.Roots()&^jsontype.String)))
	if len(ends) > 0 && s.Roots()&jsontype.String != 0 {
		whole := p.goalOf(positive(p.Root))
		if p.typesIn(start) == 0 && p.typesIn(whole) == jsontype.String {
			if n := len(strings.Join(ends, "")); n > limits.TagEnds {
				p.Fail(p.ErrorAt(diag.Limit, p.Root, "", "the ends of the tag around a string of the style %s have "+
					"%d bytes, more than the limit of %d; use shorter ends", s.Name, n, limits.TagEnds))
			}
			t.Style, t.Ends, t.Alone = s.Text(), ends, true
			t.Forms[whole], t.Values = []GoalID{whole}, []GoalID{whole}
			return whole
		}
	}
	t.bodies[start] = true
	return start
}

// noneOfStyle returns an error if the schema has values, but none of the types that the style writes at its root.
func (p *Planner) noneOfStyle() error {
	t := p.Tagged
	if t == nil || t.Alone {
		return nil
	}
	types, roots := p.typesIn(p.goalOf(positive(p.Root))), t.Style.Roots()&^jsontype.String
	if types == 0 || types&roots != 0 {
		return nil
	}
	what := "objects"
	if roots&jsontype.Array != 0 {
		what += " and arrays"
	}
	return p.ErrorAt(diag.Unsatisfiable, p.Root, "", "nothing can satisfy the schema: the style %s writes %s only, and "+
		"the schema allows none; describe parameters as the properties of an object", t.Style.Name, what)
}

// typesIn returns the types that values of a goal may have.
func (p *Planner) typesIn(g GoalID) (all jsontype.Set) {
	p.expand(g)
	for a := range p.CasesOf(g) {
		all |= a.Flat.Types
	}
	return all
}

// hasEmpty reports whether the outermost value may be one without members.
func (p *Planner) hasEmpty(start GoalID) bool {
	roots := p.Tagged.Style.Roots()
	return !p.Tagged.Alone && (roots&jsontype.Object != 0 && p.satisfies(p.Tree.NewObject(p.Root), start) ||
		roots&jsontype.Array != 0 && p.satisfies(p.Tree.NewArray(p.Root), start))
}

func (p *Planner) python() bool { return p.Tagged != nil && p.Tagged.Style.Python }
