package plan

import (
	"slices"
	"strconv"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/number"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/schema"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

var beyondDigits = "integers of more than " + strconv.Itoa(limits.JSONDigits) +
	" digits are left out, although this bound allows them"

// apply adds an atom to the conjunction f. It applies keywords in the order of the schema, $ref and allOf among them,
// which defines the order of merged properties. It appends alternatives to f.choices.
func (p *applier) apply(f *Flat, a atom, up int32) { p.applyAs(f, a, up, demanded) }

func (p *applier) applyAs(f *Flat, a atom, up int32, as how) {
	if p.Err != nil || f.Types == 0 {
		return
	}
	at, e := p.enter(a, up, as)
	switch e {
	case entered:
	case impossible:
		f.restrict(0, a.Node(), "", "this alternative only leads back to itself")
		return
	default:
		return
	}
	use := seenAtom{a, noPath}
	if p.Evaluating {
		use.path = up
	}
	for _, s := range f.seen {
		if s == use {
			return
		}
	}
	f.seen = append(f.seen, use)
	n := p.Tree.Node(a.Node())
	switch n.Kind {
	case jsontext.True, jsontext.False:
		if (n.Kind == jsontext.True) == a.negated() {
			f.restrict(0, a.Node(), "", "the schema allows no value")
		}
	case jsontext.Object:
		if a.negated() {
			p.applyNegated(f, a.Node(), at)
		} else {
			p.applySchema(f, a.Node(), at)
		}
	default:
		p.Invalid(a.Node(), "", "a schema must be an object, true or false, not "+n.Kind.String())
	}
}

func (p *applier) applySchema(f *Flat, node jsontext.ID, at int32) {
	t := p.Tree
	d := p.DialectAt(node)
	if ref := p.refAlone(node, d); ref != 0 {
		p.NoteKeys(node, d)
		p.NoteBesideRef(node, d)
		p.applyRef(f, ref, at)
		return
	}
	objects, lists := false, false // these keywords were applied already, together
	for c := t.Node(node).First; c != 0 && p.Err == nil; c = t.Node(c).Next {
		switch k := schema.KeywordOf(t.Node(c), d); k {
		case schema.Other:
			p.NoteUnknown(c, d)
		case schema.Properties, schema.PatternProperties, schema.AdditionalProperties:
			if !objects {
				objects = true
				p.applyFacet(f, node, at)
			}
		case schema.Items, schema.PrefixItems, schema.AdditionalItems:
			if !lists {
				lists = true
				p.applyList(f, node, d, at)
			}
		case schema.AllOf, schema.AnyOf, schema.OneOf, schema.Not, schema.If, schema.Then, schema.Else,
			schema.Ref, schema.DynamicRef, schema.RecursiveRef,
			schema.Dependencies, schema.DependentRequired, schema.DependentSchemas:
			p.applyLogic(f, k, c, at)
		default:
			p.applyAssertion(f, k, c, node, at)
		}
	}
}

// refAlone returns the reference of a schema up to draft-07, or zero. Keywords beside it have no effect.
func (p *applier) refAlone(node jsontext.ID, d schema.Dialect) jsontext.ID {
	ref := p.Tree.Get(node, "$ref")
	if ref == 0 || d > schema.Draft7 || p.Tree.Kind(ref) != jsontext.String {
		return 0
	}
	return ref
}

// applyLogic handles keywords that hold subschemas for the same value.
func (p *applier) applyLogic(f *Flat, k schema.Keyword, c jsontext.ID, at int32) {
	t := p.Tree
	switch k {
	case schema.Ref:
		p.applyRef(f, c, at)
	case schema.DynamicRef, schema.RecursiveRef:
		if target := p.ResolveDynamic(c, k); target != 0 {
			p.apply(f, positive(target), at)
		} else if p.Err == nil {
			p.refuse(f, jsontype.All, c, "the schema that this refers to depends on the path to it")
		}
	case schema.AllOf:
		if !p.Schemas(c) {
			return
		}
		for s := range t.Children(c) {
			p.apply(f, positive(s), at)
		}
	case schema.AnyOf, schema.OneOf:
		if p.Schemas(c) {
			f.choices = append(f.choices, choice{keyword: k, node: c, path: at})
		}
	case schema.Not:
		p.apply(f, negative(c), at)
	case schema.If:
		f.choices = append(f.choices, choice{keyword: schema.If, node: c, path: at})
	case schema.Dependencies, schema.DependentRequired, schema.DependentSchemas:
		p.applyDependencies(f, k, c, at)
	}
}

func (p *applier) applyRef(f *Flat, ref jsontext.ID, at int32) {
	if target := p.Resolve(ref); target != 0 {
		p.apply(f, positive(target), at)
	} else if p.Err == nil {
		p.refuse(f, jsontype.All, ref, "the document that this refers to was not passed, and the library fetches "+
			"none; copy the schema into $defs")
	}
}

// applyDependencies adds, for each property that others depend on, a choice between its absence and its presence.
func (p *applier) applyDependencies(f *Flat, k schema.Keyword, c jsontext.ID, at int32) {
	t := p.Tree
	if t.Kind(c) != jsontext.Object {
		p.Invalid(c, t.Node(c).Key, "must be an object whose keys are property names")
		return
	}
	for d := range t.Children(c) {
		n := t.Node(d)
		switch {
		case n.Kind == jsontext.Array && k != schema.DependentSchemas:
			if !p.Names(d) {
				return
			}
			if n.Count == 0 {
				continue
			}
		case n.Kind == jsontext.Array || k == schema.DependentRequired:
			p.Invalid(d, t.Node(c).Key, "must be a list of property names (dependentRequired) or a schema "+
				"(dependentSchemas)")
			return
		case n.Kind == jsontext.String: // an older spelling of a list of one name
			p.Invalid(d, t.Node(c).Key, "must be a list of property names or a schema; write the one name in brackets")
			return
		case p.trivial(positive(d)) == AnyGoal:
			continue
		}
		f.choices = append(f.choices, choice{keyword: schema.Dependencies, node: d, path: at})
	}
}

// refuse notes that a keyword cannot be enforced for values of these types.
func (p *applier) refuse(f *Flat, types jsontype.Set, node jsontext.ID, reason string) {
	f.refusals = append(f.refusals, refusal{types, node, p.Tree.Node(node).Key, reason})
}

// applyFacet adds properties, patternProperties and additionalProperties of one schema.
func (p *applier) applyFacet(f *Flat, node jsontext.ID, at int32) {
	t := p.Tree
	fc := facet{properties: t.Get(node, "properties"), patterns: t.Get(node,
		"patternProperties"), additional: t.Get(node, "additionalProperties"), path: at, tested: p.isTested(at)}
	for _, c := range [...]jsontext.ID{fc.properties, fc.patterns} {
		if c != 0 && t.Kind(c) != jsontext.Object {
			p.Invalid(c, t.Node(c).Key, "must be an object of schemas, not "+t.Kind(c).String())
			return
		}
	}
	if fc.patterns != 0 {
		for c := range t.Children(fc.patterns) {
			if p.Patterns.Of(t.Node(c).Key, c) == nil {
				return
			}
		}
	}
	f.facets = append(f.facets, fc)
}

// applyAssertion handles the keywords without alternatives and facets.
func (p *applier) applyAssertion(f *Flat, k schema.Keyword, c, node jsontext.ID, at int32) {
	t := p.Tree
	n := t.Node(c)
	switch k {
	case schema.Type:
		types := p.Types(c)
		f.Integer = f.Integer || types&jsontype.Number == jsontype.Integer
		f.restrict(types, c, "type", "the other keywords leave no value of type "+diag.Shorten(t.Raw(c), 60))
	case schema.Enum, schema.Const:
		p.keepValues(f, c)
	case schema.Required:
		if p.Names(c) {
			tested := p.isTested(at)
			for m := range t.From(n.First) {
				f.require(nameUse{t.Node(m).Text, m, true, tested})
			}
		}
	case schema.MinProperties:
		f.narrowProps(p.Count(c), NoMaximum, c)
	case schema.MaxProperties:
		f.narrowProps(0, p.Count(c), c)
	case schema.MinItems:
		f.narrowItems(p.Count(c), NoMaximum, c)
	case schema.MaxItems:
		f.narrowItems(0, p.Count(c), c)
	case schema.MinLength:
		f.narrowLengths(p.Count(c), NoMaximum, c)
	case schema.MaxLength:
		f.narrowLengths(0, p.Count(c), c)
	case schema.Pattern:
		if q := p.patternAt(c); q != nil && !q.MatchesAll() {
			a := q.LengthAhead()
			if a.Note != "" {
				p.Note(c, n.Key, diag.Narrower, a.Note)
			}
			f.narrowLengths(a.Low, a.High, c)
			f.Patterns = append(f.Patterns, PatternUse{Node: c, Text: a.Rest})
		}
	case schema.Format:
		p.applyFormat(f, c, false)
	case schema.Minimum, schema.Maximum, schema.ExclusiveMinimum, schema.ExclusiveMaximum:
		if b, low, ok := p.Bound(k, c, node); ok {
			f.narrowNumber(b, low, c)
			if t := p.Tree.Get(node, "type"); b.Value.Exponent > limits.JSONDigits && t != 0 &&
				p.Types(t)&jsontype.Number == jsontype.Integer {
				p.Note(c, n.Key, diag.Narrower, beyondDigits)
			}
		}
	case schema.MultipleOf:
		if d, ok := p.Divisor(c); ok && p.canDivide(f, d, c) {
			f.Number.Multiples, f.divisor, p.divides = append(f.Number.Multiples, d), c, true
		}
	case schema.PropertyNames:
		f.nameAtoms = append(f.nameAtoms, positive(c))
	default:
		p.applyRare(f, k, c, node, at)
	}
	if f.Why.Node == 0 {
		f.Why.Node = c // the place of errors of settle that have no other
	}
}

// applyRare handles the keywords about equal or matching items, and about members and items that other keywords have
// left over.
func (p *applier) applyRare(f *Flat, k schema.Keyword, c, node jsontext.ID, at int32) {
	n := p.Tree.Node(c)
	switch k {
	case schema.UniqueItems:
		switch n.Kind {
		case jsontext.True:
			f.unique = c
		case jsontext.False:
		default:
			p.Invalid(c, n.Key, "must be true or false")
		}
	case schema.Contains:
		p.applyContains(f, c, node, at)
	case schema.MinContains, schema.MaxContains:
		p.Count(c)
	case schema.UnevaluatedProperties, schema.UnevaluatedItems:
		f.rest = append(f.rest, unevaluated{node: c, path: at, items: k == schema.UnevaluatedItems})
		if k == schema.UnevaluatedItems {
			f.restTypes |= jsontype.Array
		} else {
			f.restTypes |= jsontype.Object
		}
	}
}

// applyContains bounds the number of items that satisfy a schema.
func (p *applier) applyContains(f *Flat, c, node jsontext.ID, at int32) {
	if p.Evaluating && p.DialectAt(node) >= schema.Draft2020 {
		f.evaluates = append(f.evaluates, evaluation{node: c, path: at})
	}
	least, most := p.ContainsBounds(node)
	switch {
	case least > most:
		f.restrict(^jsontype.Array, c, "contains", "minContains is greater than maxContains")
	case most == 0:
		f.lists = append(f.lists, listFacet{rest: negative(c), path: noPath})
	case least > 0 || most != NoMaximum:
		if p.contained == nil {
			p.contained = map[jsontext.ID]bool{}
		}
		p.contained[c] = true
		f.counts = append(f.counts, itemCount{min: least, max: most, atom: positive(c), node: c})
	}
}

// narrowNumber adds a bound, which node demands.
func (f *Flat) narrowNumber(b number.Bound, low bool, node jsontext.ID) {
	to, end, tighter := &f.Number.High, 1, number.TighterHigh
	if low {
		to, end, tighter = &f.Number.Low, 0, number.TighterLow
	}
	if t := tighter(*to, b); t != *to {
		*to, f.ends.number[end] = t, node
	}
}

// canDivide reports whether exact arithmetic exists for a divisor; else the keyword c is refused for the numbers it
// concerns.
func (p *applier) canDivide(f *Flat, d number.Decimal, c jsontext.ID) bool {
	if number.CanDivide(d, false) || f.HasValues { // listed values are divided one by one
		return true
	}
	types := jsontype.Number
	if number.CanDivide(d, true) && !p.Options.Lenient {
		types = jsontype.Fraction // multiples among integers have an exact form
	}
	p.refuse(f, types, c, "a divisor may have at most 18 digits, at most "+strconv.Itoa(limits.JSONDigits)+
		" of them after the point")
	return types == jsontype.Fraction
}

// listed returns the values of enum or const.
func (p *applier) listed(c jsontext.ID) []jsontext.ID {
	t := p.Tree
	n := t.Node(c)
	switch {
	case n.Key == "const":
		return []jsontext.ID{c}
	case n.Kind != jsontext.Array:
		p.Invalid(c, "enum", "must be a list of values, not "+n.Kind.String())
		return nil
	}
	return slices.AppendSeq(make([]jsontext.ID, 0, n.Count), t.Children(c))
}

// keepValues intersects the values of f with enum or const.
func (p *applier) keepValues(f *Flat, c jsontext.ID) {
	values := p.listed(c)
	if f.HasValues {
		values = p.Common(f.Values, values)
	}
	f.HasValues, f.Values = true, values
	var types jsontype.Set
	for _, v := range values {
		types |= p.TypeOf(v)
	}
	f.restrict(types, c, p.Tree.Node(c).Key, "the other keywords allow none of its values")
}

// applyBranch adds the literals of a branch to f.
func (p *applier) applyBranch(f *Flat, b branch, path int32, as how) {
	for i := range b {
		l := &b[i]
		if only := typesOf[l.op]; only != 0 && f.Types&^only != 0 {
			f.restrict(only, l.node, "", "the alternatives leave only values of type "+only.String())
		}
		switch l.op {
		case opTypes:
			f.restrict(l.types, l.node, "", "the alternatives exclude each other")
		case opAtom:
			p.applyAs(f, l.atom, path, as)
		case opNotValues:
			p.excludeValues(f, l.node)
		case opNumber:
			f.narrowNumber(l.bound, l.lower, l.node)
		case opNotMultiple:
			if d, ok := p.Divisor(l.node); ok && p.canDivide(f, d, l.node) {
				f.Number.NotMultiples, f.divisor, p.divides = append(f.Number.NotMultiples, d), l.node, true
			}
		case opLength:
			f.narrowLengths(l.low, l.high, l.node)
		case opPattern:
			f.Patterns = append(f.Patterns, l.use)
		case opItems:
			f.narrowItems(l.low, l.high, l.node)
		case opItemAt:
			prefix := make([]atom, l.from+1)
			prefix[l.from] = l.atom
			f.lists = append(f.lists, listFacet{prefix: prefix, path: noPath})
			f.narrowItems(uint64(len(prefix)), NoMaximum, l.node)
		case opCount:
			if l.high == 0 {
				f.lists = append(f.lists, listFacet{rest: l.atom.not(), path: noPath})
			} else {
				f.counts = append(f.counts, itemCount{l.from, l.low, l.high, l.atom, l.node})
			}
		case opTest:
			f.restrict(l.types, l.node, "", "the alternatives leave only other types")
			f.tests = append(f.tests, test{types: l.types, atom: l.atom, without: true, node: l.node, keyword: l.name})
		case opForbid:
			f.forbid(l.name, l.node)
		case opRequire:
			f.require(nameUse{name: l.name, node: l.node, tested: true})
		case opProperty:
			f.require(nameUse{name: l.name, node: l.node, tested: true})
			f.named = append(f.named, namedAtom{l.name, l.atom})
		case opProps:
			f.narrowProps(l.low, l.high, l.node)
		case opExtra:
			f.choices = append(f.choices, choice{keyword: schema.AdditionalProperties, node: l.node, path: path})
		}
	}
}

// applyNegated adds the negation of a schema: one of its keywords fails. A single branch is applied at once. Several
// are a choice like any other.
func (p *applier) applyNegated(f *Flat, node jsontext.ID, at int32) {
	n := negation{p: p, node: node, dialect: p.DialectAt(node)}
	t := p.Tree
	if ref := p.refAlone(node, n.dialect); ref != 0 {
		n.keyword(schema.Ref, ref)
		p.applyNegation(f, &n, at)
		return
	}
	for c := t.Node(node).First; c != 0 && p.Err == nil; c = t.Node(c).Next {
		if k := schema.KeywordOf(t.Node(c), n.dialect); k != schema.Other {
			n.keyword(k, c)
		}
	}
	p.applyNegation(f, &n, at)
}

func (p *applier) applyNegation(f *Flat, n *negation, at int32) {
	if n.whole != 0 {
		// The keyword n.whole depends on all others, so one test decides whether an array or object fails the schema.
		// For values of other types n.whole holds, so another keyword has to fail.
		const nested = jsontype.Array | jsontype.Object
		for i := range n.list {
			n.list[i] = append(n.list[i], literal{op: opTypes, types: jsontype.All &^ nested, node: n.whole})
		}
		n.without(nested, n.whole, n.node)
	}
	switch {
	case p.Err != nil:
	case len(n.list) == 0:
		f.restrict(0, n.node, "not", "the schema allows every value, so its opposite allows none")
	case len(n.list) == 1:
		p.applyBranch(f, n.list[0], at, onlyBranch)
	default:
		f.choices = append(f.choices, choice{keyword: schema.Not, node: n.node, path: at, branches: n.list})
	}
}

// excludeValues forbids the values of an enum or const.
func (p *applier) excludeValues(f *Flat, c jsontext.ID) {
	for _, v := range p.listed(c) {
		f.NotValues = append(f.NotValues, v)
		switch n := p.Tree.Node(v); n.Kind {
		case jsontext.Null:
			f.restrict(^jsontype.Null, v, "not", "null is excluded")
		case jsontext.True:
			f.Bools &^= 1
		case jsontext.False:
			f.Bools &^= 2
		case jsontext.Number:
			if d, ok := p.Decimal(v); ok {
				f.Number.NotEqual = append(f.Number.NotEqual, d)
			}
		case jsontext.Array:
			if n.Count == 0 {
				f.narrowItems(1, NoMaximum, v)
			}
		case jsontext.Object:
			if n.Count == 0 {
				f.narrowProps(1, NoMaximum, v)
			}
		}
	}
}
