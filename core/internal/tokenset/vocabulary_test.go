package tokenset

import "math/rand"

// denseVocabulary returns tokens that are frequent in JSON: letters, escapes, punctuation, digits, fragments of UTF-8.
func denseVocabulary(r *rand.Rand, n int) [][]byte {
	pieces := []string{
		"a", "b", "ab", `"`, `\`, `\n`, `\u00`, "61", "{", "}", "[", "]", ":", ",", " " +
			"", "\n", "0", "1", "23", "-", ".", "e", "null", "true", "name", "é", "\xc3", "\xa9", "😀", "\xf0\x9f",
		"<", "tool", ">", "/",
		`": "`, `", "`, "x",
	}
	tokens := make([][]byte, 0, n)
	for _, p := range pieces {
		tokens = append(tokens, []byte(p))
	}
	for b := 0; b < 256; b++ {
		tokens = append(tokens, []byte{byte(b)})
	}
	for len(tokens) < n {
		var t []byte
		for range 1 + r.Intn(6) {
			t = append(t, pieces[r.Intn(len(pieces))]...)
		}
		tokens = append(tokens, t)
	}
	return tokens
}
