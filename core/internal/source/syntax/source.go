// Package syntax holds the syntax that EBNF and Lark share: strings with escapes, options of rules, ids of tokens, and
// the messages about them.
//
// Invariant: it decides no meaning; the readers make the nodes of package rules. Start reading at Source.
package syntax

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/rules"
)

// Source is a text while it is read. One goroutine.
type Source struct {
	Tree  *rules.Tree
	O     *source.Options
	Notes []diag.Note
	IDs   string // how the kind of grammar writes tokens, for errors
	// LooksOut says that some pattern has an assertion about the text beside it.
	LooksOut bool
}

// Failure returns an error about a place.
func (s *Source) Failure(code diag.Code, at int, keyword, format string, args ...any) error {
	return s.Tree.Failure(code, at, keyword, format, args...)
}

// Syntax returns an error of code diag.Syntax.
func (s *Source) Syntax(at int, format string, args ...any) error {
	return s.Tree.Failure(diag.Syntax, at, "", format, args...)
}

// Note adds a note with its line.
func (s *Source) Note(at int, keyword string, effect diag.Effect, text string) {
	n := diag.Note{Keyword: keyword, Effect: effect, Text: s.Line(at) + ": " + text}
	if len(s.Notes) < limits.RuleNotes && !slices.Contains(s.Notes, n) {
		s.Notes = append(s.Notes, n)
	}
}

// edge is the note about an assertion at the edge of a pattern.
const edge = "an assertion at the edge of a pattern sees the text of this pattern alone, as if nothing stood beside it; " +
	"write the text beside it into the pattern"

// Pattern returns the node of a pattern that was read.
func (s *Source) Pattern(at int, text string, x *rules.Special) *rules.Node {
	some, _ := x.Regex.LooksOut()
	s.LooksOut = s.LooksOut || some
	return s.Tree.Node(rules.Node{Kind: rules.Pattern, At: at, Text: text, Special: x})
}

// NoteEdges adds a note for each pattern with an assertion about the text beside it.
func (s *Source) NoteEdges() {
	if !s.LooksOut {
		return
	}
	s.Tree.EachInnerPattern(func(n *rules.Node) {
		switch some, needs := n.Regex.LooksOut(); {
		case needs:
			s.Note(n.At, "look-around", diag.Narrower, edge)
		case some:
			s.Note(n.At, "look-around", diag.Wider, edge)
		}
	})
}

// NoteUncut adds the notes about limits of tokens that the lowering of the tree found.
func (s *Source) NoteUncut() {
	for _, at := range s.Tree.Uncut {
		s.Note(at, "max_tokens", diag.Wider, rules.Uncut)
	}
}

// Line names the line of a place.
func (s *Source) Line(place int) string {
	name, text, at := s.Tree.Within(place)
	line := "line " + strconv.Itoa(diag.TextPlace(text, at).Line)
	if name != "" {
		line += " of the grammar " + strconv.Quote(diag.Shorten(name, limits.RuleFragment))
	}
	return line
}

// CheckUTF8 returns an error if a part of the text at place from is not UTF-8.
func (s *Source) CheckUTF8(text string, from int) error {
	if at := diag.InvalidUTF8(text); at >= 0 {
		return s.Syntax(from+at, "a grammar must be UTF-8 text, but byte 0x%02X here is not; write bytes above 7F as "+
			"characters", text[at])
	}
	return nil
}

// TokenID reads the id of a token.
func (s *Source) TokenID(at int, digits string) (uint32, error) {
	id, err := strconv.ParseUint(strings.Trim(digits, " "), 10, 31)
	if err != nil {
		return 0, s.Syntax(at, "%q is not a token id; %s", digits, s.IDs)
	}
	if n := s.O.TokenCount; n > 0 && id >= uint64(n) {
		return 0, s.Failure(diag.Invalid, at, digits, "token id %d does not exist; the vocabulary has ids below %d", id,
			n)
	}
	return uint32(id), nil
}

// TokensOf returns the ids of the special and added tokens with a text.
func (s *Source) TokensOf(at int, text string) ([]uint32, error) {
	if s.O.TokenIDs == nil {
		return nil, s.Failure(diag.Invalid, at, text, "a token's text can only be looked up in a vocabulary; write its id")
	}
	ids := s.O.TokenIDs(text)
	if ids == nil {
		return nil, s.Failure(diag.Invalid, at, text, "the vocabulary has no special or added token %q; write the "+
			"token's id, or put ordinary text in double quotes", text)
	}
	return ids, nil
}

// Undefined returns the error about a name that no rule has. called is the name within a sentence, and hint says how to
// define it.
func (s *Source) Undefined(at int, name, called, hint string, known func(yield func(string) bool)) error {
	same := func(a, b string) bool {
		return strings.EqualFold(a, b) || strings.ReplaceAll(a, "_", "-") == strings.ReplaceAll(b, "_", "-")
	}
	for k := range known {
		if same(k, name) {
			hint = "did you mean " + diag.Shorten(k, limits.RuleFragment) + "?"
			break
		}
	}
	return s.Failure(diag.Invalid, at, name, "%s is not defined; %s", called, hint)
}

// InPattern gives an error of a regular expression its place: the exact one if the text has the pattern at place
// within, else at. before is the number of bytes that the reader has put before the pattern.
func (s *Source) InPattern(at, within, before int, pattern string, err error) error {
	var e *diag.Error
	if !errors.As(err, &e) {
		return err
	}
	off := e.Place.Offset - before
	if strings.HasPrefix(s.Tree.Text()[within:], pattern) && off >= 0 && off <= len(pattern) {
		at = within + off
	}
	return s.Failure(e.Code, at, e.Keyword, "in the pattern %q: %s", diag.Shorten(pattern, 40), e.Message)
}

// Count reads the number of a repetition.
func (s *Source) Count(at int, digits string) (uint32, error) {
	n, err := strconv.ParseUint(digits, 10, 64)
	switch {
	case errors.Is(err, strconv.ErrSyntax):
		return 0, s.Syntax(at, "a repetition counts in whole numbers, not %s; write (x)* for any number of x, and "+
			"(x)? for an optional one", digits)
	case err != nil || n > limits.RuleRepeat:
		return 0, s.Failure(diag.Limit, at, "", "a repetition may count to at most %d; for no limit, leave the maximum "+
			"out", limits.RuleRepeat)
	}
	return uint32(n), nil
}

// Full returns an error if n tokens have been read and the grammar may have no more.
func (s *Source) Full(n, at int) error {
	if n < limits.RuleElements {
		return nil
	}
	return s.Failure(diag.Limit, at, "", "a grammar may have at most %d names, strings, patterns, operators and "+
		"brackets; write repeated parts as one rule, and lists of words as one pattern or a choice", limits.RuleElements)
}

// Twice returns the error about a quantifier behind a quantifier.
func (s *Source) Twice(at int) error {
	return s.Syntax(at, "two quantifiers in a row; to repeat a repetition, put the first with its operand in parentheses")
}

// Ordered returns an error if the bounds of a repetition are in the wrong order.
func (s *Source) Ordered(at int, minimum, maximum uint32) error {
	if minimum > maximum {
		return s.Failure(diag.Invalid, at, "", "the minimum %d is above the maximum %d; write the smaller number first",
			minimum, maximum)
	}
	return nil
}

// Stack holds the elements of all open sequences and choices, outermost first. Separate growing lists would take
// several times the memory.
type Stack []*rules.Node

// Take removes the elements after the first outside ones and returns them in a new list.
func (s *Stack) Take(outside int) []*rules.Node {
	subs := slices.Clone((*s)[outside:])
	clear((*s)[outside:])
	*s = (*s)[:outside]
	return subs
}
