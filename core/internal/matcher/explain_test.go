package matcher

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

func TestExplainSentences(t *testing.T) {
	v, err := testkit.ConstraintVocabulary(false)
	require.NoError(t, err)
	id := func(text string) int32 {
		for i := range uint32(v.Size()) {
			if string(v.Bytes(i)) == text && !v.IsSpecial(i) {
				return int32(i)
			}
		}
		require.Fail(t, "no such token", text)
		return 0
	}
	g, err := compiler.New(v, compiler.Config{}).Compile(source.Regex, []byte(`ab[12]?`), new(source.Options))
	require.NoError(t, err)
	m, err := New(g, Options{RejectAfterEnd: true})
	require.NoError(t, err)
	end := int32(v.EndTokens()[0])
	say := func(id int32) string {
		text, err := m.Explain(id)
		require.NoError(t, err)
		_, text, _ = strings.Cut(text, ")")
		return strings.TrimSpace(text)
	}
	require.Equal(t, "is allowed", say(id("a")))
	require.Equal(t, `is not allowed: after "a" the output goes on with one of [b], not with "a"`, say(id("aab")))
	require.Equal(t, `is not allowed: the output goes on with one of [a], not with "b"`, say(id("b")))
	text, err := m.Explain(end)
	require.NoError(t, err)
	require.Contains(t, text, "it ends the output, which may not end here; the output goes on with one of [a]")
	_, err = m.Accept([]int32{id("ab"), id("1")})
	require.NoError(t, err)
	require.Equal(t, `is not allowed: the output can only end here, not with "1"`, say(id("1")))
	text, err = m.Explain(end)
	require.NoError(t, err)
	require.Contains(t, text, "is allowed: the output may end here, and this token ends it")
	_, err = m.Accept([]int32{end})
	require.NoError(t, err)
	require.Equal(t, "is not allowed: the output has ended", say(id("a")))
	_, err = m.Explain(-1)
	require.ErrorContains(t, err, "outside the vocabulary")
}

// Explain and Validate agree on every token.
func TestExplainAgrees(t *testing.T) {
	v, err := testkit.ConstraintVocabulary(false)
	require.NoError(t, err)
	c := compiler.New(v, compiler.Config{})
	r := testkit.Seeded(t, 3)
	said := map[bool]int{}
	for range testkit.Rounds(250, 2000) {
		x := testkit.RandomConstraint(r, testkit.ConstraintKinds[r.Intn(len(testkit.ConstraintKinds))], 3)
		g, err := c.Compile(x.Kind, []byte(x.Text), new(source.Options))
		if err != nil {
			continue
		}
		m, err := New(g, Options{})
		require.NoError(t, err)
		row := make([]uint32, v.Words())
		for range 4 {
			for id := range int32(v.PaddedSize()) {
				n, err := m.Validate([]int32{id})
				text, errExplain := m.Explain(id)
				require.Equal(t, err == nil, errExplain == nil, "%s %s", x.Kind, x.Text)
				if err == nil {
					said[n == 1]++
					allowed := !strings.Contains(text, "is not allowed")
					require.Equal(t, n == 1, allowed, "%s %s: %s", x.Kind, x.Text, text)
				}
			}
			if _, err := m.Fill(row); err != nil {
				break
			}
			if n, err := m.Accept([]int32{int32(testkit.Pick(r, row, nil))}); n == 0 || err != nil {
				break
			}
		}
	}
	require.Greater(t, min(said[true], said[false]), 1000)
}
