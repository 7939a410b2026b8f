package regex

import (
	"strings"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/source/charclass"

	"github.com/sluice-engine/sluice/core/internal/diag"
)

func (p *parser) escape() (c rune, n *Node, err error) {
	pos := p.at
	if pos+1 >= len(p.text) {
		return -1, nil, p.fail(diag.Syntax, pos, `\`, "a pattern cannot end in a lone backslash; write \\\\ for the "+
			"character")
	}
	ch := p.text[pos+1]
	assertion := func(op Op) (rune, *Node, error) {
		p.at += 2
		return -1, p.new(Node{Op: op, Pos: pos}), nil
	}
	switch ch {
	case 'b':
		return assertion(OpWord)
	case 'B':
		return assertion(OpNotWord)
	case 'A':
		return assertion(OpBegin)
	case 'z', 'Z':
		return assertion(OpEnd)
	case 'Q':
		p.at += 2
		p.quote = true
		return -1, nil, nil
	case 'R':
		p.at += 2
		crlf := p.new(Node{Op: OpLiteral, Pos: pos, Text: "\r\n"})
		one := p.class(pos, []rune{'\n', '\r', 0x85, 0x85, 0x2028, 0x2029})
		return -1, p.new(Node{Op: OpAtomic, Pos: pos, Subs: []*Node{alternate(pos, crlf, one)}}), nil
	case 'N':
		if !strings.HasPrefix(p.text[pos+2:], "{") {
			p.at += 2
			return -1, p.class(pos, charclass.Complement([]rune{'\n', '\n'})), nil
		}
	case 'k', 'g', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return -1, nil, p.backReference(pos)
	}
	c, r, _, err := p.classEscape(false)
	if r != nil {
		return -1, p.class(pos, r), err
	}
	return c, nil, err
}

// classEscape reads an escape for one character or, r ≠ nil, a class. fixed: flag i does not apply to the class.
func (p *parser) classEscape(inClass bool) (c rune, r []rune, fixed bool, err error) {
	pos := p.at
	if pos+1 >= len(p.text) {
		return -1, nil, false, p.fail(diag.Syntax, pos, `\`, "a pattern cannot end in a lone backslash; write \\\\ "+
			"for the character")
	}
	ch := p.text[pos+1]
	p.at += 2
	if r := predefined(ch); r != nil {
		return -1, r, true, nil
	}
	if i := strings.IndexByte("nrtfvae", ch); i >= 0 {
		return rune("\n\r\t\f\v\a\x1b"[i]), nil, false, nil
	}
	switch ch {
	case '0':
		return p.octal(2), nil, false, nil
	case 'x', 'u', 'U':
		c, err := p.hex(pos, ch)
		return c, nil, false, err
	case 'c':
		if p.more() && (p.text[p.at]|0x20 >= 'a' && p.text[p.at]|0x20 <= 'z') {
			p.at++
			return rune(p.text[p.at-1] & 31), nil, false, nil
		}
		return -1, nil, false, p.fail(diag.Syntax, pos, `\c`, "\\c needs a letter, as in \\cJ for a line feed")
	case 'p', 'P':
		r, err := p.unicodeClass(pos, ch == 'P')
		return -1, r, false, err
	}
	if inClass {
		switch {
		case ch == 'b':
			return '\b', nil, false, nil
		case ch >= '1' && ch <= '7':
			p.at--
			return p.octal(3), nil, false, nil
		}
	}
	if ch|0x20 >= 'a' && ch|0x20 <= 'z' || ch >= '0' && ch <= '9' {
		where := ""
		if inClass {
			where = " in a character class"
		}
		return -1, nil, false, p.fail(diag.Unsupported, pos, p.text[pos:pos+2],
			"the escape \\%c has no meaning here%s; for the character write it without the backslash", ch, where)
	}
	p.at--
	c, size := utf8.DecodeRuneInString(p.text[p.at:])
	p.at += size
	return c, nil, false, nil
}

func predefined(ch byte) []rune {
	switch ch {
	case 'd':
		return digitRanges
	case 'D':
		return notDigitRanges
	case 'w':
		return wordRanges
	case 'W':
		return notWordRanges
	case 's':
		return spaceRanges
	case 'S':
		return notSpaceRanges
	case 'h':
		return blankRanges
	case 'H':
		return notBlankRanges
	}
	return nil
}

func (p *parser) octal(n int) rune {
	v := rune(0)
	for ; n > 0 && p.more() && p.text[p.at] >= '0' && p.text[p.at] <= '7'; n-- {
		v = v*8 + rune(p.text[p.at]-'0')
		p.at++
	}
	return v
}

// hex reads the rest of \xHH, \x{…}, \uHHHH, \u{…} or \UHHHHHHHH; kind is the letter. A surrogate pair of two \u is
// one character.
func (p *parser) hex(pos int, kind byte) (rune, error) {
	if kind != 'U' && p.has("{") {
		end := strings.IndexByte(p.text[p.at:], '}')
		if end > 1 && end <= 9 {
			if v, ok := hexValue(p.text[p.at+1 : p.at+end]); ok && v <= utf8.MaxRune {
				p.at += end + 1
				return v, nil
			}
		}
		return -1, p.fail(diag.Syntax, pos, `\`+string(kind),
			"\\%c{…} needs a code point of at most 10FFFF in hexadecimal", kind)
	}
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[kind]
	v, ok := p.hexDigits(p.at, digits)
	if !ok || v > utf8.MaxRune {
		return -1, p.fail(diag.Syntax, pos, `\`+string(kind), "\\%c needs %d hexadecimal digits; write \\%c{…} for "+
			"another number of them", kind, digits, kind|0x20)
	}
	p.at += digits
	if kind == 'u' && v >= 0xD800 && v <= 0xDBFF && p.has(`\u`) {
		if low, ok := p.hexDigits(p.at+2, 4); ok && low >= 0xDC00 && low <= 0xDFFF {
			p.at += 6
			return 0x10000 + (v-0xD800)<<10 + low - 0xDC00, nil
		}
	}
	return v, nil
}

func (p *parser) hexDigits(at, n int) (rune, bool) {
	if at+n > len(p.text) {
		return 0, false
	}
	return hexValue(p.text[at : at+n])
}

func hexValue(s string) (v rune, ok bool) {
	for i := 0; i < len(s); i++ {
		d := rune(s[i])
		switch {
		case d >= '0' && d <= '9':
			d -= '0'
		case d|0x20 >= 'a' && d|0x20 <= 'f':
			d = d | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		if v > 0x7FFFFFF {
			return 0, false
		}
		v = v<<4 | d
	}
	return v, len(s) > 0
}

func (p *parser) unicodeClass(pos int, negative bool) ([]rune, error) {
	name := ""
	switch {
	case p.has("{"):
		end := strings.IndexByte(p.text[p.at:], '}')
		if end < 0 {
			return nil, p.fail(diag.Syntax, pos, `\p`, "the property's name is never closed; add }")
		}
		name = p.text[p.at+1 : p.at+end]
		p.at += end + 1
		if strings.HasPrefix(name, "^") {
			negative, name = !negative, name[1:]
		}
	case p.more():
		name = p.text[p.at : p.at+1]
		p.at++
	}
	r, ok := p.property(name)
	if !ok {
		return nil, p.fail(diag.Unsupported, pos, `\p`, "`%s` is not a Unicode property known here; general "+
			"categories, scripts and the binary properties of ECMA-262 are; or list the ranges in a "+
			"class", diag.Shorten(name, 32))
	}
	p.work.Spend(len(r))
	if p.flags.fold {
		r = p.foldClass(r)
	}
	if negative {
		r = charclass.Complement(r)
	}
	return r, nil
}
