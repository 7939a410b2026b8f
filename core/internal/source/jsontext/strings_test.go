package jsontext

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"
)

// Strings reads non-empty arrays of strings as Read does, and nothing else.
func TestStrings(t *testing.T) {
	parts := []string{
		"[", "]", "[", "]", `"a"`, `"b\n"`, `""`, `"\u00e9\ud83d\ude00"`, `"日本"`, ",", ",", ",", " ", "\n", "1", "{", "}", `"`, `\`,
		"null", "\xff", "\uFEFF", "\x01", `"\ud800"`, `"\x"`,
	}
	r := rand.New(rand.NewSource(1))
	read := 0
	for i := range 50_000 {
		text := "["
		if i%4 == 0 {
			text = ""
		}
		for range r.Intn(8) {
			text += parts[r.Intn(len(parts))]
		}
		if i%2 == 0 {
			text += "]"
		}
		list, ok := Strings(text, nil)
		var tree Tree
		root, err := tree.Read([]byte(text), "test")
		var want []string
		is := err == nil && tree.Node(root).Kind == Array
		if is {
			for c := range tree.Children(root) {
				is = is && tree.Node(c).Kind == String
				want = append(want, tree.Node(c).Text)
			}
		}
		require.Equal(t, is && len(want) > 0, ok, "%q: %v", text, err)
		if ok {
			require.Equal(t, want, list, "%q", text)
			read++
		}
	}
	require.Greater(t, read, 300)
}
