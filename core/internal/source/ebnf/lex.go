package ebnf

import (
	"strings"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/source/charclass"
	"github.com/sluice-engine/sluice/core/internal/source/rules"
	"github.com/sluice-engine/sluice/core/internal/source/syntax"
)

type tokenKind uint8

const (
	tEnd tokenKind = iota
	tName
	tString
	tClass // or the options of a rule
	tDefine
	tOr
	tOpen
	tClose
	tLookahead
	tQuantifier
	tComma
	tEquals
	tMark // <…> or !<…>
)

type token struct {
	kind      tokenKind
	firstWord bool // the first word of its line
	negated   bool
	index     uint32 // tClass: of its pairs in elements.classes; tQuantifier: of its bounds in elements.bounds
	at, end   int
	text      string // tName: as written; tString: decoded; tMark: between the angle brackets
}

// elements is a text as tokens. The parser needs all of them, since a rule ends at the head of the next one. Rare
// fields have separate slices.
type elements struct {
	toks    []token
	classes [][]rune
	bounds  [][2]uint32
}

// lexer turns text into tokens. The first byte tells a token's kind, so the only state is whether a line has just
// begun.
type lexer struct {
	syntax.Cursor
	elements
}

func cursor(s *syntax.Source, text string, at int) syntax.Cursor {
	return syntax.Cursor{Source: s, Text: text, I: at, Escapes: escapes, Other: otherEscape, Short: true}
}

func isName(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.' || c == '-'
}

var punctuation = map[byte]tokenKind{'|': tOr, ')': tClose, ',': tComma, '=': tEquals}

var simpleQuantifiers = map[byte][2]uint32{'*': {0, grammar.Unbounded}, '+': {1, grammar.Unbounded}, '?': {0, 1}}

func (l *lexer) lex() error {
	first := true
	for l.I < len(l.Text) {
		c := l.Text[l.I]
		switch {
		case c == '\n':
			first = true
			l.I++
			continue
		case c == ' ' || c == '\t' || c == '\r':
			l.I++
			continue
		case c == '#':
			for l.I < len(l.Text) && l.Text[l.I] != '\n' {
				l.I++
			}
			continue
		}
		if err := l.Full(len(l.toks), l.I); err != nil {
			return err
		}
		t := token{at: l.I, firstWord: first}
		first = false
		if err := l.one(&t, c); err != nil {
			return err
		}
		t.end = l.I
		l.O.Work.Spend(rules.NodeWork)
		l.toks = append(l.toks, t)
	}
	l.toks = append(l.toks, token{kind: tEnd, at: len(l.Text), end: len(l.Text)})
	return nil
}

func (l *lexer) one(t *token, c byte) (err error) {
	rest := l.Text[l.I:]
	switch {
	case isName(c):
		t.kind = tName
		n := 1
		for n < len(rest) && isName(rest[n]) {
			n++
		}
		t.text, l.I = rest[:n], l.I+n
		return nil
	case c == '"':
		t.kind = tString
		t.text, err = l.Quoted()
		return err
	case c == '[':
		var pairs []rune
		if end := l.optionsEnd(); end > 0 {
			l.I = end
		} else {
			pairs, err = l.class()
		}
		t.kind, t.index = tClass, uint32(len(l.classes))
		l.classes = append(l.classes, pairs)
		return err
	case c == '{':
		lowest, highest, err := l.count()
		l.quantifier(t, lowest, highest)
		return err
	case c == '<' || strings.HasPrefix(rest, "!<"):
		t.kind, t.negated = tMark, c == '!'
		return l.mark(t)
	case strings.HasPrefix(rest, "::="):
		t.kind = tDefine
		l.I += 3
		return nil
	case strings.HasPrefix(rest, "(="):
		t.kind = tLookahead
		l.I += 2
		return nil
	case c == '(':
		t.kind = tOpen
		l.I++
		return nil
	}
	if q, ok := simpleQuantifiers[c]; ok {
		l.quantifier(t, q[0], q[1])
		l.I++
		return nil
	}
	if k, ok := punctuation[c]; ok {
		t.kind = k
		l.I++
		return nil
	}
	return l.stray(c)
}

func (l *lexer) stray(c byte) error {
	switch c {
	case '/':
		return l.Syntax(l.I, "a regular expression is written Regex(\"…\"), and comments begin with '#'")
	case ':':
		return l.Syntax(l.I, "a rule is written name ::= expression")
	case ']', '}':
		return l.Syntax(l.I, "this '%c' closes nothing; inside a string or class write it as it is or as \\%c", c, c)
	}
	return l.Stray("strings, classes and comments")
}

var escapes = map[byte]rune{
	'n': '\n', 'r': '\r', 't': '\t', 'b': '\b', 'f': '\f', 'a': '\a', 'v': '\v', '0': 0, 'e': 0x1B,
}

func otherEscape(l *syntax.Cursor, at int, c byte) (rune, error) {
	switch {
	case c > ' ' && c < 0x7F && !isName(c) || c == '_' || c == '.' || c == '-':
		return rune(c), nil
	case strings.IndexByte("dDwWsS", c) >= 0:
		return 0, l.Syntax(at, "\\%c is not an escape of EBNF; write the class out ([0-9]), or use Regex(\"\\\\%c\")",
			c, c)
	}
	return 0, l.Syntax(at, `unknown escape; known are \n \r \t \b \f \a \v \0 \e \xHH \uHHHH \UHHHHHHHH and a `+
		`backslash before punctuation`)
}

// optionsEnd returns the end of a rule's options if they begin at the bracket here: after the first word of a line and
// before ::=. Brackets within strings are text.
func (l *lexer) optionsEnd() int {
	if n := len(l.toks); n == 0 || l.toks[n-1].kind != tName || !l.toks[n-1].firstWord {
		return 0
	}
	within := false
	for i := l.I; i < len(l.Text) && l.Text[i] != '\n'; i++ {
		switch c := l.Text[i]; {
		case c == '"':
			within = !within
		case c == '\\':
			i++
		case c == ']' && !within:
			if strings.HasPrefix(strings.TrimLeft(l.Text[i+1:], " \t\r\n"), "::=") {
				return i + 1
			}
			return 0
		}
	}
	return 0
}

func (l *lexer) class() ([]rune, error) {
	open := l.I
	l.I++
	negated := l.I < len(l.Text) && l.Text[l.I] == '^'
	if negated {
		l.I++
	}
	var pairs []rune
	for {
		if l.I >= len(l.Text) || l.Text[l.I] == '\n' {
			return nil, l.Syntax(open, "this class is not closed on its line; write a line break in it as \\n and a "+
				"bracket as \\]")
		}
		if l.Text[l.I] == ']' {
			l.I++
			break
		}
		at := l.I
		lo, err := l.classChar()
		if err != nil {
			return nil, err
		}
		hi := lo
		if rest := l.Text[l.I:]; len(rest) > 1 && rest[0] == '-' && rest[1] != ']' && rest[1] != '\n' {
			l.I++
			if hi, err = l.classChar(); err != nil {
				return nil, err
			}
			if hi < lo {
				return nil, l.Syntax(at, "the range ends before it begins; write the lower character first, or the "+
					"hyphen as \\-")
			}
		}
		pairs = append(pairs, lo, hi)
	}
	if pairs = charclass.OfText(pairs); negated {
		pairs = charclass.OthersOfText(pairs)
	}
	if len(pairs) == 0 {
		return nil, l.Syntax(open, "this class matches no character at all; [^] matches any")
	}
	return pairs, nil
}

func (l *lexer) classChar() (rune, error) {
	if l.Text[l.I] == '\\' {
		return l.Escape()
	}
	r, n := utf8.DecodeRuneInString(l.Text[l.I:])
	l.I += n
	return r, nil
}

func (l *lexer) quantifier(t *token, lowest, highest uint32) {
	t.kind, t.index = tQuantifier, uint32(len(l.bounds))
	l.bounds = append(l.bounds, [2]uint32{lowest, highest})
}

// count reads {n}, {n,}, {,m} or {n,m}; -1 is no maximum.
func (l *lexer) count() (minimum, maximum uint32, err error) {
	open := l.I
	end := strings.IndexAny(l.Text[open:], "}\n")
	if end < 0 || l.Text[open+end] == '\n' {
		return 0, 0, l.Syntax(open, "this '{' is not closed; a repetition is written {n}, {n,}, {,m} or {n,m}")
	}
	inner := l.Text[open+1 : open+end]
	l.I = open + end + 1
	low, high, two := strings.Cut(inner, ",")
	low, high = strings.Trim(low, " \t"), strings.Trim(high, " \t")
	if low == "" && high == "" {
		return 0, 0, l.Syntax(open, "a repetition needs a number: {n}, {n,}, {,m} or {n,m}")
	}
	if low != "" {
		if minimum, err = l.Count(open, low); err != nil {
			return 0, 0, err
		}
	}
	switch {
	case !two:
		maximum = minimum
	case high == "" || high == "-1":
		maximum = grammar.Unbounded
	default:
		if maximum, err = l.Count(open, high); err != nil {
			return 0, 0, err
		}
	}
	return minimum, maximum, l.Ordered(open, minimum, maximum)
}

func (l *lexer) mark(t *token) error {
	start := l.I + 1
	if t.negated {
		start++
	}
	n := strings.IndexAny(l.Text[start:], ">\n")
	if n <= 0 || l.Text[start+n] != '>' {
		return l.Syntax(l.I, "a token is written <[id]> or <text>; put angle brackets that are text in double quotes")
	}
	t.text, l.I = l.Text[start:start+n], start+n+1
	return nil
}
