package ebnf

import (
	"strings"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/rules"
	"github.com/sluice-engine/sluice/core/internal/work"
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
	elements
	src  string
	i    int
	work *work.Meter
}

func isName(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.' || c == '-'
}

var punctuation = map[byte]tokenKind{'|': tOr, ')': tClose, ',': tComma, '=': tEquals}

var simpleQuantifiers = map[byte][2]uint32{'*': {0, grammar.Unbounded}, '+': {1, grammar.Unbounded}, '?': {0, 1}}

func (l *lexer) lex() error {
	first := true
	for l.i < len(l.src) {
		c := l.src[l.i]
		switch {
		case c == '\n':
			first = true
			l.i++
			continue
		case c == ' ' || c == '\t' || c == '\r':
			l.i++
			continue
		case c == '#':
			for l.i < len(l.src) && l.src[l.i] != '\n' {
				l.i++
			}
			continue
		}
		if len(l.toks) == limits.RuleElements {
			return failure(diag.Limit, l.src, l.i, "", "a grammar may have at most %d names, strings, classes, "+
				`operators and brackets; write repeated parts as one rule, and lists of words as Regex("…") or a `+
				"choice",
				limits.RuleElements)
		}
		t := token{at: l.i, firstWord: first}
		first = false
		if err := l.one(&t, c); err != nil {
			return err
		}
		t.end = l.i
		l.work.Spend(rules.NodeWork)
		l.toks = append(rules.Room(l.toks, l.i, len(l.src)), t)
	}
	l.toks = append(l.toks, token{kind: tEnd, at: len(l.src), end: len(l.src)})
	return nil
}

func (l *lexer) one(t *token, c byte) (err error) {
	rest := l.src[l.i:]
	switch {
	case isName(c):
		t.kind = tName
		n := 1
		for n < len(rest) && isName(rest[n]) {
			n++
		}
		t.text, l.i = rest[:n], l.i+n
		return nil
	case c == '"':
		t.kind = tString
		t.text, err = l.quoted()
		return err
	case c == '[':
		var pairs []rune
		if end := l.optionsEnd(); end > 0 {
			l.i = end
		} else {
			pairs, err = l.class()
		}
		t.kind, t.index = tClass, uint32(len(l.classes))
		l.classes = append(rules.Room(l.classes, l.i, len(l.src)), pairs)
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
		l.i += 3
		return nil
	case strings.HasPrefix(rest, "(="):
		t.kind = tLookahead
		l.i += 2
		return nil
	case c == '(':
		t.kind = tOpen
		l.i++
		return nil
	}
	if q, ok := simpleQuantifiers[c]; ok {
		l.quantifier(t, q[0], q[1])
		l.i++
		return nil
	}
	if k, ok := punctuation[c]; ok {
		t.kind = k
		l.i++
		return nil
	}
	return l.stray(c)
}

func (l *lexer) stray(c byte) error {
	switch c {
	case '\'':
		return l.syntax(l.i, "strings are written in double quotes, \"like this\"")
	case '/':
		return l.syntax(l.i, "a regular expression is written Regex(\"…\"), and comments begin with '#'")
	case ':':
		return l.syntax(l.i, "a rule is written name ::= expression")
	case ']', '}':
		return l.syntax(l.i, "this '%c' closes nothing; inside a string or class write it as it is or as \\%c", c, c)
	}
	r, _ := utf8.DecodeRuneInString(l.src[l.i:])
	if r == '\uFEFF' {
		return l.syntax(l.i, "a grammar must not contain a byte order mark (U+FEFF); remove it")
	}
	return l.syntax(l.i, "%q has no meaning outside strings, classes and comments; put it in double quotes to match it",
		r)
}

func (l *lexer) syntax(at int, format string, args ...any) error {
	return failure(diag.Syntax, l.src, at, "", format, args...)
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
			at := l.i
			r, err := l.escape()
			if err != nil {
				return "", err
			}
			if r >= 0xD800 && r <= 0xDFFF {
				return "", l.syntax(at, "half of a surrogate pair is not a character; write both halves, or the "+
					"character as \\UXXXXXXXX")
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
	'n': '\n', 'r': '\r', 't': '\t', 'b': '\b', 'f': '\f', 'a': '\a', 'v': '\v', '0': 0, 'e': 0x1B,
}

var hexLength = map[byte]int{'x': 2, 'u': 4, 'U': 8}

// escape reads a backslash and the rest of its escape, which may be a lone surrogate.
func (l *lexer) escape() (rune, error) {
	at := l.i
	if l.i+1 >= len(l.src) {
		return 0, l.syntax(at, "a backslash must be followed by the character it escapes")
	}
	c := l.src[l.i+1]
	l.i += 2
	if r, ok := escapes[c]; ok {
		return r, nil
	}
	n, isHex := hexLength[c]
	switch {
	case isHex:
		r, err := l.hex(at, c, n)
		if err != nil || r < 0xD800 || r > 0xDBFF || !strings.HasPrefix(l.src[l.i:], `\u`) {
			return r, err
		}
		back := l.i
		l.i += 2
		low, err := l.hex(back, 'u', 4)
		if err == nil && low >= 0xDC00 && low <= 0xDFFF {
			return 0x10000 + (r-0xD800)<<10 + (low - 0xDC00), nil
		}
		l.i = back
		return r, nil
	case c > ' ' && c < 0x7F && !isName(c) || c == '_' || c == '.' || c == '-':
		return rune(c), nil
	case strings.IndexByte("dDwWsS", c) >= 0:
		return 0, l.syntax(at, "\\%c is not an escape of EBNF; write the class out ([0-9]), or use Regex(\"\\\\%c\")",
			c, c)
	}
	return 0, l.syntax(at, `unknown escape; known are \n \r \t \b \f \a \v \0 \e \xHH \uHHHH \UHHHHHHHH and a `+
		`backslash before punctuation`)
}

func (l *lexer) hex(at int, c byte, n int) (rune, error) {
	v, digits := 0, 0
	for digits < n && l.i < len(l.src) {
		d := hexDigit(l.src[l.i])
		if d < 0 {
			break
		}
		v = v<<4 | d
		digits++
		l.i++
	}
	switch {
	case digits == 0 || c != 'x' && digits < n:
		return 0, l.syntax(at, "\\%c needs %d hexadecimal digits", c, n)
	case c == 'x' && digits == n && l.i < len(l.src) && hexDigit(l.src[l.i]) >= 0:
		// Dialects differ in the number of digits that they read here.
		return 0, l.syntax(at, `engines read \x before more than two hexadecimal digits differently; write `+
			`\u%04X, or put the next character into a string of its own`, v)
	case v > utf8.MaxRune:
		return 0, l.syntax(at, `there is no character above U+10FFFF; write at most \U0010FFFF`)
	}
	return rune(v), nil
}

func hexDigit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

// optionsEnd returns the end of a rule's options if they begin at the bracket here: after the first word of a line and
// before ::=. Brackets within strings are text.
func (l *lexer) optionsEnd() int {
	if n := len(l.toks); n == 0 || l.toks[n-1].kind != tName || !l.toks[n-1].firstWord {
		return 0
	}
	within := false
	for i := l.i; i < len(l.src) && l.src[i] != '\n'; i++ {
		switch c := l.src[i]; {
		case c == '"':
			within = !within
		case c == '\\':
			i++
		case c == ']' && !within:
			if strings.HasPrefix(strings.TrimLeft(l.src[i+1:], " \t\r\n"), "::=") {
				return i + 1
			}
			return 0
		}
	}
	return 0
}

func (l *lexer) class() ([]rune, error) {
	open := l.i
	l.i++
	negated := l.i < len(l.src) && l.src[l.i] == '^'
	if negated {
		l.i++
	}
	var pairs []rune
	for {
		if l.i >= len(l.src) || l.src[l.i] == '\n' {
			return nil, l.syntax(open, "this class is not closed on its line; write a line break in it as \\n and a "+
				"bracket as \\]")
		}
		if l.src[l.i] == ']' {
			l.i++
			break
		}
		at := l.i
		lo, err := l.classChar()
		if err != nil {
			return nil, err
		}
		hi := lo
		if rest := l.src[l.i:]; len(rest) > 1 && rest[0] == '-' && rest[1] != ']' && rest[1] != '\n' {
			l.i++
			if hi, err = l.classChar(); err != nil {
				return nil, err
			}
			if hi < lo {
				return nil, l.syntax(at, "the range ends before it begins; write the lower character first, or the "+
					"hyphen as \\-")
			}
		}
		pairs = append(pairs, lo, hi)
	}
	if pairs = rules.Normal(pairs); negated {
		pairs = rules.Complement(pairs)
	}
	if len(pairs) == 0 {
		return nil, l.syntax(open, "this class matches no character at all; [^] matches any")
	}
	return pairs, nil
}

func (l *lexer) classChar() (rune, error) {
	if l.src[l.i] == '\\' {
		return l.escape()
	}
	r, n := utf8.DecodeRuneInString(l.src[l.i:])
	l.i += n
	return r, nil
}

func (l *lexer) quantifier(t *token, lowest, highest uint32) {
	t.kind, t.index = tQuantifier, uint32(len(l.bounds))
	l.bounds = append(l.bounds, [2]uint32{lowest, highest})
}

// count reads {n}, {n,}, {,m} or {n,m}; -1 is no maximum.
func (l *lexer) count() (minimum, maximum uint32, err error) {
	open := l.i
	end := strings.IndexAny(l.src[open:], "}\n")
	if end < 0 || l.src[open+end] == '\n' {
		return 0, 0, l.syntax(open, "this '{' is not closed; a repetition is written {n}, {n,}, {,m} or {n,m}")
	}
	inner := l.src[open+1 : open+end]
	l.i = open + end + 1
	low, high, two := strings.Cut(inner, ",")
	low, high = strings.Trim(low, " \t"), strings.Trim(high, " \t")
	if low == "" && high == "" {
		return 0, 0, l.syntax(open, "a repetition needs a number: {n}, {n,}, {,m} or {n,m}")
	}
	if low != "" {
		if minimum, err = l.number(open, low); err != nil {
			return 0, 0, err
		}
	}
	switch {
	case !two:
		maximum = minimum
	case high == "" || high == "-1":
		maximum = grammar.Unbounded
	default:
		if maximum, err = l.number(open, high); err != nil {
			return 0, 0, err
		}
	}
	if minimum > maximum {
		return 0, 0, failure(diag.Invalid, l.src, open, "", "the minimum %d is above the maximum %d; write the "+
			"smaller number first", minimum, maximum)
	}
	return minimum, maximum, nil
}

func (l *lexer) number(at int, digits string) (uint32, error) {
	v := uint64(0)
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return 0, l.syntax(at, "a repetition is written {n}, {n,}, {,m} or {n,m} with decimal numbers")
		}
		if v = v*10 + uint64(digits[i]-'0'); v > limits.RuleRepeat {
			return 0, failure(diag.Limit, l.src, at, "",
				"a repetition may count to at most %d; for no limit, leave the maximum out: {n,}", limits.RuleRepeat)
		}
	}
	return uint32(v), nil
}

func (l *lexer) mark(t *token) error {
	start := l.i + 1
	if t.negated {
		start++
	}
	n := strings.IndexAny(l.src[start:], ">\n")
	if n <= 0 || l.src[start+n] != '>' {
		return l.syntax(l.i, "a token is written <[id]> or <text>; put angle brackets that are text in double quotes")
	}
	t.text, l.i = l.src[start:start+n], start+n+1
	return nil
}
