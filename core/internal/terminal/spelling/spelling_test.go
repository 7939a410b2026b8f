package spelling_test

import (
	"fmt"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/terminal/spelling"
)

// A token that is named as a token is other bytes than its text.
func ExampleTokens() {
	st := terminal.NewStore()
	e := spelling.Tokens(st, spelling.Singles(7, 70000))
	seven, eight := spelling.Token(7), spelling.Token(8)
	fmt.Println(counters.Match(st, e, seven[:]), counters.Match(st, e, eight[:]), counters.Match(st, e, []byte("7")))
	// Output: true false false
}

// Ranges in any order and with overlaps match the tokens in them, and TokensBut matches all others.
func TestRangesMatchTheirTokens(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	near := []uint32{0, 1, 255, 256, 257, 65535, 65536, 65537, 1 << 20, spelling.MaxTokens - 2, spelling.MaxTokens - 1}
	for range 200 {
		st := terminal.NewStore()
		var ranges [][2]uint32
		for range r.Intn(4) {
			a, b := near[r.Intn(len(near))], near[r.Intn(len(near))]
			ranges = append(ranges, [2]uint32{min(a, b), max(a, b)})
		}
		some, others := spelling.Tokens(st, ranges), spelling.TokensBut(st, ranges)
		for range 100 {
			id := near[r.Intn(len(near))]
			if r.Intn(2) == 0 {
				id = uint32(r.Intn(spelling.MaxTokens))
			}
			in := false
			for _, x := range ranges {
				in = in || x[0] <= id && id <= x[1]
			}
			name := spelling.Token(id)
			require.Equal(t, in, counters.Match(st, some, name[:]), "%d in %v", id, ranges)
			require.Equal(t, !in, counters.Match(st, others, name[:]), "%d but %v", id, ranges)
		}
	}
}

// Text escapes the first byte of a token's spelling as a token that does not exist.
func TestUntextUndoesText(t *testing.T) {
	for _, text := range []string{"", "abc", "\xff", "a\xff\xffb", "\xff\xff\xff\xff\xff"} {
		require.Equal(t, text, string(spelling.Untext(spelling.Text([]byte(text)))))
	}
}

func TestTextHasNoTokenInIt(t *testing.T) {
	st := terminal.NewStore()
	all := spelling.TokensBut(st, nil)
	text := spelling.Text([]byte("\xff\x00\x00\x07"))
	require.False(t, counters.Match(st, all, text[:4]))
	require.Equal(t, []byte("\xff\xff\xff\xff\x00\x00\x07"), text)
	require.Equal(t, []byte("é"), spelling.Text([]byte("é")))
	marks := append([]byte{spelling.MarkOpen}, spelling.Record(258)...)
	require.True(t, counters.Match(st, spelling.Marks(st, marks), []byte{spelling.MarkOpen, spelling.MarkRecord, 1, 2}))
}
