package plan

import (
	"errors"
	"strconv"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/format"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/schema"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
	"github.com/sluice-engine/sluice/core/internal/source/regex"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
)

// Pattern is a regular expression of the schema, read once. Immutable but for caches of answers while planning.
type Pattern struct {
	Text   string
	at     jsontext.ID // where it stands first; zero: a format
	tree   *regex.Node // a format is not read until it is needed: its terminal is mostly there already
	Format bool        // matched as a whole; a pattern of the schema is searched for

	// Most keys of patternProperties are a fixed beginning, or match everything: that is answered without an automaton.
	simple     bool
	prefix     string
	WholeMatch bool

	asked bool
	expr  terminal.Expr // in planner.store, once asked

	listed bool     // whether few is known
	few    bool     // it matches few texts
	texts  []string // all of them, if they are few
}

// Mode says how the pattern is lowered in an encoding.
func (q *Pattern) Mode(enc terminal.Encoding) regex.Mode {
	return regex.Mode{Encoding: enc, Search: !q.Format}
}

// Exact says whether a search for the pattern is as good as matching the whole text, because it begins with ^ and ends
// with $ outside any alternative.
func (q *Pattern) Exact() bool {
	return strings.HasPrefix(q.Text, "^") && strings.HasSuffix(q.Text, "$") && !strings.HasSuffix(q.Text, `\\$`) &&
		!strings.Contains(q.Text, "|")
}

// MemoKey names the language of the pattern in an encoding, for terminal.Store.Memo.
func (q *Pattern) MemoKey(enc terminal.Encoding) string {
	what := "pattern "
	if q.Format {
		what = "format "
	}
	if enc.IsASCII() {
		what = "in ASCII " + what
	}
	if enc.HasEscapes() {
		return "json string " + what + q.Text
	}
	return "text " + what + q.Text
}

// patternOf reads a pattern of the schema; at is where it stands. Nil: it is malformed or not supported, which has been
// recorded; or, in lenient mode, noted.
func (p *Planner) patternOf(text string, at jsontext.ID) *Pattern {
	if q, ok := p.regex[text]; ok {
		return q
	}
	tree, err := regex.ParsePlain(p.Options.Work, text)
	if err == nil && (&Pattern{Text: text}).LooksAround() {
		// Look-around is resolved by lowering, so only that tells whether it is supported.
		_, err = regex.Lower(p.questions(), tree, regex.Mode{Encoding: terminal.JSONString, Search: true})
	}
	var q *Pattern
	if err != nil {
		p.badPattern(text, at, err)
	} else {
		q = &Pattern{Text: text, at: at, tree: tree}
		q.recognise()
	}
	if p.regex == nil {
		p.regex = map[string]*Pattern{}
	}
	p.regex[text] = q
	return q
}

// matchesAll says whether a pattern, which is a good one, is found in every text, as far as that shows at once.
func (p *Planner) matchesAll(text string, at jsontext.ID) bool {
	q := p.patternOf(text, at)
	return q.simple && q.prefix == "" && !q.WholeMatch
}

// badPattern reports a pattern that the regex reader refused, at the schema's place instead of the pattern's.
func (p *Planner) badPattern(text string, at jsontext.ID, err error) {
	code, message := diag.Invalid, err.Error()
	var d *diag.Error
	if errors.As(err, &d) {
		code, message = d.Code, d.Message
		if d.Place.Column > 0 {
			message += " (at character " + strconv.Itoa(d.Place.Column) + " of the pattern)"
		}
	}
	keyword := p.patternKeyword(at)
	if code == diag.Unsupported || code == diag.Limit {
		p.Unsupported(at, keyword, message)
		return
	}
	e := p.ErrorAt(code, at, keyword, "not a regular expression: %s", message)
	e.Fragment = diag.Shorten(text, 60)
	p.Fail(e)
}

// patternKeyword returns the keyword that a pattern belongs to: the node is the value of pattern, or the schema behind
// a key of patternProperties.
func (p *Planner) patternKeyword(at jsontext.ID) string {
	if p.Tree.Kind(at) == jsontext.String {
		return "pattern"
	}
	return "patternProperties"
}

// PatternError reports a pattern or format that has no automaton.
func (p *Planner) PatternError(q *Pattern, err error) error {
	at, what, keyword := q.at, "pattern", ""
	if q.Format {
		at, what, keyword = p.Now, "format", "format"
	} else {
		keyword = p.patternKeyword(at)
	}
	return p.ErrorAt(diag.Unsupported, at, keyword, "the %s %s: %s", what, schema.Quote(q.Text), err.Error())
}

// recognise finds the patterns that need no automaton: "", "^literal", "^literal$".
func (q *Pattern) recognise() {
	s := q.Text
	if s == "" {
		q.simple = true
		return
	}
	if s[0] != '^' {
		return
	}
	s = s[1:]
	if strings.HasSuffix(s, "$") {
		s, q.WholeMatch = s[:len(s)-1], true
	}
	for i := range len(s) {
		c := s[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c == ' ' ||
			c == '@' || c == ':' || c == '/') {
			return
		}
	}
	q.simple, q.prefix = true, s
}

// questions returns the store in which questions are answered while planning.
func (p *Planner) questions() *terminal.Store {
	switch {
	case p.store != nil:
	case p.newStore != nil:
		p.store = p.newStore()
	default:
		p.store = terminal.NewStore()
		p.store.SetWork(p.Options.Work)
	}
	return p.store
}

// nameMatches says whether the pattern is found in the text.
func (p *Planner) nameMatches(q *Pattern, text string) bool {
	if q == nil {
		return false
	}
	if q.simple {
		if q.WholeMatch {
			return text == q.prefix
		}
		return strings.HasPrefix(text, q.prefix)
	}
	e := p.expression(q)
	if q.Format && format.HasEncodedLabels(q.Text) {
		var err error
		if e, err = LowerAlone(p.questions(), q); err != nil {
			p.Fail(p.PatternError(q, err))
		}
	}
	return counters.Match(p.questions(), e, []byte(jsonString(text)))
}

// expression returns the pattern as the language of string bodies, in the store for questions.
func (p *Planner) expression(q *Pattern) terminal.Expr {
	if !q.asked {
		q.asked = true
		e, err := LowerPattern(p.questions(), q, terminal.JSONString)
		if err != nil {
			p.Fail(p.PatternError(q, err))
		}
		q.expr = e
	}
	return q.expr
}

// LowerPattern returns the pattern as the language of string bodies, but for encoded labels (see LowerAlone): so it can
// be combined with others.
func LowerPattern(st *terminal.Store, q *Pattern, enc terminal.Encoding) (terminal.Expr, error) {
	return st.Memo(q.MemoKey(enc), func() (terminal.Expr, error) {
		e, err := regex.Lower(st, q.Syntax(), q.Mode(enc))
		if err == nil && q.Format {
			e, err = format.WithLeapSeconds(st, q.Text, enc, e)
		}
		return e, err
	})
}

// LowerAlone is LowerPattern for a pattern that nothing is combined with.
func LowerAlone(st *terminal.Store, q *Pattern) (terminal.Expr, error) {
	if !q.Format || !format.HasEncodedLabels(q.Text) {
		return LowerPattern(st, q, terminal.JSONString)
	}
	return st.Memo(q.MemoKey(terminal.JSONString)+" with encoded labels", func() (terminal.Expr, error) {
		return format.WithEncodedLabels(st, q.Text)
	})
}

// Syntax returns the pattern's tree.
func (q *Pattern) Syntax() *regex.Node {
	if q.tree == nil {
		q.tree = regex.MustParse(format.Pattern(q.Text))
	}
	return q.tree
}

// PatternFor returns the pattern of a use of a pattern or format.
func (p *Planner) PatternFor(u *PatternUse) *Pattern {
	if u.Format {
		return p.formatOf(u.Text)
	}
	return p.patternOf(u.Text, u.Node)
}

func (p *Planner) matches(u *PatternUse, text string) bool {
	return p.nameMatches(p.PatternFor(u), text)
}

// overlap reports whether some key can be in all of with and in none of without. It may report true if it cannot
// decide.
func (p *Planner) overlap(with, without []*Pattern) bool {
	if some, known := SimpleOverlap(with, without); known {
		return some
	}
	if some, known := p.textsOverlap(with, without); known {
		return some
	}
	return p.automataOverlap(with, without)
}

// automataOverlap is overlap for any patterns.
func (p *Planner) automataOverlap(with, without []*Pattern) bool {
	st := p.questions()
	xs := []terminal.Expr{st.Star(st.AnyRune(terminal.JSONString))}
	for _, q := range with {
		xs = append(xs, p.expression(q))
	}
	for _, q := range without {
		xs = append(xs, st.Not(p.expression(q)))
	}
	return p.Err == nil && !st.IsEmpty(st.And(xs...))
}

// SimpleOverlap is overlap for patterns that are fixed beginnings or whole names; of others it knows nothing.
func SimpleOverlap(with, without []*Pattern) (some, known bool) {
	for _, list := range [...][]*Pattern{with, without} {
		for _, q := range list {
			if !q.simple {
				return false, false
			}
		}
	}
	begin, whole := "", false // the names in question: names with this beginning, or just this one
	for _, q := range with {
		switch {
		case whole:
			if !q.found(begin) {
				return false, true
			}
		case strings.HasPrefix(q.prefix, begin):
			begin, whole = q.prefix, q.WholeMatch
		case q.WholeMatch || !strings.HasPrefix(begin, q.prefix):
			return false, true
		}
	}
	for _, q := range without {
		if whole && q.found(begin) || !q.WholeMatch && strings.HasPrefix(begin, q.prefix) {
			return false, true
		}
	}
	return true, true // more names begin so than can be listed
}

// found says whether a simple pattern is found in a name.
func (q *Pattern) found(name string) bool {
	return name == q.prefix || !q.WholeMatch && strings.HasPrefix(name, q.prefix)
}

// LooksAround says whether the pattern may have look-arounds or word boundaries, which become intersections.
func (q *Pattern) LooksAround() bool {
	return !q.Format && (strings.Count(q.Text, "(?") > strings.Count(q.Text, "(?:") || strings.Contains(q.Text, `\b`) ||
		strings.Contains(q.Text, `\B`))
}

// HasLeapSeconds says whether a format is one of times.
func (q *Pattern) HasLeapSeconds() bool { return q.Format && format.HasLeapSeconds(q.Text) }
