package terminal_test

import (
	"testing"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/stretchr/testify/require"
)

// TestLoopsAreWhatEveryCodePointDoes compares the loops of states with the target of each code point.
func TestLoopsAreWhatEveryCodePointDoes(t *testing.T) {
	s := terminal.NewStore()
	const last = utf8.MaxRune
	classes := map[string][]rune{
		"any":  {0, last},
		"line": {0, 9, 11, 12, 14, 0x2027, 0x202A, last},
		"no spaces": {
			'!', 0x9F, 0xA1, 0x167F, 0x1681, 0x1FFF, 0x200B, 0x2027, 0x202A, 0x202E, 0x2030, 0x205E, 0x2060, 0x2FFF,
			0x3001, 0xFEFE, 0xFF00, last,
		},
		"without one":   {0, 0xE8, 0xEA, last},
		"no supplement": {0, 0xFFFF},
		"not the last":  {0, last - 1},
		"letters": {
			'A', 'Z', 'a', 'z', 0xAA, 0xAA, 0xB5, 0xB5, 0xC0, 0xD6, 0xD8, 0xF6, 0xF8, 0x2C1, 0x370, 0x373, 0x400, 0x481,
			0x48A, 0x52F, 0x4E00, 0x9FFF, 0x20000, 0x2A6DF,
		},
		"ASCII":           {' ', '~'},
		"ASCII and a few": {' ', '~', 0x80, 0xBF, 0x7C0, 0x7FF, 0x1000, 0x1FFF, 0x10000, 0x3FFFF},
	}
	loops := 0
	for _, enc := range []terminal.Encoding{terminal.UTF8, terminal.JSONString} {
		for name, ranges := range classes {
			body := s.Runes(ranges, enc)
			letters := s.Runes([]rune{'a', 'z', 0x400, 0x7FF}, enc)
			quote := s.Literal(`"`)
			for _, e := range []terminal.Expr{
				s.Concat(s.Star(body), quote),
				s.Concat(s.Counted(s.Star(body), enc, 0, 50), quote),
				s.Concat(s.Plus(letters), s.Text("@", enc), s.Star(body)),
				s.Concat(s.Star(body), s.Text("\u3042\u3044", enc), s.Star(body), quote),
				s.And(s.Concat(s.Star(body), quote), s.Not(s.Concat(s.Star(body), s.Text("é", enc), s.Star(body),
					quote))),
			} {
				for range 3 {
					l := s.Loop(e)
					if l.ASCII != ([2]uint64{}) {
						loops++
						require.Equal(t, loopsByHand(s, e, ranges), *l, name)
					}
					if e = s.Delta(e, 'b'); e == terminal.Empty {
						break
					}
				}
			}
		}
	}
	require.Greater(t, loops, 100)
}

// loopsByHand tries the code points at the ends of ranges, all in which other expressions differ, and some others.
func loopsByHand(s *terminal.Store, e terminal.Expr, ranges []rune) terminal.Loop {
	l := terminal.Loop{Leads: 1<<(0xF5-0xC0) - 1<<(0xC2-0xC0)}
	try := func(c rune) {
		if !utf8.ValidRune(c) {
			return
		}
		x, text := e, utf8.AppendRune(nil, c)
		for _, b := range text {
			x = s.Delta(x, b)
		}
		switch {
		case len(text) == 1 && x == e:
			l.ASCII[c>>6] |= 1 << (c & 63)
		case len(text) > 1 && x != e:
			l.Leads &^= 1 << (text[0] - 0xC0)
		}
	}
	for _, c := range ranges {
		try(c - 1)
		try(c)
		try(c + 1)
	}
	for c := rune(0); c <= utf8.MaxRune; c++ {
		if try(c); c >= 0x3100 {
			c += 96
		}
	}
	return l
}
