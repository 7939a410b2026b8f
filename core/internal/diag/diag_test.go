package diag

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// A message stays readable with a deep place; the place itself is whole.
func TestLongPointersAreShortenedInMessages(t *testing.T) {
	short := At("/properties/a~1b/items/0")
	require.Contains(t, Errorf(Invalid, "json_schema", short, "no").Error(), short.Pointer)
	for _, token := range []string{"/allOf/0", "/日本", "x"} {
		long := At(strings.Repeat(token, 4500))
		e := Errorf(Limit, "json_schema", long, "too deep")
		text := e.Error()
		require.Less(t, len(text), 300)
		require.True(t, utf8.ValidString(text))
		require.Contains(t, text, "…")
		require.Contains(t, text, "too deep")
		require.Len(t, e.Place.Pointer, len(token)*4500)
	}
	require.Contains(t, Errorf(Limit, "json_schema", At(strings.Repeat("/allOf/0", 99)), "").Error(), "/…/")
}

// The first byte outside of characters is found, also behind a written replacement character.
func TestInvalidUTF8(t *testing.T) {
	for text, want := range map[string]int{
		"": -1, "aé日本😀": -1, "\uFFFD": -1, "\xFF": 0, "é\x80": 2, "\uFFFD\xC3": 3, "日\xE6\x97": 3,
		"a\xED\xA0\x80": 1, "\xC0\x80": 0, "ab\xF4\x90\x80\x80": 2,
	} {
		require.Equal(t, want, InvalidUTF8(text), "%q", text)
	}
}

// The root has no pointer to print, and the advice comes last.
func TestErrorText(t *testing.T) {
	e := Errorf(Unsupported, "json_schema", At(""), "no")
	require.Equal(t, "json_schema: no", e.Error())
	require.Empty(t, e.Tail())
	e.Keyword, e.Fragment = "not", "{}"
	require.Equal(t, "json_schema: not: no (near `{}`); or try x", e.Advise("try x").Error())
	require.Equal(t, "; or try x", e.Tail())
	e.Message = "no\n  a b\n    ^"
	require.Equal(t, "\nor try x", e.Tail())
}

// A wide character has two columns below it and a combining one has none. Control characters are replaced.
func TestCaretBelowItsCharacter(t *testing.T) {
	for line, want := range map[string]string{
		"ab(": "    ab(\n      ^", "\tb(": "    \tb(\n    \t ^", "京a(": "    京a(\n    \u3000 ^",
		"ｆ(": "    ｆ(\n    \u3000^", "😀(": "    😀(\n    \u3000^", "e\u0301(": "    e\u0301(\n     ^",
		"a\u202e\x1b\x00(": "    a\uFFFD\uFFFD\uFFFD(\n        ^", "\xff(": "    \uFFFD(\n     ^",
	} {
		require.Equal(t, want, Caret(line, strings.IndexByte(line, '('), excerptWidth))
	}
}

// A fragment cannot break a line of a log, or colour it; behind a caret there is none.
func TestFragmentsHaveNoControlCharacters(t *testing.T) {
	e := Errorf(Invalid, "json_schema", At("/pattern"), "no")
	e.Fragment = "a\n\x1b[31m"
	require.Equal(t, "json_schema:/pattern: no (near `a\uFFFD\uFFFD[31m`)", e.Error())
	e.Message = "no\n    a\n    ^"
	require.Equal(t, "json_schema:/pattern: "+e.Message, e.Error())
}
