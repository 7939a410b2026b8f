package expr

import (
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// steps agrees with one step after the other.
func TestStepsOfScannersAreThoseOfEachByte(t *testing.T) {
	r := rand.New(rand.NewSource(5))
	for range 200 {
		var patterns []ScanPattern
		for i := range 1 + r.Intn(12) {
			var text strings.Builder
			for range 1 + r.Intn(9) {
				text.WriteByte("aaabc"[r.Intn(5)])
			}
			patterns = append(patterns, ScanPattern{Text: text.String(), Tag: uint32(i)})
		}
		sc := NewScanner(patterns, nil)
		var to [256]uint32
		for at := range sc.Next {
			sc.steps(uint32(at), &to)
			for b := range 256 {
				require.Equal(t, sc.step(uint32(at), byte(b)), to[b])
			}
		}
	}
}
