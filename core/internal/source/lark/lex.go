package lark

import (
	"strings"

	"github.com/sluice-engine/sluice/core/internal/source/rules"
	"github.com/sluice-engine/sluice/core/internal/source/syntax"
)

type tokenKind uint8

const (
	tEnd tokenKind = iota
	tName
	tString
	tRegex
	tNumber
	tMark      // <…>
	tDirective // %name
	tJSON      // the braces after %json, %regex, %llguidance or %grammar_options
	tDots      // ..
	tArrow     // ->
	tSign      // a single character
)

type token struct {
	kind      tokenKind
	sign      byte // tSign: the character
	firstWord bool // the first word of its line
	// more: for tString and tRegex, the number of flags behind it, i for strings and imslux for regular expressions
	// (other letters begin a name); for tSign '{', the index of the closing token.
	more    uint32
	at, end int
	text    string // tString: decoded; tRegex, tMark: without delimiters; else as written
}

func (t *token) is(sign byte) bool { return t.kind == tSign && t.sign == sign }

// lexer turns text into tokens. Its state is the start of a line, the open braces, and whether JSON text follows.
type lexer struct {
	syntax.Cursor
	toks   []token
	braces []int // open ones, as indices of toks
}

var takesJSON = map[string]bool{"%json": true, "%regex": true, "%llguidance": true, "%grammar_options": true}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func (l *lexer) lex() error {
	first := true
	for {
		newLine := l.blanks()
		first = first || newLine
		if l.I >= len(l.Text) {
			break
		}
		if err := l.Full(len(l.toks), l.I); err != nil {
			return err
		}
		t := token{at: l.I, firstWord: first}
		first = false
		if err := l.one(&t); err != nil {
			return err
		}
		t.end = l.I
		l.O.Work.Spend(rules.NodeWork)
		l.toks = append(l.toks, t)
	}
	if n := len(l.braces); n > 0 {
		return l.Syntax(l.toks[l.braces[n-1]].at, "this '{' is never closed")
	}
	l.toks = append(l.toks, token{kind: tEnd, at: len(l.Text), end: len(l.Text)})
	return nil
}

func (l *lexer) blanks() (newLine bool) {
	for l.I < len(l.Text) {
		switch c := l.Text[l.I]; {
		case c == '\n':
			newLine = true
			l.I++
		case c == ' ' || c == '\t' || c == '\r' || c == '\f':
			l.I++
		case c == '#' || strings.HasPrefix(l.Text[l.I:], "//"):
			n := strings.IndexByte(l.Text[l.I:], '\n')
			if n < 0 {
				n = len(l.Text) - l.I
			}
			l.I += n
		default:
			return newLine
		}
	}
	return newLine
}

func (l *lexer) one(t *token) (err error) {
	rest := l.Text[l.I:]
	c := rest[0]
	switch {
	case isLetter(c):
		t.kind, t.text = tName, name(rest)
	case isDigit(c):
		t.kind, t.text = tNumber, number(rest)
	case c == '%' && len(rest) > 1 && isLetter(rest[1]):
		t.kind, t.text = tDirective, rest[:1+len(name(rest[1:]))]
	case c == '"':
		t.kind = tString
		if t.text, err = l.Quoted(); err == nil && strings.HasPrefix(l.Text[l.I:], "i") {
			l.I++
			t.more = 1
		}
		return err
	case c == '/':
		t.kind = tRegex
		if t.text, err = l.regex(); err == nil {
			flags := len(l.Text) - l.I - len(strings.TrimLeft(l.Text[l.I:], "imslux"))
			l.I += flags
			t.more = uint32(flags)
		}
		return err
	case c == '<':
		n := strings.IndexAny(rest, ">\n")
		if n <= 1 || rest[n] != '>' {
			return l.Syntax(l.I, "a token is written <text> or <[id]>; put angle brackets that are text in double "+
				"quotes")
		}
		t.kind, t.text = tMark, rest[1:n]
		l.I += n + 1
		return nil
	case c == '{' && l.jsonFollows():
		t.kind = tJSON
		t.text, err = l.json()
		return err
	case strings.HasPrefix(rest, ".."):
		t.kind, t.text = tDots, ".."
	case strings.HasPrefix(rest, "->"):
		t.kind, t.text = tArrow, "->"
	case strings.IndexByte("|()[]{},=~&*+?!:.@-", c) >= 0:
		t.kind, t.sign, t.text = tSign, c, rest[:1]
		if err := l.brace(c); err != nil {
			return err
		}
	default:
		return l.Stray("strings, regular expressions and comments")
	}
	l.I += len(t.text)
	return nil
}

func (l *lexer) jsonFollows() bool {
	n := len(l.toks)
	return n > 0 && l.toks[n-1].kind == tDirective && takesJSON[l.toks[n-1].text]
}

func (l *lexer) brace(c byte) error {
	switch n := len(l.braces); {
	case c == '{':
		l.braces = append(l.braces, len(l.toks))
	case c == '}' && n == 0:
		return l.Syntax(l.I, "this '}' closes nothing; put it in double quotes to match it")
	case c == '}':
		l.toks[l.braces[n-1]].more = uint32(len(l.toks))
		l.braces = l.braces[:n-1]
	}
	return nil
}

// name returns the name at the beginning of text. A hyphen in it is followed by a letter or digit.
func name(text string) string {
	n := 1
	for n < len(text) && (isLetter(text[n]) || isDigit(text[n]) ||
		text[n] == '-' && n+1 < len(text) && (isLetter(text[n+1]) || isDigit(text[n+1]))) {
		n++
	}
	return text[:n]
}

func number(text string) string {
	if hex, ok := strings.CutPrefix(text, "0x"); ok {
		return text[:len(text)-len(strings.TrimLeft(hex, "0123456789abcdefABCDEF"))]
	}
	n, dot := 1, false
	for n < len(text) && (isDigit(text[n]) || text[n] == '.' && !dot && n+1 < len(text) && isDigit(text[n+1])) {
		dot = dot || text[n] == '.'
		n++
	}
	return text[:n]
}

// regex reads /pattern/ up to the first slash that is not behind a backslash.
func (l *lexer) regex() (string, error) {
	open := l.I
	for l.I++; l.I < len(l.Text); l.I++ {
		switch l.Text[l.I] {
		case '\\':
			l.I++
		case '/':
			l.I++
			return l.Text[open+1 : l.I-1], nil
		}
	}
	l.I = len(l.Text)
	return "", l.Syntax(open, "this regular expression is never closed; a slash in it is written \\/")
}

func (l *lexer) json() (string, error) {
	open, depth, quoted := l.I, 0, false
	for ; l.I < len(l.Text); l.I++ {
		switch c := l.Text[l.I]; {
		case c == '"':
			quoted = !quoted
		case quoted && c == '\\':
			l.I++
		case !quoted && c == '{':
			depth++
		case !quoted && c == '}':
			if depth--; depth == 0 {
				l.I++
				return l.Text[open:l.I], nil
			}
		}
	}
	l.I = len(l.Text)
	return "", l.Syntax(open, "this JSON object is never closed")
}

var escapes = map[byte]rune{
	'n': '\n', 'r': '\r', 't': '\t', 'b': '\b', 'f': '\f', 'a': '\a', 'v': '\v', '0': 0,
	'"': '"', '\'': '\'', '\\': '\\', '/': '/',
}

func otherEscape(c *syntax.Cursor, at int, _ byte) (rune, error) {
	return 0, c.Syntax(at, `unknown escape; known are \n \r \t \b \f \a \v \0 \xHH `+
		`\uHHHH \UHHHHHHHH \\ \/ \" and \'`)
}
