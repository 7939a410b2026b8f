package tokenset

import (
	"bytes"
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
)

// TestWalksAgreeWhereSomeCodePointsLoop compares the tokens inside terminals that leave out some characters, of a
// vocabulary with many others, with what trying each token says, and the walks with each other.
func TestWalksAgreeWhereSomeCodePointsLoop(t *testing.T) {
	r := rand.New(rand.NewSource(10))
	pieces := []string{
		"a", "b", "c", " " +
			"", "é", "ß", "日", "本", "…", "\u2028", "\u2029", "\u00a0", "\u3000",
		"😀", "\U0010ffff", "\xe6", "\xe2\x80", "\xf0\x9f", "\x97", "\xa8", `"`, `\n`,
	}
	var tokens [][]byte
	for range 8000 {
		var b []byte
		for range 1 + r.Intn(6) {
			b = append(b, pieces[r.Intn(len(pieces))]...)
		}
		tokens = append(tokens, b)
	}
	st := terminal.NewStore()
	e := New(NewTokens(Config{Bytes: tokens, Words: (len(tokens) + 31) / 32}), st)
	w := e.Take()
	last := rune(0x10FFFF)
	for _, ranges := range [][]rune{
		{0, last},
		{0, 9, 11, 12, 14, 0x2027, 0x202A, last},
		{'!', 0x9F, 0xA1, 0x1FFF, 0x2030, 0x2FFF, 0x3001, last},
		{0, last - 1},
		{0, 0xFFFF},
		{'a', 'z', 0xC0, 0xFF, 0x4E00, 0x9FFF},
	} {
		for _, enc := range []terminal.Encoding{terminal.UTF8, terminal.JSONString, terminal.JSONString | terminal.ASCII} {
			body := st.Star(st.Runes(ranges, enc))
			for _, x := range []terminal.Expr{st.Concat(body, st.Literal(`"`)), st.Concat(body, st.Text("日", enc),
				body)} {
				w.Start(1 << 40)
				c := &Class{}
				require.True(t, e.walkClass(x, nil, w, c))
				for rank, id := range e.tokens.Trie.Order {
					s := x
					for _, b := range tokens[id] {
						s = st.Delta(s, b)
					}
					require.Equal(t, s != terminal.Empty, w.Ranges.has(uint32(rank)), "%q", tokens[id])
				}
			}
			x := st.Counted(body, enc, 0, 30)
			want, known := followAll(e, x)
			require.True(t, known)
			got := newCounted()
			require.True(t, e.walkClass(x, nil, w, got))
			sameTokens(t, e, want, got)
			found := len(got.Irregular)
			for _, g := range got.groups {
				found += g.ranks.Count()
			}
			inside := 0
			for _, token := range tokens {
				s := x
				for _, b := range token {
					s = st.Delta(s, b)
				}
				if _, _, counting := counters.Bounds(st, s); counting {
					inside++
				}
			}
			require.Equal(t, inside, found)
		}
	}
}

// threes is the numbers of up to six digits whose digits add up to a multiple of three. It sprawls: a state is the
// digits.
type threes struct{}

var digits = func() (set terminal.ByteSet) {
	for b := byte('0'); b <= '9'; b++ {
		set.Add(b)
	}
	return set
}()

func (threes) Start() string           { return "" }
func (threes) Bytes() terminal.ByteSet { return digits }

func (threes) Step(state string, b byte) (string, bool) {
	return state + string(b), digits.Has(b) && len(state) < 6
}

func (threes) Accepts(state string) bool {
	sum := 0
	for _, b := range []byte(state) {
		sum += int(b - '0')
	}
	return state != "" && sum%3 == 0
}

func (threes) Alive(state string) (set terminal.ByteSet) {
	if len(state) < 6 {
		set = digits
	}
	return set
}

func (threes) Read(state string) terminal.Reader { return &threesReader{[]string{state}} }

type threesReader struct{ states []string }

func (r *threesReader) Step(depth int, b byte) bool {
	next, ok := threes{}.Step(r.states[depth], b)
	r.states = append(r.states[:depth+1], next)
	return ok
}

func (r *threesReader) Accepts(depth int) bool { return threes{}.Accepts(r.states[depth]) }

func (r *threesReader) Room(depth int) (terminal.ByteSet, int) {
	return digits, 6 - len(r.states[depth])
}

// TestWalkComesToOpenStates compares the tokens inside a terminal that some texts lead to open states with what trying
// each says.
func TestWalkComesToOpenStates(t *testing.T) {
	r := rand.New(rand.NewSource(11))
	var tokens [][]byte
	for range 6000 {
		var b strings.Builder
		for range 1 + r.Intn(7) {
			b.WriteByte("ab#1234!?"[r.Intn(9)])
		}
		tokens = append(tokens, []byte(b.String()))
	}
	st := terminal.NewStore()
	e := New(NewTokens(Config{Bytes: tokens, Words: (len(tokens) + 31) / 32}), st)
	w := e.Take()
	letters := st.Star(st.Runes([]rune{'a', 'z'}, terminal.UTF8))
	number := st.Concat(st.Literal("#"), st.Machine("threes", threes{}))
	for _, x := range []terminal.Expr{
		st.Concat(letters, number),
		st.Concat(letters, number, st.Star(st.Runes([]rune{'!', '!', 'a', 'a'}, terminal.UTF8))),
		st.Concat(letters, st.Or(number, st.Literal("#12ab"), st.Star(st.Literal("?"))),
			st.Star(st.Runes([]rune{'1', '2'}, terminal.UTF8))),
	} {
		w.Start(1 << 40)
		got := &Class{}
		require.True(t, e.walkClass(x, nil, w, got))
		e.settle(got, w)
		require.NotEmpty(t, got.Ends)
		for rank, id := range e.tokens.Trie.Order {
			s := x
			for _, b := range tokens[id] {
				s = st.Delta(s, b)
			}
			require.Equal(t, s != terminal.Empty, got.ranks.has(uint32(rank)), "%q", tokens[id])
		}
	}
}

// TestSuffixesAreSortedByTheirKeys compares the order of keys with the order of suffixes.
func TestSuffixesAreSortedByTheirKeys(t *testing.T) {
	r := rand.New(rand.NewSource(12))
	tokens := [][]byte{
		[]byte("a"), []byte("a\x00"), []byte("a\x00\x00\x00\x00\x00\x00\x00"),
		[]byte("a\x00\x00\x00\x00\x00\x00\x00\x00"),
	}
	for range 3000 {
		b := make([]byte, 1+r.Intn(11))
		for i := range b {
			b[i] = "\x00ab\xfe"[r.Intn(4)]
		}
		tokens = append(tokens, b)
	}
	e := New(NewTokens(Config{Bytes: tokens, Words: (len(tokens) + 31) / 32}), terminal.NewStore())
	f := escapeFinder{tokens: e.tokens, c: &Class{}}
	for id := range tokens {
		f.entries = append(f.entries, escapeEntry{token: uint32(id), tag: NoTag - uint32(id%2)})
	}
	f.sort()
	for i := 1; i < len(f.entries); i++ {
		x, y := f.entries[i-1], f.entries[i]
		if x.tag != y.tag {
			require.Less(t, x.tag, y.tag)
			continue
		}
		c := bytes.Compare(tokens[x.token], tokens[y.token])
		require.True(t, c < 0 || c == 0 && x.token < y.token, "%q before %q", tokens[x.token], tokens[y.token])
	}
}
