package terminal

import (
	"fmt"
	"math/rand"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// sameLanguage compares two expressions with finitely many strings, state by state: equal bytes go on, and strings end with
// equal tags. It returns the number of pairs of states that it compared.
func sameLanguage(t *testing.T, s *Store, x, y Expr, hint string) int {
	t.Helper()
	type pair struct{ x, y Expr }
	met := map[pair]string{{x, y}: ""}
	pending := []pair{{x, y}}
	for len(pending) > 0 {
		at := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		text := met[at]
		require.Equal(t, s.View().Nullable(at.x), s.View().Nullable(at.y), "%s: %q", hint, text)
		tags, bare := s.View().Tags(at.x, nil)
		others, otherBare := s.View().Tags(at.y, nil)
		slices.Sort(tags)
		slices.Sort(others)
		require.Equal(t, tags, others, "%s: %q", hint, text)
		require.Equal(t, bare, otherBare, "%s: %q", hint, text)
		require.Equal(t, s.ReachableTags(at.x), s.ReachableTags(at.y), "%s: %q", hint, text)
		require.Equal(t, *s.Alive(at.x), *s.Alive(at.y), "%s: after %q", hint, text)
		for b := range 256 {
			next := pair{s.Delta(at.x, byte(b)), s.Delta(at.y, byte(b))}
			require.Equal(t, next.x == Empty, next.y == Empty, "%s: %q and %q", hint, text, byte(b))
			if _, ok := met[next]; !ok && next.x != Empty {
				met[next] = text + string([]byte{byte(b)})
				pending = append(pending, next)
			}
		}
	}
	return len(met)
}

// A machine of texts equals the texts as an expression, in every encoding: with prefixes, duplicates, characters that
// must be escaped, and characters of several bytes or two escapes.
func TestWordsAreTheTexts(t *testing.T) {
	letters := []rune("ab\"\\/\n\x01\x00<é日日本😀😁\U00010000\uE000퟿")
	for seed := range int64(20) {
		r := rand.New(rand.NewSource(seed))
		var texts []string
		for range 1 + r.Intn(12) {
			var text []rune
			for range r.Intn(5) {
				text = append(text, letters[r.Intn(len(letters))])
			}
			texts = append(texts, string(text))
		}
		for _, enc := range []Encoding{
			UTF8, JSONString, JSONWritten, UTF8 | ASCII, JSONString | ASCII, JSONWritten | ASCII,
		} {
			s := NewStore()
			hint := fmt.Sprintf("seed %d, encoding %d, %q", seed, enc, texts)
			sameLanguage(t, s, s.Words(texts, enc, nil), s.Texts(texts, enc, nil), hint)
		}
	}
}

// Texts that are any bytes are spelled as they are.
func TestWordsOfBytes(t *testing.T) {
	s := NewStore()
	texts := []string{"\xff\x00", "\xff", "\xe6\x97", "\xe6", "a\x00b", "a", "a\x00", "12345678\x00\x00", "12345678\x00", "12345678"}
	require.Greater(t, sameLanguage(t, s, s.Words(texts, UTF8, nil), s.Texts(texts, UTF8, nil), "bytes"), 10)
}

// A text that ends carries its tag.
func TestWordsWithTags(t *testing.T) {
	s := NewStore()
	texts, tags := []string{"call", "call_b", "ca", "d", "call_a", "x"}, []uint32{0, 1, 2, 3, 4, 5}
	sameLanguage(t, s, s.Words(texts, UTF8, tags), s.Keys(texts, UTF8, Epsilon), "tags")
}

// A long list is a machine, alone, before the same tail or with tags. With different tails, or excluded, it is an
// expression.
func TestLongListsAreMachines(t *testing.T) {
	s := NewStore()
	texts, quotes, others := make([]string, manyTexts), make([]Expr, manyTexts), make([]Expr, manyTexts)
	for i := range texts {
		texts[i], quotes[i], others[i] = strconv.Itoa(i*7), s.Literal(`"`), s.Literal(strconv.Itoa(i%3))
	}
	for name, x := range map[string]Expr{
		"alone":    s.Texts(texts, UTF8, nil),
		"in JSON":  s.Texts(texts, JSONWritten, nil),
		"a tail":   s.Texts(texts, UTF8, quotes),
		"tags":     s.Keys(texts, UTF8, Epsilon),
		"and more": s.Or(s.Delta(s.Texts(texts, UTF8, nil), '1'), s.Literal("x")),
	} {
		require.True(t, s.View().Sprawls(x), name)
	}
	for name, x := range map[string]Expr{
		"few":      s.Texts(texts[1:], UTF8, nil),
		"tails":    s.Texts(texts, UTF8, others),
		"excluded": s.Excluded(texts, UTF8),
		"suffixes": s.Keys(texts, UTF8, s.Literal(`"`)),
	} {
		require.False(t, s.View().Sprawls(x), name)
	}
	sameLanguage(t, s, s.Texts(texts, UTF8, quotes), s.Concat(s.Or(s.Texts(texts[:200], UTF8, nil), s.Texts(texts[200:], UTF8,
		nil)), s.Literal(`"`)), "a tail")
	a, b := s.Words(texts, UTF8, nil), s.Words(slices.Concat(texts[100:], texts[:200]), UTF8, nil)
	require.Equal(t, a, b, "order and repetition don't matter")
	require.NotEqual(t, a, s.Words(texts[1:], UTF8, nil))
	require.NotEqual(t, a, s.Words(texts, JSONString, nil))
}
