package expr

import (
	"unicode/utf8"
)

// LongestEscape is the length of an escape of JSON that is a surrogate pair.
const LongestEscape = len(`\ud800\udc00`)

// EscapeBytes are the bytes of all escapes of JSON.
var EscapeBytes = BytesOf("\\\"/bfnrtu0123456789abcdefABCDEF")

// CodePoints is a range of code points.
type CodePoints struct{ Low, High rune }

// SpelledBy returns the code points whose escape in JSON begins with escape, which begins with a backslash. whole
// reports that escape is complete.
func SpelledBy(escape []byte) (ranges []CodePoints, whole bool) {
	if len(escape) == 1 {
		return []CodePoints{{0, utf8.MaxRune}}, false
	}
	if escape[1] != 'u' {
		for _, r := range "\"\\/\b\f\n\r\t" {
			if len(escape) == 2 && shortEscape(r) == escape[1] {
				return []CodePoints{{r, r}}, true
			}
		}
		return nil, false
	}
	const digits = 4
	first := escape[2:min(len(escape), 2+digits)]
	low, high, ok := hexSpan(first)
	if !ok {
		return nil, false
	}
	if len(first) == digits && (low < 0xD800 || low > 0xDFFF) {
		return []CodePoints{{low, low}}, len(escape) == 2+digits
	}
	if len(first) < digits {
		if low < 0xD800 {
			ranges = append(ranges, CodePoints{low, min(high, 0xD7FF)})
		}
		if high > 0xDFFF {
			ranges = append(ranges, CodePoints{max(low, 0xE000), high})
		}
	}
	low, high = max(low, 0xD800), min(high, 0xDBFF)
	if low > high {
		return ranges, false
	}
	const below = 1 << 10 // code points for each high surrogate
	from, to := 0x10000+(low-0xD800)*below, 0x10000+(high-0xD800)*below+below-1
	if rest := escape[2+len(first):]; len(rest) > 0 {
		if rest[0] != '\\' || len(rest) > 1 && rest[1] != 'u' {
			return nil, false
		}
		low, high, ok = hexSpan(rest[min(2, len(rest)):])
		low, high = max(low, 0xDC00), min(high, 0xDFFF)
		if !ok || low > high {
			return nil, false
		}
		from, to = from+low-0xDC00, from+high-0xDC00
		whole = len(rest) == 2+digits
	}
	return append(ranges, CodePoints{from, to}), whole
}

// hexSpan returns the least and the greatest number of four hexadecimal digits that begins with digits.
func hexSpan(digits []byte) (low, high rune, ok bool) {
	value := rune(0)
	for _, c := range digits {
		switch {
		case '0' <= c && c <= '9':
			value = value<<4 | rune(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			value = value<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, 0, false
		}
	}
	free := 4 * (4 - len(digits))
	return value << free, (value+1)<<free - 1, true
}

func shortEscape(r rune) byte {
	switch r {
	case '"', '\\', '/':
		return byte(r)
	case '\b':
		return 'b'
	case '\f':
		return 'f'
	case '\n':
		return 'n'
	case '\r':
		return 'r'
	case '\t':
		return 't'
	}
	return 0
}
