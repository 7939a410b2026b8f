package metrics_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/metrics"
)

func TestBuckets(t *testing.T) {
	require.True(t, slices.IsSorted(metrics.Bounds[:]))
	var h metrics.Histogram
	sum := time.Duration(0)
	for _, d := range metrics.Bounds {
		h.Observe(d)     // inclusive
		h.Observe(d + 1) // the next bucket
		sum += 2*d + 1
	}
	h.Observe(-time.Second) // a clock that went back
	counts, got := h.Counts()
	require.Equal(t, sum, got)
	for i, n := range counts {
		want := uint64(2)
		if i == len(metrics.Bounds) {
			want = 1
		}
		require.Equal(t, want, n, i)
	}
}

func TestConcurrent(t *testing.T) {
	var h metrics.Histogram
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for i := range 1000 {
				h.Observe(time.Duration(i) * time.Microsecond)
			}
		})
	}
	wait.Wait()
	counts, sum := h.Counts()
	n := uint64(0)
	for _, c := range counts {
		n += c
	}
	require.EqualValues(t, 4000, n)
	require.Equal(t, 4*499_500*time.Microsecond, sum)
}

func ExampleHistogram() {
	var h metrics.Histogram
	h.Observe(3 * time.Microsecond)
	counts, sum := h.Counts()
	fmt.Println(counts[:4], sum)
	// Output: [0 0 1 0] 3µs
}
