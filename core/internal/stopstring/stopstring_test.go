package stopstring_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/stopstring"
)

func Example() {
	a, _ := stopstring.New([]string{"\n\n", "Observation:"})
	n, end := a.Read(stopstring.Root, []byte("I look it up.\nObs"))
	fmt.Println(end, a.Depth(n))
	n, end = a.Read(n, []byte("ervation: it rains"))
	fmt.Println(end)
	fmt.Println(a.Found(n))
	// Output:
	// 0 3
	// 9
	// 1 12
}

// search finds the string with the earliest end, the longest of several, by looking at every place.
func search(list []string, text string) (index, end int) {
	for end := 1; end <= len(text); end++ {
		index = -1
		for i, s := range list {
			if strings.HasSuffix(text[:end], s) && (index < 0 || len(s) > len(list[index])) {
				index = i
			}
		}
		if index >= 0 {
			return index, end
		}
	}
	return -1, 0
}

// held returns the length of the longest end of text that begins one of the strings.
func held(list []string, text string) (n int) {
	for _, s := range list {
		for k := 1; k < len(s); k++ {
			if strings.HasSuffix(text, s[:k]) {
				n = max(n, k)
			}
		}
	}
	return n
}

func random(r *rand.Rand, letters string, most int) string {
	var b strings.Builder
	for range 1 + r.IntN(most) {
		b.WriteByte(letters[r.IntN(len(letters))])
	}
	return b.String()
}

func TestReadAgainstSearch(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	found := 0
	for range 20000 {
		letters := []string{"ab", "abc", "a\n\xff\x00"}[r.IntN(3)]
		var list []string
		for range r.IntN(5) {
			list = append(list, random(r, letters, 6))
		}
		a, err := stopstring.New(list)
		require.NoError(t, err)
		text := random(r, letters+"z", 20)
		n, read := stopstring.Root, 0
		for read < len(text) {
			k := 1 + r.IntN(len(text)-read)
			to, end := a.Read(n, []byte(text[read:read+k]))
			index, at := search(list, text[:read+k])
			if end > 0 {
				found++
				require.Equal(t, at, read+end, "%q in %q", list, text)
				got, length := a.Found(to)
				require.Equal(t, index, got, "%q in %q", list, text)
				require.Equal(t, len(list[index]), length)
				break
			}
			require.Negative(t, index, "%q in %q", list, text[:read+k])
			n, read = to, read+k
			require.Equal(t, held(list, text[:read]), a.Depth(n), "%q in %q", list, text[:read])
		}
	}
	require.Greater(t, found, 5000)
}

func TestBounds(t *testing.T) {
	all := make([]byte, limits.StopStringBytes) // every byte, so every class
	for i := range all {
		all[i] = byte(i * 7)
	}
	a, err := stopstring.New([]string{string(all[:1000]), string(all[1000:])})
	require.NoError(t, err)
	n, end := a.Read(stopstring.Root, all)
	index, length := a.Found(n)
	require.Equal(t, []int{1000, 0, 1000}, []int{end, index, length})

	_, err = stopstring.New([]string{string(all), "a"})
	require.ErrorContains(t, err, "the first 2 stop strings have 4097 bytes together, and all may have 4096")
	require.Equal(t, diag.Limit, err.(*diag.Error).Code)
	_, err = stopstring.New([]string{"a", ""})
	require.ErrorContains(t, err, "stop string 1 is empty")
	require.Equal(t, diag.Argument, err.(*diag.Error).Code)
}
