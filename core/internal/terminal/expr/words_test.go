package expr

import (
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The tree fills its reserved tables to the byte, also if texts are prefixes of one another.
func TestWordsTakeTheRoomMadeForThem(t *testing.T) {
	for seed := range int64(200) {
		r := rand.New(rand.NewSource(seed))
		var texts []string
		for range 1 + r.Intn(30) {
			var b strings.Builder
			for range r.Intn(6) {
				b.WriteByte("abc"[r.Intn(1+r.Intn(3))])
			}
			texts = append(texts, b.String())
		}
		w := NewWords(texts, UTF8, make([]uint32, len(texts)), nil)
		require.Equal(t, cap(w.nodes), len(w.nodes), "seed %d: %q", seed, texts)
		require.Equal(t, cap(w.labels), len(w.labels), "seed %d: %q", seed, texts)
		require.Len(t, w.tags, len(w.nodes))
		require.Len(t, w.firsts, len(w.nodes))
	}
}

// Texts are sorted as strings are, however many bytes they have in common.
func TestWordsAreSorted(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	var texts []string
	for range 5000 {
		text := strings.Repeat("a", r.Intn(20)) + strings.Repeat("\x00", r.Intn(12)) + string(rune('a'+r.Intn(3)))
		texts = append(texts, text[:r.Intn(len(text)+1)])
	}
	order := sortTexts(texts, nil)
	for i := 1; i < len(order); i++ {
		before, after := order[i-1].text, order[i].text
		require.LessOrEqual(t, texts[before], texts[after])
		if texts[before] == texts[after] {
			require.Less(t, before, after, "%q", texts[after])
		}
	}
}
