package rules

import (
	"testing"
	"unsafe"

	"github.com/sluice-engine/sluice/core/internal/limits"
)

// For every density of tokens, and every place at which it changes, the reserved room is a few times the final size.
func TestRoom(t *testing.T) {
	for _, test := range []struct{ blanks, tokens, bytes, behind int }{
		{0, 300, 8, 0},
		{0, 300, 1, 1 << 25},
		{0, 20_000, 2, 1 << 25},
		{0, limits.RuleElements, 1, 0},
		{0, limits.RuleElements, 4, 0},
		{1 << 20, limits.RuleElements, 1, 0},
		{1 << 25, 10, 1, 0},
		{30 << 20, 1 << 16, 3, 0},
	} {
		var list []int32
		size, room := test.blanks+test.tokens*test.bytes+test.behind, 0
		for i := range test.tokens {
			before := cap(list)
			list = append(Room(list, test.blanks+(i+1)*test.bytes, size), 0)
			if cap(list) != before {
				room += cap(list)
			}
		}
		if most := 8192 + 5*test.tokens; room > most {
			t.Errorf("%v: room for %d tokens was made, want at most %d", test, room, most)
		}
	}
}

// A text of the largest size has half a million elements, all in memory at once.
func TestSizes(t *testing.T) {
	if size := unsafe.Sizeof(Node{}); size > 104 {
		t.Errorf("an element has %d bytes; keep in Special what few of them have", size)
	}
	if size := unsafe.Sizeof(fold{}); size > 40 {
		t.Errorf("what is known of an element has %d bytes", size)
	}
}
