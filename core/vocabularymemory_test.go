package core_test

import (
	"math/rand"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
)

// A compiler stays within the documented memory for a byte of random tokens: the prepared token sets of JSON are
// bounded.
func TestVocabularyMemory(t *testing.T) {
	const tokens, length, most = 400, 1000, 165
	r := rand.New(rand.NewSource(1))
	for _, alphabet := range []string{"ab", "ab01", `ab"`, `ab {}":,01`} {
		config := core.VocabularyConfig{Tokens: [][]byte{nil}, EndTokens: []uint32{0}}
		for range tokens {
			text := make([]byte, length)
			for i := range text {
				text[i] = alphabet[r.Intn(len(alphabet))]
			}
			config.Tokens = append(config.Tokens, text)
		}
		v, err := core.NewVocabulary(config)
		require.NoError(t, err)
		before := live()
		c := core.NewCompiler(v, core.CompilerConfig{})
		require.Less(t, live()-before, int64(tokens*length*most), alphabet)
		runtime.KeepAlive(c)
	}
}

// live is how much memory is in use.
func live() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
