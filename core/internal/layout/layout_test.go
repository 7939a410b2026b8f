package layout

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// gaps predicts every gap of a text and returns how many predictions are right, wrong and missing.
func gaps(t *testing.T, text string) (right, wrong, none int) {
	var r Reader
	for i := range len(text) {
		if r.Structural() && r.gapHere(text, i) {
			n := i
			for n < len(text) && IsGap(text[n]) {
				n++
			}
			closes := n < len(text) && (text[n] == '}' || text[n] == ']')
			at, said := r, ""
			for {
				b, done, ok := at.Next(closes)
				if !ok {
					none++
					break
				}
				if done {
					if said == text[i:n] {
						right++
					} else {
						wrong++
						t.Logf("behind %q %q is predicted, not %q", text[:i], said, text[i:n])
					}
					break
				}
				said += string(b)
				at.Read([]byte{b})
			}
		}
		r.Read([]byte(text[i : i+1]))
	}
	return right, wrong, none
}

// gapHere reports whether a gap may begin in the text here, and none has begun.
func (r *Reader) gapHere(text string, i int) bool {
	return r.gap.n == 0 && (strings.IndexByte(",:{[", r.last) >= 0 || !IsGap(text[i]) || text[i] != ' ')
}

// After the first gaps of their kinds, all are predicted.
func TestLayouts(t *testing.T) {
	for text, misses := range map[string]int{
		`{"a": 1, "b": [1, 2, {"c": {}}], "d": "x, y: {", "e": null}`:                                                    1,
		`{"a":1,"b":[1,2,{"c":[]}],"d":"\"\\","e":null}`:                                                                 2,
		"{\n  \"a\": 1,\n  \"b\": [\n    1,\n    {\n      \"c\": true\n    }\n  ],\n  \"d\": {\n    \"e\": 1\n  }\n}":    1,
		"x {\r\n\t\"a\": 1,\r\n\t\"b\": [\r\n\t\t{\r\n\t\t\t\"c\": 0\r\n\t\t}\r\n\t]\r\n}\nand {\r\n\t\"a\": \"1\"\r\n}": 1,
		"{\n\"a\": 1,\n\"b\": {\n\"c\": 2\n}\n}":                                                                         1,
	} {
		right, wrong, none := gaps(t, text)
		require.Greater(t, right, 5, text)
		require.LessOrEqual(t, wrong+none, misses, text)
	}
}

// Text that is no JSON does not spoil the JSON behind it.
func TestOtherText(t *testing.T) {
	var r Reader
	r.Read([]byte("it's \"so {\"a\nb\n"))
	require.False(t, r.Structural(), "a line end in a string")
	r.Read([]byte("{\"a\":1,"))
	require.True(t, r.Structural())
	b, done, ok := r.Next(false)
	require.True(t, ok && done && b == 0, "as behind the colon")
	r.Read([]byte(strings.Repeat(" ", 100) + "\"b\":"))
	_, done, ok = r.Next(false)
	require.True(t, ok && done)
	r.Read([]byte("\t"))
	_, _, ok = r.Next(false)
	require.False(t, ok, "the gap so far is another one")
	r.Read([]byte(strings.Repeat("[", 100) + strings.Repeat("]", 300)))
	require.False(t, r.Structural())
}
