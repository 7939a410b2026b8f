package lark

import (
	"strings"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/rules"
	"github.com/sluice-engine/sluice/core/internal/work"
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
	src    string
	i      int
	toks   []token
	braces []int       // open ones, as indices of toks
	tree   *rules.Tree // finds the text of a place
	work   *work.Meter
}

var takesJSON = map[string]bool{"%json": true, "%regex": true, "%llguidance": true, "%grammar_options": true}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func (l *lexer) lex() error {
	first := true
	for {
		newLine := l.blanks()
		first = first || newLine
		if l.i >= len(l.src) {
			break
		}
		if len(l.toks) == limits.RuleElements {
			return l.tree.Failure(diag.Limit, l.i, "", "a grammar may have at most %d names, texts, patterns, "+
				"operators and brackets; write repeated parts as one rule, and lists of words as one pattern or a "+
				"choice",
				limits.RuleElements)
		}
		t := token{at: l.i, firstWord: first}
		first = false
		if err := l.one(&t); err != nil {
			return err
		}
		t.end = l.i
		l.work.Spend(rules.NodeWork)
		l.toks = append(rules.Room(l.toks, l.i, len(l.src)), t)
	}
	if n := len(l.braces); n > 0 {
		return l.syntax(l.toks[l.braces[n-1]].at, "this '{' is never closed")
	}
	l.toks = append(l.toks, token{kind: tEnd, at: len(l.src), end: len(l.src)})
	return nil
}

func (l *lexer) blanks() (newLine bool) {
	for l.i < len(l.src) {
		switch c := l.src[l.i]; {
		case c == '\n':
			newLine = true
			l.i++
		case c == ' ' || c == '\t' || c == '\r' || c == '\f':
			l.i++
		case c == '#' || strings.HasPrefix(l.src[l.i:], "//"):
			n := strings.IndexByte(l.src[l.i:], '\n')
			if n < 0 {
				n = len(l.src) - l.i
			}
			l.i += n
		default:
			return newLine
		}
	}
	return newLine
}

func (l *lexer) one(t *token) (err error) {
	rest := l.src[l.i:]
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
		if t.text, err = l.quoted(); err == nil && strings.HasPrefix(l.src[l.i:], "i") {
			l.i++
			t.more = 1
		}
		return err
	case c == '/':
		t.kind = tRegex
		if t.text, err = l.regex(); err == nil {
			flags := len(l.src) - l.i - len(strings.TrimLeft(l.src[l.i:], "imslux"))
			l.i += flags
			t.more = uint32(flags)
		}
		return err
	case c == '<':
		n := strings.IndexAny(rest, ">\n")
		if n <= 1 || rest[n] != '>' {
			return l.syntax(l.i, "a token is written <text> or <[id]>; put angle brackets that are text in double "+
				"quotes")
		}
		t.kind, t.text = tMark, rest[1:n]
		l.i += n + 1
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
		return l.stray()
	}
	l.i += len(t.text)
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
		return l.syntax(l.i, "this '}' closes nothing; put it in double quotes to match it")
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

func (l *lexer) stray() error {
	switch c := l.src[l.i]; c {
	case '\'':
		return l.syntax(l.i, "strings are written in double quotes, \"like this\"")
	case '>', '^', '$', '\\':
		return l.syntax(l.i, "'%c' has no meaning outside strings and regular expressions; put it in double quotes "+
			"to match it", c)
	}
	r, _ := utf8.DecodeRuneInString(l.src[l.i:])
	if r == '\uFEFF' {
		return l.syntax(l.i, "a grammar must not contain a byte order mark (U+FEFF); remove it")
	}
	return l.syntax(l.i, "%q has no meaning outside strings, regular expressions and comments; put it in double "+
		"quotes to match it", r)
}

func (l *lexer) syntax(at int, format string, args ...any) error {
	return l.tree.Failure(diag.Syntax, at, "", format, args...)
}

// regex reads /pattern/ up to the first slash that is not behind a backslash.
func (l *lexer) regex() (string, error) {
	open := l.i
	for l.i++; l.i < len(l.src); l.i++ {
		switch l.src[l.i] {
		case '\\':
			l.i++
		case '/':
			l.i++
			return l.src[open+1 : l.i-1], nil
		}
	}
	l.i = len(l.src)
	return "", l.syntax(open, "this regular expression is never closed; a slash in it is written \\/")
}

func (l *lexer) json() (string, error) {
	open, depth, quoted := l.i, 0, false
	for ; l.i < len(l.src); l.i++ {
		switch c := l.src[l.i]; {
		case c == '"':
			quoted = !quoted
		case quoted && c == '\\':
			l.i++
		case !quoted && c == '{':
			depth++
		case !quoted && c == '}':
			if depth--; depth == 0 {
				l.i++
				return l.src[open:l.i], nil
			}
		}
	}
	l.i = len(l.src)
	return "", l.syntax(open, "this JSON object is never closed")
}

func (l *lexer) quoted() (string, error) {
	open := l.i
	l.i++
	if text, ok := rules.PlainString(l.src[l.i:]); ok {
		l.i += len(text) + 1
		return text, nil
	}
	var b strings.Builder
	for l.i < len(l.src) {
		switch c := l.src[l.i]; c {
		case '"':
			l.i++
			return b.String(), nil
		case '\n':
			return "", l.syntax(open, "this string is not closed on its line; write a line break in it as \\n")
		case '\\':
			r, err := l.escape()
			if err != nil {
				return "", err
			}
			b.WriteRune(r)
		default:
			b.WriteByte(c)
			l.i++
		}
	}
	return "", l.syntax(open, "this string is never closed")
}

var escapes = map[byte]rune{
	'n': '\n', 'r': '\r', 't': '\t', 'b': '\b', 'f': '\f', 'a': '\a', 'v': '\v', '0': 0,
	'"': '"', '\'': '\'', '\\': '\\', '/': '/',
}

var hexLength = map[byte]int{'x': 2, 'u': 4, 'U': 8}

func (l *lexer) escape() (rune, error) {
	at := l.i
	if at+1 >= len(l.src) {
		return 0, l.syntax(at, "a backslash must be followed by the character it escapes")
	}
	c := l.src[at+1]
	if r, ok := escapes[c]; ok {
		l.i += 2
		return r, nil
	}
	n := hexLength[c]
	if n == 0 {
		return 0, l.syntax(at, `unknown escape; known are \n \r \t \b \f \a \v \0 \xHH `+
			`\uHHHH \UHHHHHHHH \\ \/ \" and \'`)
	}
	l.i += 2
	r, err := l.hex(at, n)
	if err == nil && r >= 0xD800 && r <= 0xDBFF && strings.HasPrefix(l.src[l.i:], `\u`) {
		var low rune
		l.i += 2
		if low, err = l.hex(l.i-2, 4); low >= 0xDC00 && low <= 0xDFFF {
			return 0x10000 + (r-0xD800)<<10 + (low - 0xDC00), err
		}
	}
	switch {
	case err != nil:
		return 0, err
	case r >= 0xD800 && r <= 0xDFFF:
		return 0, l.syntax(at, "half of a surrogate pair is not a character; write both halves, or the character "+
			"as \\UXXXXXXXX")
	case r < 0 || r > utf8.MaxRune:
		return 0, l.syntax(at, `there is no character above U+10FFFF; write at most \U0010FFFF`)
	}
	return r, nil
}

func (l *lexer) hex(at, n int) (rune, error) {
	v := rune(0)
	for range n {
		d := -1
		if l.i < len(l.src) {
			d = strings.IndexByte("0123456789abcdef", l.src[l.i]|0x20)
		}
		if d < 0 || l.src[l.i] < '0' {
			return 0, l.syntax(at, "\\%c needs %d hexadecimal digits", l.src[at+1], n)
		}
		v = v<<4 | rune(d)
		l.i++
	}
	return v, nil
}
