package enginetest

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// escapedWords are texts with characters of every kind of escape: letters among the digits, short ones, surrogates.
var escapedWords = []string{
	"s", "ss", "st", "sé", "é", "o/s", "a\"", "a\\", "\n", "\x7fz",
	"😀s", "😃", "", "z\u2028",
}

// spellings returns a word in a random JSON spelling, sometimes with a mistake in it.
func spellings(r *rand.Rand, word string) string {
	var b strings.Builder
	hex := func(c rune) {
		digits := []byte(fmt.Sprintf(`\u%04x`, c))
		for i := 2; i < len(digits); i++ {
			if digits[i] >= 'a' && r.Intn(2) == 0 {
				digits[i] -= 'a' - 'A'
			}
		}
		b.Write(digits)
	}
	for _, c := range word {
		short := map[rune]string{'"': `\"`, '\\': `\\`, '/': `\/`, '\n': `\n`}[c]
		switch {
		case r.Intn(3) > 0 && short != "":
			b.WriteString(short)
		case r.Intn(2) == 0 && c >= ' ' && c != '"' && c != '\\':
			b.WriteRune(c)
		case c > 0xFFFF:
			high, low := utf16.EncodeRune(c)
			hex(high)
			hex(low)
		default:
			hex(c)
		}
	}
	text := []byte(b.String())
	switch r.Intn(5) {
	case 0:
		text = text[:r.Intn(len(text)+1)]
	case 1:
		if len(text) > 0 {
			text[r.Intn(len(text))] = `0su\/"d`[r.Intn(7)]
		}
	}
	return string(text)
}

// Texts, keys, enumerations, exclusions and counted texts in every spelling match as the oracle says, alone and in
// unions and intersections with each other.
func TestEscapesOfTexts(t *testing.T) {
	r := testkit.Seeded(t, 61)
	st := terminal.NewStore()
	any := st.Star(st.AnyRune(terminal.JSONString))
	words := func() []string {
		var out []string
		for _, i := range r.Perm(len(escapedWords))[:1+r.Intn(4)] {
			out = append(out, escapedWords[i])
		}
		return out
	}
	quote := st.Literal(`"`)
	shapes := []func() terminal.Expr{
		func() terminal.Expr { return st.Text(escapedWords[r.Intn(len(escapedWords))], terminal.JSONString) },
		func() terminal.Expr { return st.Texts(words(), terminal.JSONString, nil) },
		func() terminal.Expr { return st.And(any, st.Not(st.Texts(words(), terminal.JSONString, nil))) },
		func() terminal.Expr {
			part := st.Star(st.Runes([]rune{'s', 't', '/', '/', 'é', 'é', 0x1F600, 0x1F603}, terminal.JSONString))
			return st.And(part, st.Not(st.Texts(words(), terminal.JSONString, nil)))
		},
		func() terminal.Expr {
			return st.Counted(st.Texts(words(), terminal.JSONString, nil), terminal.JSONString, 0, uint32(1+r.Intn(2)))
		},
		func() terminal.Expr {
			return st.Concat(st.Texts(words(), terminal.JSONString, nil), st.Text("s/é", terminal.JSONString))
		},
		func() terminal.Expr { return st.Runes([]rune{'s', 's'}, terminal.JSONString) },
	}
	shape := func() terminal.Expr { return shapes[r.Intn(len(shapes))]() }
	for range testkit.Rounds(150, 5_000) {
		e := st.Concat(shape(), quote)
		switch r.Intn(4) {
		case 0:
			e = st.Or(e, st.Concat(shape(), quote))
		case 1:
			e = st.Concat(st.And(shape(), st.Or(shape(), st.Not(shape()))), quote)
		case 2:
			e = st.Or(st.Keys(words(), terminal.JSONString, quote), e)
		}
		var texts []string
		for range 40 {
			text := spellings(r, escapedWords[r.Intn(len(escapedWords))])
			if r.Intn(2) == 0 {
				text += spellings(r, escapedWords[r.Intn(len(escapedWords))])
			}
			texts = append(texts, text, text+`"`)
		}
		checkExpr(t, st, e, texts)
	}
}
