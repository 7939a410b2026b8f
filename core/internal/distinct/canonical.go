package distinct

import (
	"bytes"
	"encoding/json"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// canonical returns a text that equal JSON values share and different ones don't, and false if text is no whole value.
func canonical(text []byte) (string, bool) {
	if len(text) == 0 {
		return "", false
	}
	switch c := text[0]; {
	case c == '"' && plainString(text):
		var b strings.Builder
		writeText(&b, '"', string(text[1:len(text)-1]))
		return b.String(), true
	case c == '-' || c >= '0' && c <= '9':
		if !json.Valid(text) {
			return "", false
		}
		return decimal(string(text)), true
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var value any
	if d.Decode(&value) != nil || d.InputOffset() != int64(len(text)) {
		return "", false
	}
	var b strings.Builder
	write(&b, value)
	return b.String(), true
}

// plainString reports whether text is a whole JSON string that spells every character as itself.
func plainString(text []byte) bool {
	if len(text) < 2 || text[len(text)-1] != '"' {
		return false
	}
	for _, c := range text[1 : len(text)-1] {
		if c < 0x20 || c == '"' || c == '\\' {
			return false
		}
	}
	return utf8.Valid(text)
}

// write nests no deeper than the decoder did, which has a limit.
func write(b *strings.Builder, value any) {
	switch x := value.(type) {
	case nil:
		b.WriteString("null")
	case bool:
		b.WriteString(strconv.FormatBool(x))
	case json.Number:
		b.WriteString(decimal(string(x)))
	case string:
		writeText(b, '"', x)
	case []any:
		b.WriteByte('[')
		for _, e := range x {
			write(b, e)
			b.WriteByte(',')
		}
		b.WriteByte(']')
	case map[string]any:
		keys := make([]string, 0, len(x))
		for k := range x {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		b.WriteByte('{')
		for _, k := range keys {
			writeText(b, ':', k)
			write(b, x[k])
			b.WriteByte(',')
		}
		b.WriteByte('}')
	}
}

// writeText writes a text with its length before it, so that nothing in it can be taken for what follows.
func writeText(b *strings.Builder, mark byte, text string) {
	b.WriteByte(mark)
	b.WriteString(strconv.Itoa(len(text)))
	b.WriteByte(mark)
	b.WriteString(text)
}

// decimal returns a number as its digits without zeros at either end, and the exponent of ten they are multiplied by.
func decimal(text string) string {
	sign := ""
	if strings.HasPrefix(text, "-") {
		sign, text = "-", text[1:]
	}
	exponent := new(big.Int)
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		exponent.SetString(strings.TrimPrefix(text[i+1:], "+"), 10)
		text = text[:i]
	}
	if i := strings.IndexByte(text, '.'); i >= 0 {
		exponent.Sub(exponent, big.NewInt(int64(len(text)-i-1)))
		text = text[:i] + text[i+1:]
	}
	digits := strings.TrimLeft(text, "0")
	short := strings.TrimRight(digits, "0")
	exponent.Add(exponent, big.NewInt(int64(len(digits)-len(short))))
	if short == "" {
		return "0"
	}
	return sign + short + "e" + exponent.String()
}
