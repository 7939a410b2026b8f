package terminal

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

func set(chars string) ByteSet {
	var b ByteSet
	for _, c := range []byte(chars) {
		b.Add(c)
	}
	return b
}

func TestMatch(t *testing.T) {
	s := NewStore()
	ab := s.Bytes(set("ab"))
	quoted := func(body Expr) Expr { return s.Concat(s.Literal(`"`), body, s.Literal(`"`)) }
	anyJSON := s.Star(s.AnyRune(JSONString))
	cases := []struct {
		name     string
		e        Expr
		yes, no_ string
	}{
		{"literal", s.Literal("abc"), "abc", "ab|abcd||abd"},
		{"star", s.Star(ab), "|a|ba", "c|ac"},
		{"repeat", s.Repeat(ab, 2, 3), "ab|aba", "a|abab|"},
		{"and", s.And(s.Star(ab), s.Not(s.Literal("ab"))), "a|ba|abb|", "ab|c"},
		{
			"json text", quoted(s.Text("a\"é\n", JSONString)), `"a\"é\n"|"\u0061\u0022\u00e9\u000A"|"a\"\u00E9\n"`,
			`"a"é\n"|"a\"e\n"|"\a"`,
		},
		{"astral", quoted(s.Text("😀", JSONString)), `"😀"|"\ud83d\uDe00"`, `"\ud83d"|"\ud83d\ude01"|"\ude00\ud83d"`},
		{"enum", quoted(s.Literals([]string{"ab", "abc", "b", "é", "è"},
			JSONString)), `"ab"|"abc"|"b"|"é"|"\u00e8"`, `"a"|""|"abcd"`},
		{"counted", quoted(s.Counted(anyJSON, JSONString, 1,
			2)), `"a"|"ab"|"\n\ud83d\ude00"|"éé"`, `""|"abc"|"\u0061bc"`},
		{"counted pattern", quoted(s.Counted(s.Concat(s.Bytes(set("x")), s.Star(s.Concat(ab, ab))), JSONString, 4,
			6)), `"xabab"`, `"xab"|"x"|"xababab"`},
		{"counted or null", s.Or(quoted(s.Counted(anyJSON, JSONString, 0, 1)),
			s.Literal("null")), `""|"a"|null`, `"ab"|nul`},
		{"runes", s.Runes([]rune{'a', 'c', 0x400, 0x1F600}, UTF8), "a|c|Ж|😀|\U00010000", "d|é|\xed\xa0\x80|\xd0"},
		{"token", s.Token([]uint32{7, 8, 70000}), "\xff\x00\x00\x07|\xff\x01\x11\x70", "\xff\x00\x00\x09|7"},
		{
			"any token", s.AnyToken([]uint32{0, 256, 65536}), "\xff\x00\x00\x07|\xff\x01\x00\x01",
			"\xff\x00\x00\x00|\xff\x00\x01\x00|\xff\x01\x00\x00",
		},
	}
	for _, c := range cases {
		for _, y := range strings.Split(c.yes, "|") {
			require.True(t, s.Match(c.e, []byte(y)), "%s should match %q", c.name, y)
		}
		for _, n := range strings.Split(c.no_, "|") {
			require.False(t, s.Match(c.e, []byte(n)), "%s should not match %q", c.name, n)
		}
	}
}

func TestScan(t *testing.T) {
	s := NewStore()
	e := s.Scan([]ScanPattern{{Text: "<a>", Tag: 1}, {Text: "<b", Tag: 2}, {Text: "</x>", Kill: true}})
	tags := func(text string) []uint32 {
		x := e
		for _, b := range []byte(text) {
			x = s.Delta(x, b)
		}
		got, _ := s.Tags(x, nil)
		return got
	}
	require.Equal(t, []uint32{ScanEnd}, tags("hello <é"))
	require.Equal(t, []uint32{1}, tags("x <<a>"))
	require.Equal(t, []uint32{2}, tags("<<b"))
	require.Empty(t, tags("</x>"))
	require.Empty(t, tags("\xc3"))
	require.Empty(t, tags("<a>x"))
}

// A state inside a counted string is the same state at every count.
func TestCountersAreNotStates(t *testing.T) {
	s := NewStore()
	e := s.Concat(s.Literal(`"`), s.Counted(s.Star(s.AnyRune(JSONString)), JSONString, 0, 5000), s.Literal(`"`))
	text := `"` + strings.Repeat("hello world ", 400) + `"`
	s.Match(e, []byte(`"hello \u0061 é"`))
	before := s.Len()
	require.True(t, s.Match(e, []byte(text)))
	require.Equal(t, before, s.Len())
	require.False(t, s.Match(e, []byte(`"`+strings.Repeat("x", 5001)+`"`)))
}

// No live state is a dead end: whatever Step leads to can be completed. Checked by search on random expressions.
func TestLiveStatesCanBeCompleted(t *testing.T) {
	for seed := int64(0); seed < 300; seed++ {
		r := rand.New(rand.NewSource(seed))
		s := NewStore()
		body := randomExpr(s, r, 3)
		lo := uint32(r.Intn(4))
		e := s.Concat(s.Literal("<"), s.Counted(body, UTF8, lo, lo+uint32(r.Intn(3))), s.Literal(">"))
		if e == Empty {
			continue
		}
		type at struct {
			e Expr
			c Counter
		}
		seen := map[at]bool{{e, 0}: true}
		queue := []at{{e, 0}}
		var edges [][2]int
		index := map[at]int{queue[0]: 0}
		for i := 0; i < len(queue); i++ {
			for b := 0; b < 256; b++ {
				x, c := s.Step(queue[i].e, queue[i].c, byte(b))
				if x == Empty {
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
			live[i] = s.Accepts(q.e, q.c)
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

func randomExpr(s *Store, r *rand.Rand, depth int) Expr {
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
	s := NewStore()
	for _, r := range []rune{0, 1, '\n', '"', '/', '\\', 'a', 0x7f, 0x80, 0x7ff, 0xffff, 0x10000, 0x10ffff} {
		e := s.Concat(s.Literal(`"`), s.Runes([]rune{r, r}, JSONString), s.Literal(`"`))
		plain, err := json.Marshal(string(r))
		require.NoError(t, err)
		require.True(t, s.Match(e, plain), "%q", plain)
		if r < 0x10000 {
			require.True(t, s.Match(e, fmt.Appendf(nil, `"\u%04X"`, r)))
			require.False(t, s.Match(e, fmt.Appendf(nil, `"\u%04X"`, r+1)))
		}
	}
}

func BenchmarkKeys(b *testing.B) {
	keys := []string{"name", "age", "address", "street", "city", "country", "zip", "phone", "email", "id"}
	for b.Loop() {
		s := NewStore()
		s.Keys(keys, JSONString, s.Literal(`"`))
	}
}

// Rows that are made from another state's must be what derivatives say.
func TestPatchedRowsEqualDerivatives(t *testing.T) {
	s := NewStore()
	body := s.Star(s.AnyRune(JSONString))
	quote := s.Literal(`"`)
	words := []string{"name", "na", "ab\\c", "é", "x\"y", "n"}
	for _, e := range []Expr{
		s.Concat(s.And(body, s.Not(s.Literals(words, JSONString))), quote),
		s.And(body, s.Not(s.Literals(words, JSONString))),
		s.Concat(s.Text(`a\"b`, JSONString), quote), s.Text(`a\"b`, UTF8),
	} {
		seen := map[Expr]bool{e: true}
		queue := []Expr{e}
		for i := 0; i < len(queue); i++ {
			for b := 0; b < 256; b++ {
				got := s.Delta(queue[i], byte(b))
				s.mu.Lock()
				row := s.x.Fact(queue[i], expr.FactRow)
				s.x.SetFact(queue[i], expr.FactRow, 0)
				want := s.x.Derive(queue[i], byte(b))
				if s.a.Emptiness(want) == expr.Nothing {
					want = Empty
				}
				s.x.SetFact(queue[i], expr.FactRow, row)
				s.mu.Unlock()
				require.Equal(t, want, got, "state %d, byte %q", queue[i], b)
				require.Equal(t, want != Empty, s.Alive(queue[i]).Has(byte(b)))
				if got != Empty && !seen[got] {
					seen[got] = true
					queue = append(queue, got)
				}
			}
		}
		require.GreaterOrEqual(t, len(queue), 5)
	}
}
