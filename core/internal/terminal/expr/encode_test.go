package expr

import (
	"fmt"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// The members of a class of many scripts begin with disjoint bytes, and the class has exactly its code points.
func TestClassesBeginWithDisjointBytes(t *testing.T) {
	ranges := []rune{'a', 'z'}
	for r := rune(0x100); r < 0x9000; r += 0x61 {
		ranges = append(ranges, r, r+0x30)
	}
	ranges = append(ranges, 0xD000, 0xE100, 0x1F600, 0x1F64F, 0x10FFFE, 0x10FFFF)
	within := func(r rune) bool {
		for i := 0; i < len(ranges); i += 2 {
			if ranges[i] <= r && r <= ranges[i+1] {
				return true
			}
		}
		return false
	}
	for _, enc := range []Encoding{UTF8, JSONString, JSONString | ASCII} {
		var s Store
		s.Init()
		e := s.Runes(ranges, enc)
		n := s.Node(e)
		require.Equal(t, KOr, n.Kind)
		require.Less(t, int(n.Weight), 200)
		var heads ByteSet
		for _, x := range s.List(n) {
			first := s.First(x)
			require.False(t, first.Intersects(&heads))
			heads.Union(&first)
		}
		matches := func(text string) bool {
			at := e
			for i := range len(text) {
				at = s.Derive(at, text[i])
			}
			return s.Nullable(at)
		}
		for r := rune(' '); r <= utf8.MaxRune; r += 1 + r/97 {
			if !utf8.ValidRune(r) {
				continue
			}
			require.Equal(t, within(r) && (r < utf8.RuneSelf || !enc.IsASCII()), matches(string(r)), "%U", r)
			escape := fmt.Sprintf(`\u%04x`, r)
			if high, low := utf16.EncodeRune(r); r > 0xFFFF {
				escape = fmt.Sprintf(`\u%04X\u%04x`, high, low)
			}
			require.Equal(t, within(r) && enc.HasEscapes(), matches(escape), "%s", escape)
		}
	}
}
