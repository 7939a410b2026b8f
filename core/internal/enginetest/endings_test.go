package enginetest

import (
	"errors"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/matcher"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/testkit"
	"github.com/sluice-engine/sluice/core/internal/vocab"
)

// endingLetters are characters of one to four bytes without a meaning in patterns or EBNF.
var endingLetters = []string{"a", "b", "c", "é", "ü", "😀", "<", " "}

// endingVocabulary has all bytes, runs of every letter of many lengths, alone and before another one, and mixtures of
// two and three letters.
func endingVocabulary(t *testing.T, r *rand.Rand) *vocab.Vocabulary {
	t.Helper()
	var tokens [][]byte
	for b := range 256 {
		tokens = append(tokens, []byte{byte(b)})
	}
	letter := func() string { return endingLetters[r.Intn(len(endingLetters))] }
	for _, c := range endingLetters {
		for _, n := range []int{2, 3, 4, 5, 8, 9, 16, 17, 21, 32, 33, 64} {
			run := strings.Repeat(c, n)
			tokens = append(tokens, []byte(run), []byte(run+letter()), []byte(letter()+run), []byte(run+letter()+c))
		}
	}
	for len(tokens) < 3000 {
		few := []string{letter(), letter(), letter()}
		s := ""
		for range 2 + r.Intn(8) {
			s += few[r.Intn(3)]
		}
		tokens = append(tokens, []byte(s[r.Intn(2):]))
	}
	v, err := vocab.New(vocab.Config{Tokens: append(tokens, []byte("</s>")), EndTokens: []uint32{uint32(len(tokens))}})
	require.NoError(t, err)
	return v
}

// endingTerminal returns a terminal with a repetition of few letters, mostly followed by text that the repetition may
// also match.
func endingTerminal(r *rand.Rand, letters []string) string {
	pick := func(xs ...string) string { return xs[r.Intn(len(xs))] }
	word := func(n int) string {
		s := pick(letters...)
		for range r.Intn(n) {
			s += pick(letters...)
		}
		return s
	}
	words := func() string { return "(?:" + word(3) + "|" + word(3) + "|" + word(4) + ")" }
	class := func() string {
		return pick("["+word(3)+"]", "["+word(3)+"]", "[^"+word(2)+"]", ".", `\\S`, `\\p{L}`, "[a-c]", pick(letters...))
	}
	count := func() string {
		counts := []int{0, 1, 2, 3, 5, 8, 12, 20, 33, 64}
		low, high := counts[r.Intn(len(counts))], counts[r.Intn(len(counts))]
		return pick("*", "+", fmt.Sprintf("{%d,}", low), fmt.Sprintf("{%d,%d}", min(low, high), max(low, high, 1)),
			fmt.Sprintf("{%d,%d}", min(low, high), max(low, high, 1)))
	}
	c := class()
	s := pick("", "", word(2)) + pick(c, c, c, words()) + count() +
		pick("", "", word(3), c+word(2), class()+count(), words())
	switch r.Intn(8) {
	case 0:
		s = "(?!" + words() + ")" + s
	case 1:
		s = "(?:" + s + "|" + words() + ")"
	case 2:
		s = "(?:" + s + ")" + pick("?", "{2}", "{1,3}")
	}
	return `Regex("` + s + `")`
}

// Terminals without delimiters: tokens finish a repetition and continue with the text after it, which may begin with
// the same characters. Masks, which share facts about terminals between grammars, equal a trial of every token.
func TestMasksWhereTerminalsEndAnywhere(t *testing.T) {
	r := testkit.Seeded(t, 73)
	v := endingVocabulary(t, r)
	c := compiler.New(v, compiler.Config{})
	row := make([]uint32, v.Words())
	compared := 0
	for range testkit.Rounds(60, 3000) {
		var letters []string
		for range 2 + r.Intn(3) {
			letters = append(letters, endingLetters[r.Intn(len(endingLetters))])
		}
		part := func() string {
			if r.Intn(3) == 0 {
				return `"` + letters[0] + letters[1] + `"`
			}
			return endingTerminal(r, letters)
		}
		shapes := []string{"%s %s", "%s %s | %s", "(%s | %s){1,3} %s", "%s (%s)* %s", "%s root | %s"}
		shape := shapes[r.Intn(len(shapes))]
		var parts []any
		for range strings.Count(shape, "%s") {
			parts = append(parts, part())
		}
		text := fmt.Sprintf("root ::= "+shape, parts...)
		g, err := c.Compile(source.EBNF, []byte(text), &source.Options{})
		if err != nil {
			continue // refusing is another test's business
		}
		m, err := matcher.New(g, matcher.Options{})
		require.NoError(t, err)
		for range 10 {
			if !everyBitWithin(t, v, m, row, text) {
				break
			}
			compared++
			id := testkit.Pick(r, row, func(id uint32) bool {
				return strings.Trim(string(v.Bytes(id)),
					strings.Join(letters, "")) == ""
			})
			if v.IsEnd(id) {
				break
			}
			n, err := m.Accept([]int32{int32(id)})
			require.NoError(t, err, text)
			require.Equal(t, 1, n, text)
		}
	}
	t.Logf("%d masks", compared)
	require.Greater(t, compared, 40)
}

// everyBitWithin compares a whole mask with a trial of every token, and reports false if the mask or a token is refused
// with a limit.
func everyBitWithin(t *testing.T, v *vocab.Vocabulary, m *matcher.Matcher, row []uint32, text string) bool {
	t.Helper()
	limit := func(err error) bool {
		var e *diag.Error
		return errors.As(err, &e) && e.Code == diag.Limit
	}
	_, err := m.Fill(row)
	if limit(err) {
		return false
	}
	require.NoError(t, err, text)
	for id := range v.Size() {
		n, err := m.Validate([]int32{int32(id)})
		if limit(err) {
			return false
		}
		require.NoError(t, err, text)
		require.Equal(t, n == 1, row[id>>5]>>(id&31)&1 == 1, "token %d %q\n%s", id, v.Bytes(uint32(id)), text)
	}
	return true
}
