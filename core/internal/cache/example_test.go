package cache_test

import (
	"crypto/sha256"
	"fmt"

	"github.com/sluice-engine/sluice/core/internal/cache"
)

// A second request for the same key gets the cached value.
func ExampleCache() {
	c := cache.New(1<<20, func(s string) int { return len(s) })
	for range 2 {
		v, _ := c.Get(cache.Key(sha256.Sum256([]byte("question"))), nil, func() (string, cache.Fate) {
			fmt.Println("made")
			return "answer", cache.Keep
		})
		fmt.Println(v)
	}
	// Output:
	// made
	// answer
	// answer
}
