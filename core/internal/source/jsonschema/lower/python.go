package lower

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Values in the style python are literals of Python. A string in double quotes is written as in JSON, except for
// escapes with another meaning in Python: \/ and halves of surrogate pairs. So lengths, patterns and formats work as
// in JSON. Listed strings, and strings restricted only by their type, may also be in single quotes.

// preparePython sets the forms of strings. Tests use one kind of quotes: the same string in other quotes would be a
// different value to them.
func (l *speller) preparePython() {
	l.alphabet = l.st.Star(l.pythonCharacter('"'))
	if l.hasTests() {
		return
	}
	if l.single = l.st.Star(l.pythonCharacter('\'')); len(l.p.Excludes) > 0 {
		l.single = l.st.And(l.single, l.withoutTexts(l.p.Excludes))
	}
}

// pythonCharacter returns a character of a string between these quotes. JSON has no escape of a single quote.
func (l *speller) pythonCharacter(quote rune) terminal.Expr {
	st := l.st
	hex := st.Bytes(terminal.BytesOf("0123456789abcdefABCDEF"))
	d, others := st.Bytes(terminal.BytesOf("dD")), st.Bytes(terminal.BytesOf("0123456789abcefABCEF"))
	unit := st.Or(st.Concat(others, hex, hex, hex), st.Concat(d, st.Bytes(terminal.BytesOf("01234567")), hex, hex))
	short := `"\bfnrt`
	if quote == '\'' {
		short += "'"
	}
	return st.Or(
		st.Runes([]rune{' ', quote - 1, quote + 1, '\\' - 1, '\\' + 1, utf8.MaxRune}, l.encoding(terminal.UTF8)),
		st.Concat(st.Literal(`\`), st.Bytes(terminal.BytesOf(short))), st.Concat(st.Literal(`\u`), unit),
	)
}

func (l *speller) inQuotes(body, single terminal.Expr) terminal.Expr {
	e := l.st.Concat(l.endOfName, body, l.endOfName)
	if single == terminal.Empty {
		return e
	}
	quote := l.st.Literal("'")
	return l.st.Or(e, l.st.Concat(quote, single, quote))
}

func (l *speller) quoted(texts []string) terminal.Expr {
	single := terminal.Empty
	if l.single != terminal.Empty {
		single = l.singles(texts)
	}
	return l.inQuotes(l.literals(texts), single)
}

// singles returns the bodies of the texts in single quotes, with necessary escapes.
func (l *speller) singles(texts []string) terminal.Expr {
	written := make([]string, 0, len(texts))
	for _, t := range texts {
		var b strings.Builder
		for _, c := range t {
			switch {
			case c == '\'' || c == '\\':
				b.WriteRune('\\')
				b.WriteRune(c)
			case c == '\n':
				b.WriteString(`\n`)
			case c < ' ':
				fmt.Fprintf(&b, `\u%04x`, c)
			default:
				b.WriteRune(c)
			}
		}
		t = b.String()
		if !slices.ContainsFunc(l.avoided, func(s string) bool { return strings.Contains(t, s) }) {
			written = append(written, t)
		}
	}
	return l.st.Texts(written, l.encoding(terminal.UTF8), nil)
}

func (l *speller) key(name string) terminal.Expr {
	if l.python() {
		return l.quoted([]string{name})
	}
	return l.st.Concat(l.literals([]string{name}), l.endOfName)
}

func (l *speller) pythonKeys(names []string) terminal.Expr {
	st := l.st
	xs := make([]terminal.Expr, len(names))
	for i, name := range names {
		xs[i] = st.Concat(l.quoted([]string{name}), st.Tag(uint32(i)))
	}
	return st.Or(xs...)
}

func (l *speller) keys(names []string) terminal.Expr {
	st := l.st
	if l.tags.inside != isJSON {
		written := make([]string, len(names))
		for i, name := range names {
			written[i] = l.tags.names.spell(name)
		}
		return st.Keys(written, terminal.UTF8, l.tags.names.endOfName)
	}
	if l.python() {
		return l.pythonKeys(names)
	}
	if !slices.ContainsFunc(names, l.mayBeUnclean) {
		return st.Keys(names, l.spelling(), l.endOfName)
	}
	xs := make([]terminal.Expr, len(names))
	for i, name := range names {
		xs[i] = st.Concat(l.literals([]string{name}), l.endOfName, st.Tag(uint32(i)))
	}
	return st.Or(xs...)
}

func (l *speller) anyCharacter() terminal.Expr {
	if l.alphabet != terminal.Empty {
		return l.pythonCharacter('"')
	}
	return l.st.AnyRune(l.enc)
}
