package terminal

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"
)

// A body with bounds on its lengths is empty exactly when none of its texts is within them, also where several bytes
// lead from one state to another.
func TestLengthsOfABodyAreThoseOfItsTexts(t *testing.T) {
	r := rand.New(rand.NewSource(29))
	for range 300 {
		s := NewStore()
		has := map[int]bool{}
		var members []Expr
		for range 1 + r.Intn(4) {
			n := 1 + r.Intn(5)
			has[n] = true
			if r.Intn(2) == 0 {
				members = append(members, s.Repeat(s.Bytes(set("abcd"[r.Intn(3):])), uint32(n), uint32(n)))
				continue
			}
			text := make([]byte, n)
			for i := range text {
				text[i] = "abcd"[r.Intn(4)]
			}
			members = append(members, s.Literal(string(text)))
		}
		body := s.Or(members...)
		for low := range 6 {
			some := false
			for high := low; high < 6; high++ {
				some = some || has[high]
				require.Equal(t, some, s.Counted(body, UTF8, uint32(low), uint32(high)) != Empty, "%d to %d", low, high)
			}
			require.Equal(t, some, s.Counted(body, UTF8, uint32(low), Unbounded) != Empty, "%d and more", low)
		}
	}
}
