package lower

import (
	"strconv"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/plan"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/schema"
	"github.com/sluice-engine/sluice/core/internal/source/regex"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// layout is the form of JSON text: the gaps between tokens, and the spelling of strings. With indented lines, the
// marks belong to one depth of nesting.
type layout struct {
	marks
	words    words
	indented bool
	depth    int
	cut      bool    // some nesting is too deep to be indented
	placed   []marks // by depth, with indented lines
	level    int     // of the marks, if gaps depend on it; see gap.go
}

type marks struct {
	ws                             terminal.Expr // before a value
	open, close, openList, endList terminal.Expr
	comma, quote, colon            terminal.Expr
}

// CheckLayout checks the options about whitespace.
func CheckLayout(o *source.Options) error {
	wrong := func(format string, args ...any) error {
		return diag.Errorf(diag.Argument, schema.SourceName, diag.Place{}, format, args...)
	}
	given := ""
	for _, option := range [...]struct {
		name string
		set  bool
	}{
		{"compact", o.Compact},
		{"max_whitespace", o.MaxWhitespace != 0},
		{"whitespace_pattern", o.WhitespacePattern != ""},
		{"separators or indent", o.Separators != nil || o.Indent != nil},
	} {
		if option.set && given != "" {
			return wrong("the options %s and %s both set the whitespace between tokens; give one of them", given,
				option.name)
		}
		if option.set {
			given = option.name
		}
	}
	if o.MaxWhitespace < 0 {
		return wrong("the option max_whitespace must not be negative, got %d", o.MaxWhitespace)
	}
	if n := len(o.WhitespacePattern); n > limits.JSONBlanksPattern {
		return wrong("the option whitespace_pattern takes at most %d bytes, got %d", limits.JSONBlanksPattern, n)
	}
	if s := o.Separators; s != nil {
		if n := max(len(s[0]), len(s[1])); n > limits.JSONMark {
			return wrong("the option separators takes two texts of at most %d bytes, got one of "+
				"%d", limits.JSONMark, n)
		}
		for i, mark := range [...]string{",", ":"} {
			if strings.Trim(s[i], schema.JSONBlanks) != mark {
				return wrong("the option separators takes a comma and a colon, each with any whitespace around it, "+
					"not %s", schema.Quote(s[i]))
			}
		}
	}
	if o.Indent != nil && len(*o.Indent) > limits.JSONMark {
		return wrong("the option indent takes at most %d bytes of whitespace, got "+
			"%d", limits.JSONMark, len(*o.Indent))
	}
	if o.Indent != nil && strings.Trim(*o.Indent, schema.JSONBlanks) != "" {
		return wrong("the option indent takes a number of spaces, or whitespace, not %s", schema.Quote(*o.Indent))
	}
	return nil
}

func (l *lowerer) prepare() {
	st, o := l.st, l.p.Options
	fixed := o.Separators != nil || o.Indent != nil
	l.scope = jsontype.All
	l.words = l.namedValues()
	gap := Gap(st, l.p, anyLevel)
	if o.WhitespacePattern != "" {
		gap = l.blanks(o.WhitespacePattern)
	}
	if l.inBrackets() {
		gap, fixed = terminal.Epsilon, false
	}
	if l.marks = l.marksAround(gap); fixed {
		separators := [2]string{",", ": "}
		if o.Separators != nil {
			separators = *o.Separators
		}
		l.comma, l.colon = st.Literal(separators[0]), st.Literal(separators[1])
	}
	l.prepareTexts()
	if o.Indent != nil && !l.inBrackets() {
		l.indented = true
		l.setDepth(0)
	}
}

func (l *lowerer) marksAround(gap terminal.Expr) marks {
	mark := func(s string) terminal.Expr { return l.st.Concat(gap, l.st.Literal(s)) }
	m := marks{
		ws: gap, open: mark("{"), close: mark("}"), openList: mark("["), endList: mark("]"), comma: mark(","),
		colon: mark(":"), quote: mark(`"`),
	}
	if l.python() { // a name has its own quotes, of two kinds
		m.quote = gap
	}
	return m
}

// NoMembers returns the texts of empty arguments in tags.
func NoMembers(st *terminal.Store, p *plan.Planner) terminal.Expr {
	switch {
	case !p.Laid():
		return Gap(st, p, 1)
	case p.Tagged.Style.Nests():
		return st.Optional(st.Literal(p.Tagged.Style.Between))
	}
	return terminal.Epsilon
}

func (l *lowerer) blanks(pattern string) terminal.Expr {
	refuse := func(reason string) terminal.Expr {
		e := diag.Errorf(diag.Argument, schema.SourceName, diag.Place{}, "the option whitespace_pattern %s", reason)
		e.Fragment = diag.Shorten(pattern, 60)
		if at := l.p.PatternAt; at != 0 {
			e = l.p.ErrorAt(diag.Invalid, at, "whitespace_pattern", "%s", reason)
		}
		l.fail(e)
		return terminal.Epsilon
	}
	tree, err := regex.Parse(nil, pattern)
	if err != nil {
		return refuse("is not a regular expression: " + err.Error())
	}
	e, err := regex.Lower(l.st, tree, regex.Mode{Encoding: terminal.UTF8})
	if err != nil {
		return refuse("is not supported: " + err.Error())
	}
	if !l.st.IsEmpty(l.st.And(e, l.st.Not(l.st.Star(l.st.Bytes(terminal.BytesOf(blanks(l.p))))))) {
		return refuse("matches more than whitespace; only spaces, tabs and line ends may stand between tokens of " +
			"JSON")
	}
	if e == terminal.Empty {
		return refuse("matches nothing, not even the empty text")
	}
	return e
}

func (l *lowerer) setDepth(depth int) {
	if !l.indented {
		return
	}
	l.depth = depth
	if depth < 0 {
		return
	}
	for len(l.placed) <= depth {
		l.placed = append(l.placed, l.marksAt(len(l.placed)))
	}
	m := &l.placed[depth]
	l.open, l.close, l.openList, l.endList, l.comma = m.open, m.close, m.openList, m.endList, m.comma
}

func (l *lowerer) marksAt(depth int) marks {
	st, o := l.st, l.p.Options
	outer := "\n" + strings.Repeat(*o.Indent, depth)
	inner := outer + *o.Indent
	separator := ","
	if o.Separators != nil {
		separator = o.Separators[0]
	}
	return marks{
		open: st.Literal("{" + inner), close: st.Literal(outer + "}"), openList: st.Literal("[" +
			inner), endList: st.Literal(outer + "]"),
		comma: st.Literal(separator + inner),
	}
}

func (l *lowerer) tooDeep() bool {
	if !l.indented || l.depth < limits.JSONIndentDepth {
		return false
	}
	if !l.cut {
		l.cut = true
		l.more = append(l.more, diag.Note{Effect: diag.Narrower, Text: "with the option indent, arrays and " +
			"objects nest no deeper than " + strconv.Itoa(limits.JSONIndentDepth) + " levels"})
	}
	return true
}
