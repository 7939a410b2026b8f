package diag

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// excerptWidth is the number of bytes of a long line that an error shows around its caret: one line of a terminal.
const excerptWidth = 72

// InText gives e a place in a text, and shows the line with a caret below the place.
func (e *Error) InText(text string, at int) *Error {
	e.Place, e.Excerpt = TextPlace(text, at), Caret(text, at, excerptWidth)
	return e
}

// Caret returns the line of offset at with a caret below the offset. It cuts a longer line to about width bytes around
// the offset. Tabs stay tabs and a wide character has two carets, so that the caret stands below its character.
func Caret(text string, at, width int) string {
	at = min(max(at, 0), len(text))
	from := strings.LastIndexByte(text[:at], '\n') + 1
	to := len(text)
	if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
		to = at + n
	}
	before, after := text[from:at], strings.TrimRight(text[at:to], "\r")
	if n := len(before) - width/2; n > 0 {
		for n < len(before) && !utf8.RuneStart(before[n]) {
			n++
		}
		before = "…" + before[n:]
	}
	after = Shorten(after, width/2)
	before, after = strings.Map(visible, before), strings.Map(visible, after)
	return "    " + before + after + "\n    " + strings.Map(blank, before) + "^"
}

func blank(r rune) rune {
	switch kind := width.LookupRune(r).Kind(); {
	case r == '\t':
		return r
	case unicode.In(r, unicode.Mn, unicode.Me):
		return -1
	case kind == width.EastAsianWide, kind == width.EastAsianFullwidth:
		return '\u3000'
	}
	return ' '
}

func visible(r rune) rune {
	if r != '\t' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
		return utf8.RuneError
	}
	return r
}
