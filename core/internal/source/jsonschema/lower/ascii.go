package lower

import (
	"fmt"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// With the option ascii_only, strings are written in ASCII: every other character as an escape.

// anyCharacter returns one character of a string.
func (l *lowerer) anyCharacter() terminal.Expr {
	st := l.st
	if l.alphabet != terminal.Empty {
		return l.pythonCharacter('"')
	}
	if !l.p.Options.ASCIIOnly {
		return st.AnyRune(l.enc)
	}
	if l.enc == terminal.UTF8 {
		return st.Runes([]rune{0, utf8.RuneSelf - 1}, terminal.UTF8)
	}
	e, _ := st.Memo("json string character in ASCII", func() (terminal.Expr, error) {
		hex := st.Bytes(terminal.BytesOf("0123456789abcdefABCDEF"))
		d, notD := st.Bytes(terminal.BytesOf("dD")), st.Bytes(terminal.BytesOf("0123456789abcefABCEF"))
		u := st.Literal("\\u")
		bmp := st.Or(st.Concat(notD, hex, hex, hex), st.Concat(d, st.Bytes(terminal.BytesOf("01234567")), hex, hex))
		high := st.Concat(d, st.Bytes(terminal.BytesOf("89abAB")), hex, hex)
		low := st.Concat(d, st.Bytes(terminal.BytesOf("cdefCDEF")), hex, hex)
		var plain terminal.ByteSet
		plain.AddRange(0x20, 0x21)
		plain.AddRange(0x23, 0x5B)
		plain.AddRange(0x5D, 0x7F)
		return st.Or(st.Bytes(plain), st.Concat(st.Literal("\\"), st.Bytes(terminal.BytesOf(`"\/bfnrt`))),
			st.Concat(u, bmp),
			st.Concat(u, high, u, low)), nil
	})
	return e
}

// inASCII leaves the ASCII spellings of a language of string bodies, if that is asked for.
func (l *lowerer) inASCII(e terminal.Expr) terminal.Expr {
	if !l.p.Options.ASCIIOnly {
		return e
	}
	return l.st.And(e, l.anyBody)
}

// spelling is how texts are spelled in JSON that a schema spells out. What is tested beside it is recognised in any
// spelling, and so are texts that a pattern describes.
func (l *lowerer) spelling() terminal.Encoding {
	if l.wide || l.patterned || l.p.Options.AnyEscapes {
		return terminal.JSONString
	}
	return terminal.JSONWritten
}

// literals returns the bodies of strings that mean one of the texts, as far as they are written.
func (l *lowerer) literals(texts []string) terminal.Expr {
	if l.enc == terminal.UTF8 {
		return l.plainLiterals(texts)
	}
	return l.clean(l.jsonLiterals(texts), texts...)
}

func (l *lowerer) jsonLiterals(texts []string) terminal.Expr {
	if !l.p.Options.ASCIIOnly {
		return l.st.Texts(texts, l.spelling(), nil)
	}
	var plain []string
	var others []terminal.Expr
	for _, t := range texts {
		if isASCII(t) {
			plain = append(plain, t)
		} else {
			others = append(others, l.asciiText(t))
		}
	}
	return l.st.Or(append(others, l.st.Texts(plain, l.spelling(), nil))...)
}

// except returns the bodies of strings that mean none of the texts, whatever their spelling.
func (l *lowerer) except(texts []string) terminal.Expr {
	if l.enc == terminal.UTF8 {
		return l.st.Not(l.plainLiterals(texts))
	}
	return l.st.Not(l.st.Texts(texts, terminal.JSONString, nil))
}

// keys returns the rest of a key after its opening quote, each with its index among the names as its tag.
func (l *lowerer) keys(names []string) terminal.Expr {
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
	plain := true
	for _, name := range names {
		plain = plain && (!l.p.Options.ASCIIOnly || isASCII(name)) && !l.mayBeUnclean(name)
	}
	if plain {
		return st.Keys(names, l.spelling(), l.endOfName)
	}
	xs := make([]terminal.Expr, len(names))
	for i, name := range names {
		xs[i] = st.Concat(l.literals([]string{name}), l.endOfName, st.Tag(uint32(i)))
	}
	return st.Or(xs...)
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// asciiText returns the spellings of a text in ASCII.
func (l *lowerer) asciiText(text string) terminal.Expr {
	st := l.st
	var xs []terminal.Expr
	from := 0
	flush := func(to int) {
		if from < to {
			xs = append(xs, st.Text(text[from:to], l.spelling()))
		}
	}
	for i, r := range text {
		if r < utf8.RuneSelf {
			continue
		}
		flush(i)
		from = i + utf8.RuneLen(r)
		if r <= 0xFFFF {
			xs = append(xs, l.escape(uint32(r)))
		} else {
			r -= 0x10000
			xs = append(xs, l.escape(0xD800+uint32(r)>>10), l.escape(0xDC00+uint32(r)&0x3FF))
		}
	}
	flush(len(text))
	return st.Concat(xs...)
}

// escape returns the escape of a UTF-16 code unit, in digits of either case.
func (l *lowerer) escape(unit uint32) terminal.Expr {
	xs := []terminal.Expr{l.st.Literal("\\u")}
	for _, c := range fmt.Sprintf("%04x", unit) {
		set := string(c)
		if c >= 'a' {
			set += string(c - 'a' + 'A')
		}
		xs = append(xs, l.st.Bytes(terminal.BytesOf(set)))
	}
	return l.st.Concat(xs...)
}
