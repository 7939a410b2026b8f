package syntax

import (
	"strings"
	"unicode/utf8"
)

// Cursor is a place in a text that a lexer reads.
type Cursor struct {
	*Source
	Text    string
	I       int
	Escapes map[byte]rune // the characters of escapes, by the letter behind the backslash
	// Other reads any other escape, except \x, \u and \U.
	Other func(c *Cursor, at int, letter byte) (rune, error)
	Short bool // \x may have one digit
}

// Quoted reads a string in double quotes.
func (c *Cursor) Quoted() (string, error) {
	open := c.I
	c.I++
	if n := strings.IndexAny(c.Text[c.I:], "\"\\\n"); n >= 0 && c.Text[c.I+n] == '"' {
		c.I += n + 1
		return c.Text[open+1 : c.I-1], nil
	}
	var b strings.Builder
	for c.I < len(c.Text) {
		switch x := c.Text[c.I]; x {
		case '"':
			c.I++
			return b.String(), nil
		case '\n':
			return "", c.Syntax(open, "this string is not closed on its line; write a line break in it as \\n")
		case '\\':
			at := c.I
			r, err := c.Escape()
			if err != nil {
				return "", err
			}
			if r >= 0xD800 && r <= 0xDFFF {
				return "", c.Syntax(at, "half of a surrogate pair is not a character; write both halves, or the "+
					"character as \\UXXXXXXXX")
			}
			b.WriteRune(r)
		default:
			b.WriteByte(x)
			c.I++
		}
	}
	return "", c.Syntax(open, "this string is never closed")
}

var hexLength = map[byte]int{'x': 2, 'u': 4, 'U': 8}

// Escape reads a backslash and the rest of its escape, which may be a lone surrogate.
func (c *Cursor) Escape() (rune, error) {
	at := c.I
	if at+1 >= len(c.Text) {
		return 0, c.Syntax(at, "a backslash must be followed by the character it escapes")
	}
	letter := c.Text[at+1]
	c.I += 2
	if r, ok := c.Escapes[letter]; ok {
		return r, nil
	}
	if hexLength[letter] == 0 {
		return c.Other(c, at, letter)
	}
	r, err := c.hex(at, letter)
	if err != nil || r < 0xD800 || r > 0xDBFF || !strings.HasPrefix(c.Text[c.I:], `\u`) {
		return r, err
	}
	back := c.I
	c.I += 2
	if low, err := c.hex(back, 'u'); err == nil && low >= 0xDC00 && low <= 0xDFFF {
		return 0x10000 + (r-0xD800)<<10 + (low - 0xDC00), nil
	}
	c.I = back
	return r, nil
}

func (c *Cursor) hex(at int, letter byte) (rune, error) {
	v, digits, most := 0, 0, hexLength[letter]
	for ; digits < most && c.I < len(c.Text) && hexDigit(c.Text[c.I]) >= 0; c.I++ {
		v = v<<4 | hexDigit(c.Text[c.I])
		digits++
	}
	switch {
	case digits == 0 || digits < most && !(letter == 'x' && c.Short):
		return 0, c.Syntax(at, "\\%c needs %d hexadecimal digits", letter, most)
	case letter == 'x' && c.Short && digits == most && c.I < len(c.Text) && hexDigit(c.Text[c.I]) >= 0:
		// Dialects differ in the number of digits that they read here.
		return 0, c.Syntax(at, `engines read \x before more than two hexadecimal digits differently; write `+
			`\u%04X, or put the next character into a string of its own`, v)
	case v > utf8.MaxRune:
		return 0, c.Syntax(at, `there is no character above U+10FFFF; write at most \U0010FFFF`)
	}
	return rune(v), nil
}

func hexDigit(c byte) int {
	if c < '0' {
		return -1
	}
	return strings.IndexByte("0123456789abcdef", c|0x20)
}

// Stray returns the error about a character that begins nothing. outside lists the places in which it has a meaning.
func (c *Cursor) Stray(outside string) error {
	switch r, _ := utf8.DecodeRuneInString(c.Text[c.I:]); r {
	case '\'':
		return c.Syntax(c.I, "strings are written in double quotes, \"like this\"")
	case '\uFEFF':
		return c.Syntax(c.I, "a grammar must not contain a byte order mark (U+FEFF); remove it")
	default:
		return c.Syntax(c.I, "%q has no meaning outside %s; put it in double quotes to match it", r, outside)
	}
}
