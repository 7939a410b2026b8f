// Package pattern reads the patterns and formats of a JSON Schema and answers questions about the texts they match.
//
// Invariant: every answer holds for the automata that lowering builds. The package knows no goals. Start reading at Book.
package pattern

import (
	"strings"

	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/format"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
	"github.com/sluice-engine/sluice/core/internal/source/regex"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Pattern is a pattern or format of a schema. Immutable but for answers that it caches.
type Pattern struct {
	Text   string
	at     jsontext.ID // its first node; zero: a format
	tree   *regex.Node // of a format: nil until it is needed
	Format bool        // matches a whole text; a pattern matches a part of it

	// Simple patterns are a fixed beginning, or a whole text. They need no automaton.
	Simple     bool
	prefix     string
	WholeMatch bool

	asked bool
	expr  terminal.Expr // in the store of the book, once asked

	listed bool // few is known
	few    bool // texts are all it matches
	texts  []string
}

// Mode returns the mode of lowering the pattern in an encoding.
func (q *Pattern) Mode(enc terminal.Encoding) regex.Mode {
	return regex.Mode{Encoding: enc, Search: !q.Format}
}

// Exact reports whether each match is a whole text: a format, or a pattern from ^ to $.
func (q *Pattern) Exact() bool { return q.Format || q.Syntax().Anchored() }

// MemoKey returns the key of the pattern's language in an encoding, for terminal.Store.Memo.
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

// recognise sets Simple for the patterns "", "^literal" and "^literal$".
func (q *Pattern) recognise() {
	s := q.Text
	if s == "" {
		q.Simple = true
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
	q.Simple, q.prefix = true, s
}

// Lower returns the language of string bodies that the pattern matches.
func Lower(st *terminal.Store, q *Pattern, enc terminal.Encoding) (terminal.Expr, error) {
	return st.Memo(q.MemoKey(enc), func() (terminal.Expr, error) {
		e, err := regex.Lower(st, q.Syntax(), q.Mode(enc))
		if err == nil && q.Format {
			e, err = format.WithLeapSeconds(st, q.Text, enc, e)
		}
		return e, err
	})
}

// Syntax returns the pattern's tree.
func (q *Pattern) Syntax() *regex.Node {
	if q.tree == nil {
		q.tree = regex.MustParse(format.Pattern(q.Text))
	}
	return q.tree
}

// SimpleOverlap is Overlap for simple patterns. Known is false for others.
func SimpleOverlap(with, without []*Pattern) (some, known bool) {
	for _, list := range [...][]*Pattern{with, without} {
		for _, q := range list {
			if !q.Simple {
				return false, false
			}
		}
	}
	begin, whole := "", false // the texts with this beginning, or this one alone
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
	return true, true // without holds finitely many texts with this beginning, or other beginnings
}

// found reports whether a simple pattern matches in a text.
func (q *Pattern) found(name string) bool {
	return name == q.prefix || !q.WholeMatch && strings.HasPrefix(name, q.prefix)
}

// Unanchored reports whether the pattern may match within a text, so that overlaps with others may take large automata.
// Patterns from ^ to $, and simple ones, hardly overlap.
func (q *Pattern) Unanchored() bool {
	return !q.Simple && !q.LooksAround() && !q.Exact()
}

// LooksAround reports whether the pattern may have look-arounds or word boundaries.
func (q *Pattern) LooksAround() bool {
	return !q.Format && (strings.Count(q.Text, "(?") > strings.Count(q.Text, "(?:") || strings.Contains(q.Text, `\b`) ||
		strings.Contains(q.Text, `\B`))
}

// HasLeapSeconds reports whether this is a format of times.
func (q *Pattern) HasLeapSeconds() bool { return q.Format && format.HasLeapSeconds(q.Text) }

// MatchesAll reports whether the pattern matches in every text because it is empty.
func (q *Pattern) MatchesAll() bool { return q.Simple && q.prefix == "" && !q.WholeMatch }
