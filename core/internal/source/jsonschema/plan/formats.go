package plan

import (
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/format"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/schema"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// applyFormat adds a format as an assertion (or its negation). An unknown format is a note, as are all formats with the
// option that makes format an annotation.
func (p *applier) applyFormat(f *Flat, c jsontext.ID, negated bool) {
	if !p.IsString(c) {
		return
	}
	name := p.Tree.Node(c).Text
	switch {
	case p.Options.FormatIsNote:
		p.Note(c, "format", diag.Ignored, "the option format makes this an annotation")
	case name == "hostname" && p.DialectAt(c) < schema.Draft7:
		// Before draft-07 a label follows RFC 1123, with hyphens in any place.
		f.Patterns = append(f.Patterns, PatternUse{Node: c, Text: format.PlainHostname, Format: true, Negated: negated})
	case format.Pattern(name) == "":
		p.Note(c, "format", diag.Ignored, "the format "+schema.Quote(name)+" is not in the specification and has "+
			"no effect")
	case negated && format.Of(name).AtMost != "":
		// The pattern is narrower than the format, so its opposite would be too wide. So this takes the opposite of a
		// wider pattern.
		p.Note(c, "format", diag.Narrower, "the opposite of this format leaves out every string that looks like "+
			"the format")
		f.Patterns = append(f.Patterns, PatternUse{Node: c, Text: name + format.Opposite, Format: true, Negated: true})
	default:
		if x := format.Of(name); x.Effect != 0 {
			p.Note(c, "format", x.Effect, x.Note)
		}
		f.Patterns = append(f.Patterns, PatternUse{Node: c, Text: name, Format: true, Negated: negated})
	}
}

// applyList adds the item keywords of one schema, in whichever of the two spellings it uses.
func (p *applier) applyList(f *Flat, node jsontext.ID, d schema.Dialect, at int32) {
	t := p.Tree
	l := listFacet{path: at}
	items := t.Get(node, "items")
	tuple, rest := items, items
	if items != 0 && t.Kind(items) == jsontext.Array {
		rest = t.Get(node, "additionalItems")
	} else {
		tuple = 0
		if d >= schema.Draft2020 {
			tuple = t.Get(node, "prefixItems")
		}
	}
	if tuple != 0 {
		if t.Kind(tuple) != jsontext.Array {
			p.Invalid(tuple, t.Node(tuple).Key, "must be a list of schemas, not "+t.Kind(tuple).String())
			return
		}
		l.prefix = make([]atom, 0, t.Node(tuple).Count)
		for c := range t.Children(tuple) {
			l.prefix = append(l.prefix, positive(c))
		}
	}
	if rest != 0 {
		l.rest = positive(rest)
	}
	if rest != 0 || len(l.prefix) > 0 {
		f.lists = append(f.lists, l)
	}
}

// conditional splits if/then/else into its two cases. seen says that an unevaluated… keyword depends on the condition;
// then a condition without then and else has two cases too.
func (p *applier) conditional(c *choice, seen bool) (list []branch, decided bool) {
	t := p.Tree
	schema := t.Node(c.node).Parent
	then, otherwise := t.Get(schema, "then"), t.Get(schema, "else")
	yes, no := atomBranch(positive(c.node)), atomBranch(negative(c.node))
	if then == 0 && otherwise == 0 {
		return []branch{yes, nil}, !seen
	}
	if then != 0 {
		yes = atomBranch(positive(c.node), positive(then))
	}
	if otherwise != 0 {
		no = atomBranch(negative(c.node), positive(otherwise))
	}
	return []branch{yes, no}, false
}
