package expr

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"
)

// A set of numbers tells which it has, few or many.
func TestNumbers(t *testing.T) {
	var m Numbers
	for n := range uint32(10 * fewNumbers) {
		require.True(t, m.Add(7*n+1))
		for before := range n {
			require.False(t, m.Add(7*before+1))
		}
	}
}

// What an inquiry asks is counted once, whichever of the questions it leads to comes first: as a walk of all of them
// counts it, which most inquiries do without.
func TestInquiriesCountEachQuestionOnce(t *testing.T) {
	var s Store
	s.Init()
	r := rand.New(rand.NewSource(3))
	ids, own := []uint32{0}, map[uint32]int{}
	leads := map[uint32][]uint32{}
	var walk func(id uint32, met map[uint32]bool) int
	walk = func(id uint32, met map[uint32]bool) (cost int) {
		if id == 0 || met[id] {
			return 0
		}
		met[id] = true
		cost = own[id]
		for _, x := range leads[id] {
			cost += walk(x, met)
		}
		return cost
	}
	for range 300 {
		q, met := Inquiry{S: &s, Own: 1 + r.Intn(9)}, map[uint32]bool{}
		var under []uint32
		for range r.Intn(6) {
			id := ids[max(0, len(ids)-1-r.Intn(30))]
			want := walk(id, met)
			require.Equal(t, want, q.Ask(id))
			under = append(under, id)
		}
		require.Equal(t, q.Asked, q.Spent()-q.Own)
		id := q.Keep()
		ids, own[id], leads[id] = append(ids, id), q.Own, under
	}
}
