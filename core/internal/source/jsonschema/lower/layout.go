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

type marks struct {
	ws                             terminal.Expr // before a value
	open, close, openList, endList terminal.Expr
	comma, quote, colon            terminal.Expr
}

// words are the spellings of null, true and false.
type words struct{ Null, True, False string }

// layout is the form of JSON text: the gaps between tokens, and the words. With indented lines, the marks belong to one
// depth of nesting. A script has the spelling of strings.
type layout struct {
	marks
	words    words
	indented bool
	depth    int
	cut      bool    // some nesting is too deep to be indented
	placed   []marks // by depth, with indented lines
	level    int     // of the marks, if gaps depend on it; see Gap
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

// layouter writes the marks between values: all of JSON but strings and numbers.
type layouter struct {
	task
	layout
	levels []uint8 // by goal, if gaps depend on it: the deepest level of its values; see Gap
	gaps   [anyLevel + 1]marks
}

func (l *layouter) marksAround(gap terminal.Expr) marks {
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
	s := p.Tagged.Style
	switch {
	case !p.Laid():
		return Gap(st, p, 1)
	case s.Nests() || s.Blank:
		return st.Optional(st.Literal(s.Between))
	}
	return terminal.Epsilon
}

func (l *layouter) blanks(pattern string) terminal.Expr {
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

func (l *layouter) setDepth(depth int) {
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

func (l *layouter) marksAt(depth int) marks {
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

func (l *layouter) tooDeep() bool {
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

func (l *layouter) namedValues() words {
	if l.python() {
		return words{"None", "True", "False"}
	}
	return words{"null", "true", "false"}
}

// blanks returns the characters of whitespace between tokens. Some readers of Python split calls at line ends.
func blanks(p *plan.Planner) string {
	if p.Tagged != nil && p.Tagged.Style.Python {
		return " "
	}
	return schema.JSONBlanks
}

func (l *layouter) openingList(lead terminal.Expr) terminal.Expr {
	if lead == l.ws {
		return l.openList
	}
	return l.lead(lead, l.st.Literal("["))
}

func (l *layouter) openingObject(lead terminal.Expr) terminal.Expr {
	if lead == l.ws {
		return l.open
	}
	return l.lead(lead, l.st.Literal("{"))
}

// Serializers write nothing between two tokens, a blank, or one or two line ends and an indentation. Only these gaps
// are allowed. The bound of the indentation depends on the level of nesting. A goal has one level, the deepest of its
// values.
//
// There are two bounds, for up to limits.JSONLevels levels and for more, because each gap has its own terminals. With
// a gap for every level, new masks take a fifth longer on average, and half as long again at p99.
//
// INVARIANT: if anything is tested, all gaps are equal. Both sides of a test read one text, and the excluded side must
// read it with every gap that the other side allows.

const anyLevel = limits.JSONLevels + 1

// tagLevel is the level of tags. No model indents outer tags; inner ones may be indented.
const tagLevel = 2

// Gap returns the gaps between tokens at a level of nesting, unless a pattern defines them.
func Gap(st *terminal.Store, p *plan.Planner, level int) terminal.Expr {
	o := p.Options
	switch {
	case p.Tagged != nil && p.Tagged.Style.Brackets,
		o.Compact || o.WhitespacePattern != "" || o.Separators != nil || o.Indent != nil:
		return terminal.Epsilon
	case o.MaxWhitespace > 0:
		return st.Repeat(st.Bytes(terminal.BytesOf(blanks(p))), 0, uint32(o.MaxWhitespace))
	}
	if blanks(p) == " " {
		return st.Optional(st.Literal(" "))
	}
	blanks := uint32(limits.JSONWhitespace - 2)
	if level <= limits.JSONLevels {
		blanks = limits.JSONIndent * uint32(level)
	}
	// The standard store keeps one gap for each bound, which saves a compilation 8 µs.
	e, _ := st.Memo("gap "+strconv.Itoa(int(blanks)), func() (terminal.Expr, error) { return serializersGap(st, blanks), nil })
	return e
}

// serializersGap returns the gaps of serializers with an indentation of at most so many blanks.
func serializersGap(st *terminal.Store, blanks uint32) terminal.Expr {
	blank := st.Literal(" ")
	end := st.Concat(st.Optional(st.Literal("\r")), st.Literal("\n"))
	indentation := st.Or(st.Repeat(blank, 0, blanks), st.Repeat(st.Literal("\t"), 0, blanks/limits.JSONTab))
	return st.Or(terminal.Epsilon, blank, st.Concat(st.Or(end, st.Concat(end, end)), indentation))
}

func (l *layouter) useGap(level int) {
	if l.levels == nil {
		return
	}
	if level <= limits.JSONLevels {
		level = limits.JSONLevels
	}
	l.level = level
	if l.gaps[level].ws == 0 {
		l.gaps[level] = l.marksAround(Gap(l.st, l.p, level))
	}
	l.marks = l.gaps[level]
}

func (l *layouter) levelOf(g plan.GoalID) int {
	if l.levels == nil || int(g) >= len(l.levels) {
		return anyLevel
	}
	return int(l.levels[g])
}

func (l *layouter) inside(g plan.GoalID) int { return min(l.levelOf(g)+1, anyLevel) }

func (l *layouter) findLevels(tested bool) {
	o := l.p.Options
	if tested || l.indented || o.MaxWhitespace > 0 || Gap(l.st, l.p, 0) == terminal.Epsilon {
		return
	}
	l.levels = make([]uint8, len(l.p.Goals))
	found := make([]uint8, len(l.p.Goals)) // by goal: the level at which it was last found
	now := []plan.GoalID{l.c.Start}
	for level := uint8(0); len(now) > 0; {
		var next []plan.GoalID
		below := min(level+1, anyLevel) // at which each goal is found at most once
		visit := func(g plan.GoalID) {
			if g != plan.NoneGoal && g != plan.AnyGoal && found[g] != below {
				found[g] = below
				next = append(next, g)
			}
		}
		for _, g := range now {
			l.p.Options.Work.Spend(1 + len(l.p.Goals[g].Cases))
			l.levels[g] = max(l.levels[g], level)
			for i := range l.p.Goals[g].Cases {
				a := &l.p.Goals[g].Cases[i]
				if a.Flat.HasValues && a.Flat.Types&(jsontype.Array|jsontype.Object) != 0 {
					l.levels[g] = anyLevel // the values inside a listed one have no goals
				}
				a.Children(visit)
			}
			if l.p.Tagged != nil {
				for _, form := range l.p.Tagged.Forms[g] {
					visit(form)
				}
			}
		}
		now, level = next, below
	}
	l.levels[plan.AnyGoal] = anyLevel
}
