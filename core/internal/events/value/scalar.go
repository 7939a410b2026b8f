package value

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// end reports the end of the scalar in progress.
func (r *Reader) end(out *Sink) {
	r.report(out, true)
	r.kind = 0
	r.toAfterValue()
}

// report makes an event of the pending text. Unless the scalar ends, an incomplete character waits for its rest.
func (r *Reader) report(out *Sink, ends bool) {
	text := out.text
	if !ends && r.kind == String {
		n := Whole(text)
		r.held = append(r.held[:0], text[n:]...)
		text = text[:n]
	}
	if len(text) == 0 && !r.fresh && !ends {
		return
	}
	e := Event{Kind: r.kind, Begins: r.fresh, Ends: ends, Path: r.path}
	var buffer [128]byte
	json := buffer[:0]
	if r.fresh {
		json = r.lead(json)
	}
	if r.kind == String {
		if r.fresh {
			json = append(json, '"')
		}
		if json = appendJSON(json, text); ends {
			json = append(json, '"')
		}
	} else {
		json = append(json, text...)
	}
	if e.Text = string(text); r.half {
		e.Text, r.half = shown(text), false
	}
	if e.JSON = e.Text; string(json) != e.Text {
		e.JSON = string(json)
	}
	r.fresh = false
	out.text = out.text[:0]
	out.add(e)
}

// put adds decoded text to the string or name in progress.
func (r *Reader) put(out *Sink, text ...byte) {
	if r.isKey {
		r.key = append(r.key, text...)
	} else {
		out.text = append(out.text, text...)
	}
}

func (r *Reader) inString(text []byte, out *Sink) int {
	i := 0
	for i < len(text) && text[i] != r.quote && text[i] != '\\' && text[i] >= ' ' {
		i++
	}
	if r.high != 0 && (i > 0 || text[0] != '\\') {
		r.lone(out)
	}
	if r.put(out, text[:i]...); i == len(text) {
		return i
	}
	switch {
	case text[i] == '\\':
		r.mode, r.n = inEscape, 0
	case text[i] != r.quote:
		r.fail("a string must not contain control characters")
	case r.isKey:
		r.mode = colon
	default:
		r.end(out)
	}
	return i + 1
}

// lone adds the pending half of a surrogate pair, since the other half does not follow.
func (r *Reader) lone(out *Sink) {
	text := appendHalf(nil, r.high)
	r.high, r.half = 0, !r.isKey
	r.put(out, text...)
}

const shortEscapes, shortMeanings = `"\/bfnrt'`, "\"\\/\b\f\n\r\t'"

// escape reads a byte behind a backslash; n counts them.
func (r *Reader) escape(c byte, out *Sink) int {
	r.n++
	if r.n == 1 && c == 'u' {
		r.code = 0
		return 1
	}
	if r.n == 1 {
		i := strings.IndexByte(shortEscapes, c)
		if i < 0 || c == '\'' && !r.d.python() || c == '/' && r.d.python() {
			return r.fail("there is no such escape")
		}
		if r.high != 0 {
			r.lone(out)
		}
		r.put(out, shortMeanings[i])
		r.mode = inString
		return 1
	}
	digit := strings.IndexByte("0123456789abcdefABCDEF", c)
	switch {
	case digit < 0:
		return r.fail("four hexadecimal digits must follow \\u")
	case digit > 15:
		digit -= 6
	}
	if r.code = r.code<<4 | rune(digit); r.n < 5 {
		return 1
	}
	r.mode = inString
	unit := r.code
	if r.high != 0 {
		if whole := utf16.DecodeRune(rune(r.high), unit); whole != utf8.RuneError {
			r.high = 0
			r.put(out, []byte(string(whole))...)
			return 1
		}
		r.lone(out)
	}
	switch {
	case unit>>10 == 0xD800>>10:
		r.high = uint16(unit)
	case utf16.IsSurrogate(unit):
		r.high = uint16(unit)
		r.lone(out)
	default:
		r.put(out, []byte(string(unit))...)
	}
	return 1
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// The states of a number.
const (
	numberStart = iota
	minus
	zero
	integer
	point
	fraction
	exponent
	sign
	digits
)

func numberMayEnd(state int) bool {
	return state == zero || state == integer || state == fraction || state == digits
}

// numberAfter returns the state of a number after a byte, or -1.
func numberAfter(state int, c byte) int {
	switch {
	case isDigit(c):
		switch state {
		case numberStart, minus:
			if c == '0' {
				return zero
			}
			return integer
		case integer, fraction, digits:
			return state
		case point:
			return fraction
		case exponent, sign:
			return digits
		}
	case c == '-' && state == numberStart:
		return minus
	case c == '.' && (state == zero || state == integer):
		return point
	case c|0x20 == 'e' && (state == zero || state == integer || state == fraction):
		return exponent
	case (c == '+' || c == '-') && state == exponent:
		return sign
	}
	return -1
}

func (r *Reader) number(text []byte, out *Sink) int {
	for i, c := range text {
		next := numberAfter(r.n, c)
		if next < 0 {
			out.text = append(out.text, text[:i]...)
			if !numberMayEnd(r.n) {
				r.fail("the number is incomplete")
			} else {
				r.end(out)
			}
			return i
		}
		r.n = next
	}
	out.text = append(out.text, text...)
	return len(text)
}

// words of JSON and Python: the kind and the text in JSON.
var words = []struct {
	json, python string
	kind         Kind
}{{"true", "True", Boolean}, {"false", "False", Boolean}, {"null", "None", Null}}

func (r *Reader) startWord(c byte) int {
	for _, w := range words {
		if r.word = w.json; r.d.python() || r.mayPrint() && w.python[0] == c {
			r.word = w.python
		}
		if r.word[0] == c {
			r.mode, r.n = inWord, 0
			return 0
		}
	}
	return r.fail("a value must follow")
}

// mayPrint reports whether a template may have printed the value as Python does: the value stands alone in a tag. None
// stands for null, though no grammar writes it.
func (r *Reader) mayPrint() bool { return r.d.capitals && (r.top == nil || r.top.tags) }

func (r *Reader) inWord(c byte, out *Sink) int {
	switch {
	case r.word[r.n] == c:
	case r.mode == tagEnd:
		return r.fail("the end of the value must follow: " + strings.TrimSpace(r.word))
	default:
		return r.fail("a value must follow")
	}
	if r.n++; r.n < len(r.word) {
		return 1
	}
	if r.mode == tagEnd {
		r.mode = atMember
		return 1
	}
	for _, w := range words {
		if w.json == r.word || w.python == r.word {
			r.scalar(w.kind)
			out.text = append(out.text[:0], w.json...)
			r.end(out)
			break
		}
	}
	return 1
}
