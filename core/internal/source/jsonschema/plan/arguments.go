package plan

import (
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
)

// Programs that read arguments of a call keep numbers as doubles. They read the text null without quotes as JSON's
// null, not as a string. Some fail at spaces between tags, which no model writes. So arguments are an object, their
// numbers fit a double, and no string without quotes spells null. Between tags stands the text of the chat templates,
// or nothing.

// Laid reports whether only the text of the chat templates stands between the tags of the style. Arguments demand that.
// Options that fix the whitespace of JSON demand it too, except in a style of Python: they forbid other whitespace
// between tags, and the text of the templates is no whitespace of JSON.
func (p *Planner) Laid() bool {
	o := p.Options
	fixed := o.Compact || o.Separators != nil || o.Indent != nil
	return p.Tagged != nil && (p.Arguments || fixed && !p.Tagged.Style.Python)
}

// Bare reports whether a string that spells null is read as null.
func (p *Planner) Bare() bool { return p.Tagged != nil && !p.Tagged.Alone && p.Tagged.Style.Bare() }

// noteArguments notes the values of the schema that arguments cannot be.
func (p *Planner) noteArguments(reached []GoalID) {
	var numbers, texts bool
	for _, g := range reached {
		for a := range p.CasesOf(g) {
			numbers = numbers || !a.Flat.HasValues && a.Flat.Types&jsontype.Fraction != 0
			texts = texts || !a.Flat.HasValues && a.Flat.Types&jsontype.String != 0
		}
	}
	var left []string
	if numbers {
		left = append(left, "numbers with exponents of more than two digits, which overflow a double")
	}
	if texts && p.Bare() {
		left = append(left, "strings that spell null, which readers take for null")
	}
	if len(left) > 0 {
		p.Note(p.Root, "", diag.Narrower, "arguments of a call leave out "+strings.Join(left, ", and "))
	}
}
