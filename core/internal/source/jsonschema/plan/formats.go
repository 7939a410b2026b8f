package plan

import (
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/format"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/schema"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// applyFormat adds a format as an assertion (or its negation). An unknown format is a note, as are all formats with the
// option that makes format an annotation.
func (p *Planner) applyFormat(f *Flat, c jsontext.ID, negated bool) {
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
	case negated && format.AtMost(name) != "":
		// What is left out of the format must not come in by its opposite: that is taken of more than the format.
		p.Note(c, "format", diag.Narrower, "the opposite of this format leaves out every string that looks like "+
			"the format")
		f.Patterns = append(f.Patterns, PatternUse{Node: c, Text: name + format.Opposite, Format: true, Negated: true})
	default:
		if name == "regex" {
			p.Note(c, "format", diag.Wider, format.RegexNote)
		} else if text := format.Note(name); text != "" {
			p.Note(c, "format", diag.Narrower, text)
		}
		f.Patterns = append(f.Patterns, PatternUse{Node: c, Text: name, Format: true, Negated: negated})
	}
}
