package core_test

import (
	"testing"

	"github.com/sluice-engine/sluice/core"
)

// BenchmarkTryAccept is BenchmarkAccept for a caller that does not wait.
func BenchmarkTryAccept(b *testing.B) {
	m := hotMatcher(b)
	_, _ = m.Accept([]int32{'a'})
	ids := []int32{'a'}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if n, err := m.Until(core.AtOnce).Accept(ids); n != 1 || err != nil {
			b.Fatal(n, err)
		}
		if i++; i%1000 == 0 {
			_ = m.Rollback(900)
		}
	}
}
