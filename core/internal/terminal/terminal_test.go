package terminal_test

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
	"github.com/sluice-engine/sluice/core/internal/terminal/spelling"
)

func set(chars string) terminal.ByteSet {
	var b terminal.ByteSet
	for _, c := range []byte(chars) {
		b.Add(c)
	}
	return b
}

func TestMatch(t *testing.T) {
	s := terminal.NewStore()
	ab := s.Bytes(set("ab"))
	quoted := func(body terminal.Expr) terminal.Expr { return s.Concat(s.Literal(`"`), body, s.Literal(`"`)) }
	anyJSON := s.Star(s.AnyRune(terminal.JSONString))
	cases := []struct {
		name     string
		e        terminal.Expr
		yes, no_ string
	}{
		{"literal", s.Literal("abc"), "abc", "ab|abcd||abd"},
		{"star", s.Star(ab), "|a|ba", "c|ac"},
		{"repeat", s.Repeat(ab, 2, 3), "ab|aba", "a|abab|"},
		{"and", s.And(s.Star(ab), s.Not(s.Literal("ab"))), "a|ba|abb|", "ab|c"},
		{
			"json text", quoted(s.Text("a\"é\n", terminal.JSONString)),
			`"a\"é\n"|"\u0061\u0022\u00e9\u000A"|"a\"\u00E9\n"`,
			`"a"é\n"|"a\"e\n"|"\a"`,
		},
		{
			"astral", quoted(s.Text("😀", terminal.JSONString)), `"😀"|"\ud83d\uDe00"`,
			`"\ud83d"|"\ud83d\ude01"|"\ude00\ud83d"`,
		},
		{"enum", quoted(s.Texts([]string{"ab", "abc", "b", "é", "è"},
			terminal.JSONString, nil)), `"ab"|"abc"|"b"|"é"|"\u00e8"`, `"a"|""|"abcd"`},
		{"counted", quoted(s.Counted(anyJSON, terminal.JSONString, 1,
			2)), `"a"|"ab"|"\n\ud83d\ude00"|"éé"`, `""|"abc"|"\u0061bc"`},
		{"counted pattern", quoted(s.Counted(s.Concat(s.Bytes(set("x")), s.Star(s.Concat(ab, ab))), terminal.JSONString,
			4,
			6)), `"xabab"`, `"xab"|"x"|"xababab"`},
		{"counted or null", s.Or(quoted(s.Counted(anyJSON, terminal.JSONString, 0, 1)),
			s.Literal("null")), `""|"a"|null`, `"ab"|nul`},
		{"runes", s.Runes([]rune{'a', 'c', 0x400, 0x1F600},
			terminal.UTF8), "a|c|Ж|😀|\U00010000", "d|é|\xed\xa0\x80|\xd0"},
		{"token", spelling.Tokens(s, spelling.Singles(7, 8,
			70000)), "\xff\x00\x00\x07|\xff\x01\x11\x70", "\xff\x00\x00\x09|7"},
		{
			"any token", spelling.TokensBut(s, spelling.Singles(0, 256, 65536)), "\xff\x00\x00\x07|\xff\x01\x00\x01",
			"\xff\x00\x00\x00|\xff\x00\x01\x00|\xff\x01\x00\x00",
		},
	}
	for _, c := range cases {
		for _, y := range strings.Split(c.yes, "|") {
			require.True(t, counters.Match(s, c.e, []byte(y)), "%s should match %q", c.name, y)
		}
		for _, n := range strings.Split(c.no_, "|") {
			require.False(t, counters.Match(s, c.e, []byte(n)), "%s should not match %q", c.name, n)
		}
	}
}

func TestScan(t *testing.T) {
	s := terminal.NewStore()
	e := s.Scan([]terminal.ScanPattern{{Text: "<a>", Tag: 1}, {Text: "<b", Tag: 2}, {Text: "</x>", Kill: true}}, false)
	tags := func(text string) []uint32 {
		x := e
		for _, b := range []byte(text) {
			x = s.Delta(x, b)
		}
		got, _ := s.View().Tags(x, nil)
		return got
	}
	require.Equal(t, []uint32{terminal.ScanEnd}, tags("hello <é"))
	require.Equal(t, []uint32{1}, tags("x <<a>"))
	require.Equal(t, []uint32{2}, tags("<<b"))
	require.Empty(t, tags("</x>"))
	require.Empty(t, tags("\xc3"))
	require.Empty(t, tags("<a>x"))
}

// A state inside a counted string is the same state at every count.
func TestCountersAreNotStates(t *testing.T) {
	s := terminal.NewStore()
	e := s.Concat(s.Literal(`"`), s.Counted(s.Star(s.AnyRune(terminal.JSONString)), terminal.JSONString, 0, 5000),
		s.Literal(`"`))
	text := `"` + strings.Repeat("hello world ", 400) + `"`
	counters.Match(s, e, []byte(`"hello \u0061 é"`))
	before := s.Size().Expressions
	require.True(t, counters.Match(s, e, []byte(text)))
	require.Equal(t, before, s.Size().Expressions)
	require.False(t, counters.Match(s, e, []byte(`"`+strings.Repeat("x", 5001)+`"`)))
}

// No live state is a dead end. Checked by search on random expressions.
func TestLiveStatesCanBeCompleted(t *testing.T) {
	for seed := int64(0); seed < 300; seed++ {
		r := rand.New(rand.NewSource(seed))
		s := terminal.NewStore()
		body := randomExpr(s, r, 3)
		lo := uint32(r.Intn(4))
		e := s.Concat(s.Literal("<"), s.Counted(body, terminal.UTF8, lo, lo+uint32(r.Intn(3))), s.Literal(">"))
		if e == terminal.Empty {
			continue
		}
		type at struct {
			e terminal.Expr
			c counters.Counter
		}
		seen := map[at]bool{{e, 0}: true}
		queue := []at{{e, 0}}
		var edges [][2]int
		index := map[at]int{queue[0]: 0}
		for i := 0; i < len(queue); i++ {
			for b := 0; b < 256; b++ {
				x, c := counters.Step(s, queue[i].e, queue[i].c, byte(b))
				if x == terminal.Empty {
					continue
				}
				n := at{x, c}
				if !seen[n] {
					seen[n] = true
					index[n] = len(queue)
					queue = append(queue, n)
				}
				edges = append(edges, [2]int{i, index[n]})
			}
			require.Less(t, len(queue), 100_000)
		}
		live := make([]bool, len(queue))
		for i, q := range queue {
			live[i] = counters.Accepts(s, q.e, q.c)
		}
		for changed := true; changed; {
			changed = false
			for _, ed := range edges {
				if live[ed[1]] && !live[ed[0]] {
					live[ed[0]] = true
					changed = true
				}
			}
		}
		for i, q := range queue {
			require.True(t, live[i], "seed %d: state %d with count %d cannot be completed", seed, q.e, q.c.Count())
		}
	}
}

func randomExpr(s *terminal.Store, r *rand.Rand, depth int) terminal.Expr {
	if depth == 0 || r.Intn(4) == 0 {
		return s.Bytes(set([]string{"a", "b", "ab", "c"}[r.Intn(4)]))
	}
	x, y := randomExpr(s, r, depth-1), randomExpr(s, r, depth-1)
	switch r.Intn(7) {
	case 0:
		return s.Star(x)
	case 1:
		return s.Or(x, y)
	case 2:
		return s.Repeat(x, uint32(r.Intn(2)), uint32(1+r.Intn(3)))
	case 3:
		return s.And(s.Star(s.Or(x, y)), s.Not(y))
	case 4:
		return s.Optional(x)
	}
	return s.Concat(x, y)
}

func TestJSONSpellings(t *testing.T) {
	s := terminal.NewStore()
	for _, r := range []rune{0, 1, '\n', '"', '/', '\\', 'a', 0x7f, 0x80, 0x7ff, 0xffff, 0x10000, 0x10ffff} {
		e := s.Concat(s.Literal(`"`), s.Runes([]rune{r, r}, terminal.JSONString), s.Literal(`"`))
		plain, err := json.Marshal(string(r))
		require.NoError(t, err)
		require.True(t, counters.Match(s, e, plain), "%q", plain)
		if r < 0x10000 {
			require.True(t, counters.Match(s, e, fmt.Appendf(nil, `"\u%04X"`, r)))
			require.False(t, counters.Match(s, e, fmt.Appendf(nil, `"\u%04X"`, r+1)))
		}
	}
}

func BenchmarkKeys(b *testing.B) {
	keys := []string{"name", "age", "address", "street", "city", "country", "zip", "phone", "email", "id"}
	for b.Loop() {
		s := terminal.NewStore()
		s.Keys(keys, terminal.JSONString, s.Literal(`"`))
	}
}

// Rows that are made from another state's must be what derivatives say.
func TestPatchedRowsEqualDerivatives(t *testing.T) {
	s := terminal.NewStore()
	body := s.Star(s.AnyRune(terminal.JSONString))
	quote := s.Literal(`"`)
	words := []string{"name", "na", "ab\\c", "é", "x\"y", "n"}
	for _, e := range []terminal.Expr{
		s.Concat(s.And(body, s.Not(s.Texts(words, terminal.JSONString, nil))), quote),
		s.And(body, s.Not(s.Texts(words, terminal.JSONString, nil))),
		s.Concat(s.Text(`a\"b`, terminal.JSONString), quote), s.Text(`a\"b`, terminal.UTF8),
	} {
		seen := map[terminal.Expr]bool{e: true}
		queue := []terminal.Expr{e}
		for i := 0; i < len(queue); i++ {
			for b := 0; b < 256; b++ {
				got := s.Delta(queue[i], byte(b))
				a := inside(s)
				row := a.Fact(queue[i], expr.FactRow)
				a.SetFact(queue[i], expr.FactRow, 0)
				want := a.Derive(queue[i], byte(b))
				if a.Emptiness(want) == expr.Nothing {
					want = terminal.Empty
				}
				a.SetFact(queue[i], expr.FactRow, row)
				require.Equal(t, want, got, "state %d, byte %q", queue[i], b)
				require.Equal(t, want != terminal.Empty, s.Alive(queue[i]).Has(byte(b)))
				if got != terminal.Empty && !seen[got] {
					seen[got] = true
					queue = append(queue, got)
				}
			}
		}
		require.GreaterOrEqual(t, len(queue), 5)
	}
}
