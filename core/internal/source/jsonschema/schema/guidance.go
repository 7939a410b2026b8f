package schema

import (
	"strconv"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

const guidanceKey = "x-guidance"

// JSONBlanks are the whitespace characters of JSON.
const JSONBlanks = " \t\n\r"

const guidanceEscapes = `nrbtf\"u`

type guidance struct {
	flexible, pattern jsontext.ID
	separators        [2]jsontext.ID
}

// readGuidance turns LLGuidance's settings at the root of the schema into options. As there, they precede the options
// of the compilation.
func (p *Reader) readGuidance() {
	at := jsontext.ID(0)
	if p.Tree.Kind(p.Root) == jsontext.Object {
		at = p.Tree.Get(p.Root, guidanceKey)
	}
	if at == 0 {
		return
	}
	if p.Tree.Kind(at) != jsontext.Object {
		p.Invalid(at, guidanceKey, "must be an object, not "+p.Tree.Kind(at).String())
		return
	}
	own := *p.Options
	p.Options = &own
	if lenient := p.Tree.Get(at, "lenient"); lenient != 0 {
		own.Lenient = p.flag(lenient) // first, because it affects the others
	}
	var g guidance
	for c := range p.Tree.Children(at) {
		switch n := p.Tree.Node(c); n.Key {
		case "lenient":
		case "coerce_one_of": // ignored: it only permits more than oneOf does
			p.flag(c)
		case "whitespace_flexible":
			p.flag(c)
			g.flexible = c
		case "whitespace_pattern":
			if n.Kind != jsontext.Null && p.IsString(c) {
				g.pattern = c
			}
		case "item_separator":
			g.separators[0] = p.separator(c, ",")
		case "key_separator":
			g.separators[1] = p.separator(c, ":")
		case "json_allowed_escapes":
			if p.IsString(c) && strings.Trim(guidanceEscapes, n.Text) != "" {
				p.Unsupported(c, n.Key, "strings may use every escape of JSON; list all of them")
			}
		case "json_allow_general_unicode_escapes":
			p.flag(c)
		default:
			p.Invalid(c, n.Key, "there is no such setting of LLGuidance; known are whitespace_flexible, "+
				"whitespace_pattern, item_separator, key_separator, lenient, coerce_one_of, json_allowed_escapes "+
				"and json_allow_general_unicode_escapes")
		}
	}
	if g != (guidance{}) && p.Err == nil {
		p.applyGuidance(&g)
	}
}

func (p *Reader) flag(c jsontext.ID) bool {
	n := p.Tree.Node(c)
	if !isBoolean(n) {
		p.Invalid(c, n.Key, "must be true or false, not "+n.Kind.String())
	}
	return n.Kind == jsontext.True
}

// separator returns a setting for a comma or a colon with whitespace, or 0. LLGuidance accepts any regular expression
// there.
func (p *Reader) separator(c jsontext.ID, mark string) jsontext.ID {
	switch n := p.Tree.Node(c); {
	case !p.IsString(c):
	case len(n.Text) > limits.JSONMark:
		p.Fail(p.ErrorAt(diag.Limit, c, n.Key, "has at most %d bytes, got %d", limits.JSONMark, len(n.Text)))
	case strings.Trim(n.Text, JSONBlanks) != mark:
		p.Unsupported(c, n.Key, "a separator must be "+strconv.Quote(mark)+" with any whitespace around it; other "+
			"regular expressions are not supported")
	default:
		return c
	}
	return 0
}

func (p *Reader) applyGuidance(g *guidance) {
	o := p.Options
	flexible := !o.Compact && o.Separators == nil && o.Indent == nil
	if g.flexible != 0 {
		flexible = p.flag(g.flexible)
	}
	separators := [2]string{",", ":"}
	for i, c := range g.separators {
		if c != 0 {
			separators[i] = p.Tree.Node(c).Text
		}
		if len(separators[i]) > 1 && (flexible || g.pattern != 0) {
			p.Unsupported(c, p.Tree.Node(c).Key, "this separator has whitespace, and whitespace is flexible as "+
				"well; set whitespace_flexible to false, and leave whitespace_pattern out")
			return
		}
	}
	o.Compact, o.MaxWhitespace, o.WhitespacePattern, o.Separators, o.Indent = false, 0, "", nil, nil
	switch {
	case g.pattern != 0:
		text := p.Tree.Node(g.pattern).Text
		if len(text) > limits.JSONBlanksPattern {
			p.Fail(p.ErrorAt(diag.Limit, g.pattern, "whitespace_pattern", "has at most %d bytes, got %d",
				limits.JSONBlanksPattern, len(text)))
		}
		p.PatternAt = g.pattern
		o.WhitespacePattern = "(?:" + text + ")?" // there it occurs at most once in a gap
	case !flexible:
		o.Separators = &separators
	}
}
