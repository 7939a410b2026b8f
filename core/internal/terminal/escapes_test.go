package terminal_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/stretchr/testify/require"
)

// inHex returns a code point as an escape.
func inHex(r rune) string {
	if r > 0xFFFF {
		high, low := utf16.EncodeRune(r)
		return fmt.Sprintf(`\u%04x\u%04x`, high, low)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// follow takes text from e, checking each state.
func follow(t *testing.T, s *terminal.Store, e terminal.Expr, text string) terminal.Expr {
	t.Helper()
	for i := range len(text) {
		e = s.Delta(e, text[i])
		require.NotEqual(t, terminal.Empty, e, text[:i+1])
		checkViews(t, s, e, text[:i+1])
	}
	return e
}

// After a character a text is in the same state however the character was written, be it alone, one of several, a key,
// or excluded, and the states within an escape are what their derivatives say.
func TestEscapesLeadToTheSameState(t *testing.T) {
	const text = "s/é\"\\\n😀\x7fJz"
	s := terminal.NewStore()
	any, quote := s.Star(s.AnyRune(terminal.JSONString)), s.Literal(`"`)
	others := []string{text, text + "s", "s/è", "st", "😀", "s/é\"\\\n😃"}
	several := s.Texts(others, terminal.JSONString, nil)
	class := s.Star(s.Runes([]rune{0, 0x7F, 'é', 'é', 0x1F600, 0x1F603}, terminal.JSONString))
	for name, e := range map[string]terminal.Expr{
		"alone":          s.Text(text, terminal.JSONString),
		"before a tail":  s.Concat(s.Text(text, terminal.JSONString), quote),
		"several":        s.Concat(several, quote),
		"keys":           s.Keys(others, terminal.JSONString, quote),
		"beside a class": s.Or(s.Concat(several, quote), s.Concat(s.Runes([]rune{'s', 'u'}, terminal.JSONString), any)),
		"excluded":       s.Concat(s.And(any, s.Not(several)), quote),
		"out of a class": s.Concat(s.And(class, s.Not(several)), quote),
		"excluded search": s.Concat(s.And(any, s.Not(s.Concat(any, s.Text("é\"", terminal.JSONString), any)),
			s.Not(several)),
			s.Literal(`x`)),
		"counted": s.Concat(s.Counted(several, terminal.JSONString, 2, 30), quote),
	} {
		for i, r := range text {
			if name == "excluded search" && i > 2 {
				break
			}
			raw := string(r)
			switch r {
			case '"', '\\':
				raw = `\` + raw
			case '\n':
				raw = `\n`
			}
			next := follow(t, s, e, raw)
			require.Equal(t, next, follow(t, s, e, inHex(r)), "%s, %q", name, r)
			upper := strings.ReplaceAll(strings.ToUpper(inHex(r)), `\U`, `\u`)
			require.Equal(t, next, follow(t, s, e, upper), "%s, %q", name, r)
			if r == '/' {
				require.Equal(t, next, follow(t, s, e, `\/`), name)
			}
			e = next
		}
	}
}

// An escape needs at most two nodes for each place of a text, besides the node of the place.
func TestEscapesTakeFewNodes(t *testing.T) {
	const text = "hardly ever written in any other way than this one"
	s := terminal.NewStore()
	e := s.Concat(s.Text(text, terminal.JSONString), s.Literal(`"`))
	for x, i := e, 0; i < len(text); i++ {
		s.Delta(x, '\\')
		x = s.Delta(x, text[i])
	}
	before := s.Size().Expressions
	// The same characters before another tail: the spellings themselves are there.
	e = s.Concat(s.Text(text, terminal.JSONString), s.Literal(`,`))
	for x, i := e, 0; i < len(text); i++ {
		s.Alive(s.Delta(x, '\\'))
		x = s.Delta(x, text[i])
	}
	require.LessOrEqual(t, s.Size().Expressions-before, 3*len(text)+2)
}

// An escape that continues both text and exclusion is not derived in advance.
func TestExclusionsLeaveEscapesOpen(t *testing.T) {
	s := terminal.NewStore()
	any, quote := s.Star(s.AnyRune(terminal.JSONString)), s.Literal(`"`)
	e := s.Concat(s.And(any, s.Not(s.Texts([]string{"name", "\n"}, terminal.JSONString, nil))), quote)
	require.True(t, s.Alive(e).Has('\\'))
	to, _ := s.Transitions(e)
	_, known := to.To('\\')
	require.False(t, known)
	checkViews(t, s, e, "")
	// If the text may end for good, it is derived.
	ending := s.Or(s.Text("\n", terminal.JSONString), s.Concat(s.Literal("x"), any))
	e = s.Concat(s.And(ending, s.Not(s.Texts([]string{"\n", "x"}, terminal.JSONString, nil))), quote)
	require.False(t, s.Alive(e).Has('\\'))
	checkViews(t, s, e, "")
}
