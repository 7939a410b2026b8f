package corpus

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
)

// Respell writes JSON as Python's json.dumps(…, ensure_ascii=False) does, which is how the instances of both
// collections are defined: ", " and ": ", characters as they are, numbers as Python prints them. ok is false for a
// text that has half a surrogate pair in it, which is no JSON text. The order of members is kept. text must be valid
// JSON.
func Respell(text []byte) (out string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(text); {
		n := 1
		switch c := text[i]; c {
		case ' ', '\t', '\n', '\r':
		case ',', ':':
			b.WriteByte(c)
			b.WriteByte(' ')
		case '"':
			n = stringLength(text[i:])
			if !writeString(&b, text[i:i+n]) {
				return "", false
			}
		case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			for i+n < len(text) && strings.IndexByte("0123456789+-.eE", text[i+n]) >= 0 {
				n++
			}
			b.WriteString(pythonNumber(string(text[i : i+n])))
		default:
			b.WriteByte(c)
		}
		i += n
	}
	return b.String(), true
}

// stringLength returns the length of the string that text begins with, quotes included.
func stringLength(text []byte) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// writeString decodes a string and writes it with the escapes that JSON demands.
func writeString(b *strings.Builder, quoted []byte) bool {
	var s string
	if halfPair(string(quoted)) || json.Unmarshal(quoted, &s) != nil {
		return false
	}
	b.WriteByte('"')
	for _, r := range s {
		if at := strings.IndexRune("\"\\\n\r\t\f\b", r); at >= 0 {
			b.WriteString([]string{`\"`, `\\`, `\n`, `\r`, `\t`, `\f`, `\b`}[at])
		} else if r < ' ' {
			fmt.Fprintf(b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return true
}

// halfPair reports whether a quoted string has a \u escape of half a surrogate pair.
func halfPair(quoted string) bool {
	unit := func(s string) (rune, bool) {
		if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
			return 0, false
		}
		n, err := strconv.ParseUint(s[2:6], 16, 16)
		return rune(n), err == nil
	}
	for i := 0; i < len(quoted); i++ {
		if quoted[i] != '\\' {
			continue
		}
		high, escaped := unit(quoted[i:])
		switch {
		case !escaped:
			i++
		case !utf16.IsSurrogate(high):
			i += 5
		default:
			low, escaped := unit(quoted[i+6:])
			if !escaped || utf16.DecodeRune(high, low) == '\uFFFD' {
				return true
			}
			i += 11
		}
	}
	return false
}

// pythonNumber spells a number as Python does after reading it: integers as they are, others as the shortest decimal
// that reads back as the same double, with an exponent below 1e-4 and from 1e16.
func pythonNumber(s string) string {
	if !strings.ContainsAny(s, ".eE") {
		if s == "-0" {
			return "0"
		}
		return s
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return s // beyond a double: no such number is in the data
	}
	scientific := strconv.FormatFloat(f, 'e', -1, 64)
	_, exponent, _ := strings.Cut(scientific, "e")
	if e, _ := strconv.Atoi(exponent); f != 0 && (e < -4 || e >= 16) {
		return scientific
	}
	plain := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(plain, ".") {
		plain += ".0"
	}
	return plain
}
