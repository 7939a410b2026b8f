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

// canonical returns a text that is the same exactly for equal JSON values. It returns false if text is not a whole
// value.
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
	t, ok := readTree(text)
	if !ok {
		return "", false
	}
	var b strings.Builder
	t.write(&b)
	return b.String(), true
}

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

// tree is a JSON value as a list of pieces. A model may nest values deeply, so no function here recurses, and
// encoding/json, which refuses more than 10,000 levels, reads only tokens.
type tree []piece

// piece is one value. Members of a list are linked in order, members of an object by ascending key.
type piece struct {
	open        json.Delim // '[' or '{'; 0 for a scalar
	scalar      string     // canonical
	key         string
	first, next int // indices, 0: none
}

func readTree(text []byte) (tree, bool) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var t tree
	type container struct {
		piece   int
		key     string
		keyed   bool // a key was read
		members []int
	}
	var open []container
	for {
		token, err := d.Token()
		if err != nil {
			return nil, false
		}
		var top *container
		if len(open) > 0 {
			top = &open[len(open)-1]
		}
		if key, ok := token.(string); ok && top != nil && t[top.piece].open == '{' && !top.keyed {
			top.key, top.keyed = key, true
			continue
		}
		delim, isDelim := token.(json.Delim)
		if isDelim && (delim == ']' || delim == '}') {
			t.link(top.piece, top.members)
			open = open[:len(open)-1]
		} else {
			p := piece{scalar: scalarText(token)}
			if isDelim {
				p = piece{open: delim}
			}
			if top != nil {
				p.key, top.keyed = top.key, false
				top.members = append(top.members, len(t))
			}
			t = append(t, p)
			if isDelim {
				open = append(open, container{piece: len(t) - 1})
			}
		}
		if len(open) == 0 {
			return t, d.InputOffset() == int64(len(text))
		}
	}
}

// link links the members of a list or object. Of equal keys in an object the last one counts.
func (t tree) link(at int, members []int) {
	if t[at].open == '{' {
		slices.SortStableFunc(members, func(a, b int) int { return strings.Compare(t[a].key, t[b].key) })
	}
	last := 0
	for i, m := range members {
		if t[at].open == '{' && i+1 < len(members) && t[members[i+1]].key == t[m].key {
			continue
		}
		if last == 0 {
			t[at].first = m
		} else {
			t[last].next = m
		}
		last = m
	}
}

func scalarText(token json.Token) string {
	var b strings.Builder
	switch x := token.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(x)
	case json.Number:
		return decimal(string(x))
	case string:
		writeText(&b, '"', x)
	}
	return b.String()
}

func (t tree) write(b *strings.Builder) {
	var up []int
	for at := 0; ; {
		p := &t[at]
		if len(up) > 0 && t[up[len(up)-1]].open == '{' {
			writeText(b, ':', p.key)
		}
		switch {
		case p.open == 0:
			b.WriteString(p.scalar)
		default:
			b.WriteByte(byte(p.open))
			if p.first != 0 {
				up, at = append(up, at), p.first
				continue
			}
			b.WriteByte(byte(p.open) + 2) // the closing bracket
		}
		for len(up) > 0 && t[at].next == 0 {
			at, up = up[len(up)-1], up[:len(up)-1]
			b.WriteByte(',')
			b.WriteByte(byte(t[at].open) + 2)
		}
		if len(up) == 0 {
			return
		}
		b.WriteByte(',')
		at = t[at].next
	}
}

// writeText writes a text after its length, so that the form stays unambiguous.
func writeText(b *strings.Builder, mark byte, text string) {
	b.WriteByte(mark)
	b.WriteString(strconv.Itoa(len(text)))
	b.WriteByte(mark)
	b.WriteString(text)
}

// decimal returns a number as its digits without zeros at either end, and an exponent of ten.
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
