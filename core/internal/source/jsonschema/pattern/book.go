package pattern

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/schema"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
	"github.com/sluice-engine/sluice/core/internal/source/regex"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
)

// Book holds the patterns and formats of one schema. One sequence.
type Book struct {
	*schema.Reader
	read map[string]*Pattern // by text; formats begin with a zero byte

	// store holds the expressions of questions. The first question takes it from newStore, or makes one if that is nil.
	store    *terminal.Store
	newStore func() *terminal.Store
}

// NewBook returns the empty book of a schema.
func NewBook(r *schema.Reader, newStore func() *terminal.Store) *Book {
	return &Book{Reader: r, read: map[string]*Pattern{}, newStore: newStore}
}

// Format returns a known format.
func (b *Book) Format(name string) *Pattern {
	key := "\x00" + name
	if q, ok := b.read[key]; ok {
		return q
	}
	q := &Pattern{Text: name, Format: true}
	b.read[key] = q
	return q
}

// Of reads the pattern at a node. It returns nil for a malformed or unsupported one, after it reported that.
func (b *Book) Of(text string, at jsontext.ID) *Pattern {
	if q, ok := b.read[text]; ok {
		return q
	}
	tree, err := regex.ParsePlain(b.Options.Work, text)
	if err == nil && (&Pattern{Text: text}).LooksAround() {
		// Only lowering tells whether a look-around is supported.
		_, err = regex.Lower(b.questions(), tree, regex.Mode{Encoding: terminal.JSONString, Search: true})
	}
	var q *Pattern
	if err != nil {
		b.refuse(text, at, err)
	} else {
		q = &Pattern{Text: text, at: at, tree: tree}
		q.recognise()
	}
	b.read[text] = q
	return q
}

// Union returns the pattern of the texts that one of list matches. None of them has groups with names.
func (b *Book) Union(list []*Pattern, at jsontext.ID) *Pattern {
	if len(list) == 1 {
		return list[0]
	}
	var text strings.Builder
	for i, q := range list {
		if i > 0 {
			text.WriteByte('|')
		}
		text.WriteString("(?:" + q.Text + ")")
	}
	if q := b.Of(text.String(), at); q != nil {
		return q
	}
	return list[0] // there is an error
}

// refuse reports an error of the regex reader at the place of the pattern in the schema.
func (b *Book) refuse(text string, at jsontext.ID, err error) {
	code, message := diag.Invalid, err.Error()
	var d *diag.Error
	if errors.As(err, &d) {
		code, message = d.Code, d.Message
		if d.Place.Column > 0 {
			message += " (at character " + strconv.Itoa(d.Place.Column) + " of the pattern)"
		}
	}
	keyword := b.keyword(at)
	if code == diag.Unsupported || code == diag.Limit {
		b.Unsupported(at, keyword, message)
		return
	}
	e := b.ErrorAt(code, at, keyword, "not a regular expression: %s", message)
	e.Fragment = diag.Shorten(text, 60)
	b.Fail(e)
}

// keyword returns the keyword of a pattern: its node is the value of pattern, or a schema in patternProperties.
func (b *Book) keyword(at jsontext.ID) string {
	if b.Tree.Kind(at) == jsontext.String {
		return "pattern"
	}
	return "patternProperties"
}

// Error returns the error of a pattern or format that cannot be lowered.
func (b *Book) Error(q *Pattern, err error) error {
	at, what, keyword := q.at, "pattern", ""
	if q.Format {
		at, what, keyword = b.Now, "format", "format"
	} else {
		keyword = b.keyword(at)
	}
	return b.ErrorAt(diag.Unsupported, at, keyword, "the %s %s: %s", what, schema.Quote(q.Text), err.Error())
}

// questions returns the store for questions.
func (b *Book) questions() *terminal.Store {
	switch {
	case b.store != nil:
	case b.newStore != nil:
		b.store = b.newStore()
	default:
		b.store = terminal.NewStore()
		b.store.SetWork(b.Options.Work)
	}
	return b.store
}

// Matches reports whether a pattern, perhaps a malformed one, matches in the text.
func (b *Book) Matches(q *Pattern, text string) bool {
	if q == nil {
		return false
	}
	if q.Simple {
		return q.found(text)
	}
	return counters.Match(b.questions(), b.expression(q), []byte(text))
}

// expression returns the texts that the pattern matches, in the store for questions.
func (b *Book) expression(q *Pattern) terminal.Expr {
	if !q.asked {
		q.asked = true
		e, err := Lower(b.questions(), q, terminal.UTF8)
		if err != nil {
			b.Fail(b.Error(q, err))
		}
		q.expr = e
	}
	return q.expr
}

// Overlap reports whether a text matches all of with and none of without. It may report true if it cannot decide.
func (b *Book) Overlap(with, without []*Pattern) bool {
	if some, known := SimpleOverlap(with, without); known {
		return some
	}
	if some, known := b.textsOverlap(with, without); known {
		return some
	}
	return b.automataOverlap(with, without)
}

// automataOverlap is Overlap by automata.
func (b *Book) automataOverlap(with, without []*Pattern) bool {
	st := b.questions()
	xs := []terminal.Expr{st.Star(st.AnyRune(terminal.UTF8))}
	for _, q := range with {
		xs = append(xs, b.expression(q))
	}
	for _, q := range without {
		xs = append(xs, st.Not(b.expression(q)))
	}
	return b.Err == nil && !st.IsEmpty(st.And(xs...))
}

// Texts returns the texts that a pattern matches, if they are few.
func (b *Book) Texts(q *Pattern) ([]string, bool) {
	if !q.listed {
		q.listed = true
		q.texts, q.few = b.findTexts(q)
	}
	return q.texts, q.few
}

// findTexts computes Texts.
func (b *Book) findTexts(q *Pattern) ([]string, bool) {
	if q.Simple {
		return []string{q.prefix}, q.WholeMatch
	}
	st := b.questions()
	e, err := regex.Lower(st, q.Syntax(), q.Mode(terminal.UTF8))
	if err != nil {
		return nil, false
	}
	texts, steps, few := textsOf(st, e)
	b.Options.Work.Spend(spellWork * steps)
	return texts, few
}

// Costs of the texts of patterns, in the budget of a compilation.
const (
	spellWork    = 8 // a step of a speller
	matchWork    = 4 // matching a byte against a pattern
	textsPerUnit = 4 // comparing a text with a unit's worth of texts
)

// textsOverlap is Overlap by trying the texts of a pattern in with that matches few. Known is false if none does.
// Without it, 60 keys such as "^(a|b)(c|d)1$" cost 99 million steps instead of 2 million.
func (b *Book) textsOverlap(with, without []*Pattern) (some, known bool) {
	for _, q := range with {
		if q.Format || !q.Exact() {
			continue // hardly ever few
		}
		texts, few := b.Texts(q)
		if !few {
			continue
		}
		return slices.ContainsFunc(texts, func(text string) bool {
			found := func(q *Pattern) bool { return b.found(q, text) }
			return !slices.ContainsFunc(with, func(q *Pattern) bool { return !found(q) }) &&
				!slices.ContainsFunc(without, found)
		}), true
	}
	return false, false
}

// found reports whether a text matches a pattern, by its texts if they are few.
func (b *Book) found(q *Pattern, text string) bool {
	if q.few {
		b.Options.Work.Spend(1 + len(q.texts)/textsPerUnit)
		return slices.Contains(q.texts, text)
	}
	b.Options.Work.Spend(matchWork * (1 + len(text)))
	return b.Matches(q, text)
}
