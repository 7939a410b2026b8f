package matcher

import (
	"math/rand"
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
		why, err := m.Explain(id, nil)
		require.NoError(t, err)
		_, text, _ := strings.Cut(why.Sentence, ")")
		text, _, _ = strings.Cut(text, "; ")
		return strings.TrimSpace(text)
	}
	require.Equal(t, "is allowed", say(id("a")))
	require.Equal(t, `is not allowed: after "a" the output goes on with one of [b], not with "a"`, say(id("aab")))
	require.Equal(t, `is not allowed: the output goes on with one of [a], not with "b"`, say(id("b")))
	why, err := m.Explain(end, nil)
	require.NoError(t, err)
	require.Contains(t, why.Sentence, "it ends the output, which may not end here; the output goes on with one of [a]")
	_, err = m.Accept([]int32{id("ab"), id("1")})
	require.NoError(t, err)
	require.Equal(t, `is not allowed: the output can only end here, not with "1"`, say(id("1")))
	why, err = m.Explain(end, nil)
	require.NoError(t, err)
	require.Contains(t, why.Sentence, "is allowed: the output may end here, and this token ends it")
	_, err = m.Accept([]int32{end})
	require.NoError(t, err)
	require.Equal(t, "is not allowed: the output has ended", say(id("a")))
	_, err = m.Explain(-1, nil)
	require.ErrorContains(t, err, "outside the vocabulary")
}

// An explanation agrees with Validate on every token, and with AcceptBytes and ForcedBytes on random texts, for all kinds
// of constraints: allowed exactly if accepted, refused at the first byte that no output has, forced as ForcedBytes says.
func TestExplainAgrees(t *testing.T) {
	v, err := testkit.ConstraintVocabulary(false)
	require.NoError(t, err)
	c := compiler.New(v, compiler.Config{})
	r := testkit.Seeded(t, 3)
	said, located := map[bool]int{}, 0
	for range testkit.Rounds(80, 2000) {
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
				why, errExplain := m.Explain(id, nil)
				require.Equal(t, err == nil, errExplain == nil, "%s %s", x.Kind, x.Text)
				if err != nil {
					continue
				}
				said[n == 1]++
				require.Equal(t, n == 1, why.Allowed, "%s %s: %s", x.Kind, x.Text, why.Sentence)
				require.Equal(t, n == 0, strings.Contains(why.Sentence, "is not allowed"), "%s", why.Sentence)
				if text := v.Bytes(uint32(id)); !v.IsSpecial(uint32(id)) && len(text) > 0 && !m.Terminated() {
					located += agreesOnText(t, m, text, x.Text)
				}
			}
			if _, err := m.Fill(row); err != nil {
				break
			}
			id := testkit.Pick(r, row, nil)
			if n, err := m.Accept([]int32{int32(id)}); n == 0 || err != nil {
				break
			}
		}
	}
	require.Greater(t, min(said[true], said[false], located), 1000)
}

// agreesOnText compares ExplainText with the calls that move a fork. It returns 1 if the explanation names a place.
func agreesOnText(t *testing.T, m *Matcher, text []byte, spec string) int {
	why, errExplain := m.ExplainText(text, nil)
	f, err := m.Fork()
	require.NoError(t, err)
	ok, err := f.AcceptBytes(text)
	require.Equal(t, err == nil, errExplain == nil, "%s: %q: %v", spec, text, errExplain)
	if err != nil {
		return 0
	}
	require.Equal(t, ok, why.Allowed, "%s: %q: %s", spec, text, why.Sentence)
	if !ok {
		f, err = m.Fork()
		require.NoError(t, err)
		ok, err = f.AcceptBytes(text[:why.Offset])
		require.NoError(t, err)
		require.True(t, ok, "%s: %q up to %d", spec, text, why.Offset)
		after, err := f.Fork()
		require.NoError(t, err)
		ok, err = after.AcceptBytes(text[why.Offset : why.Offset+1])
		require.NoError(t, err)
		require.False(t, ok, "%s: %q at %d", spec, text, why.Offset)
	}
	require.Equal(t, f.Completed(), why.Ends, "%s: %q", spec, text)
	forced, err := f.ForcedBytes(nil)
	require.NoError(t, err)
	require.Equal(t, string(forced), string(why.Forced), "%s: %q", spec, text)
	if len(why.Expected) == 0 || why.Expected[0].Source == "" {
		return 0
	}
	return 1
}

// Two matchers with different histories explain alike.
func TestExplainIsTheSameInAllHistories(t *testing.T) {
	v, err := testkit.ConstraintVocabulary(false)
	require.NoError(t, err)
	r := testkit.Seeded(t, 4)
	for range testkit.Rounds(25, 500) {
		x := testkit.RandomConstraint(r, testkit.ConstraintKinds[r.Intn(len(testkit.ConstraintKinds))], 3)
		c := compiler.New(v, compiler.Config{})
		cold, err := c.Compile(x.Kind, []byte(x.Text), new(source.Options))
		if err != nil {
			continue
		}
		warm, err := c.Compile(x.Kind, []byte(x.Text), new(source.Options))
		require.NoError(t, err)
		m, err := New(warm, Options{})
		require.NoError(t, err)
		row := make([]uint32, v.Words())
		var ids []int32
		for range 6 {
			if _, err := m.Fill(row); err != nil {
				break
			}
			ids = append(ids, int32(testkit.Pick(r, row, nil)))
			if n, err := m.Accept(ids[len(ids)-1:]); n == 0 || err != nil {
				break
			}
			_, _ = m.ExplainText([]byte("{"), nil)
		}
		if err := m.Reset(); err != nil {
			continue
		}
		warm.Renew(warm.Current())
		other, err := New(cold, Options{})
		require.NoError(t, err)
		for range min(2, len(ids)) {
			for id := range int32(v.Size()) {
				a, errA := m.Explain(id, nil)
				b, errB := other.Explain(id, nil)
				require.Equal(t, errA == nil, errB == nil)
				require.Equal(t, b, a, "%s %s", x.Kind, x.Text)
			}
			_, err := m.Accept(ids[:1])
			require.NoError(t, err)
			_, err = other.Accept(ids[:1])
			require.NoError(t, err)
			ids = ids[1:]
		}
	}
}

// Under a limit, an explanation agrees with Validate on every token, and names max_tokens exactly for the tokens and texts
// that only the limit refuses.
func TestExplainNamesMaxTokens(t *testing.T) {
	v, err := testkit.ConstraintVocabulary(false)
	require.NoError(t, err)
	comp := compiler.New(v, compiler.Config{})
	named := 0
	for _, kind := range testkit.ConstraintKinds {
		for seed := range int64(testkit.Rounds(6, 100)) {
			c := testkit.RandomConstraint(rand.New(rand.NewSource(seed)), kind, 2)
			g, err := comp.Compile(c.Kind, []byte(c.Text), c.SourceOptions())
			if err != nil {
				continue
			}
			free, err := New(g, Options{})
			require.NoError(t, err)
			least, err := free.MinTokens()
			if err != nil {
				continue
			}
			m, err := New(g, Options{MaxTokens: least + int(seed%3)})
			require.NoError(t, err)
			for id := range int32(v.Size()) {
				want, err := m.Validate([]int32{id})
				require.NoError(t, err)
				without, err := free.Validate([]int32{id})
				require.NoError(t, err)
				why, err := m.Explain(id, nil)
				require.NoError(t, err)
				require.Equal(t, want == 1, why.Allowed, "%s: %s", c.Text, why.Sentence)
				require.Equal(t, want < without, strings.Contains(why.Sentence, "max_tokens leaves"), "%s: %s", c.Text,
					why.Sentence)
				named += without - want
				text := v.Bytes(uint32(id))
				if len(text) == 0 {
					continue
				}
				taken, err := m.AcceptBytes(text)
				require.NoError(t, err)
				if taken {
					require.NoError(t, m.Rollback(1))
				}
				why, err = m.ExplainText(text, nil)
				require.NoError(t, err)
				require.Equal(t, taken, why.Allowed, "%s: %s", c.Text, why.Sentence)
			}
		}
	}
	require.Greater(t, named, 50)
}

// A text that the limit of tokens refuses in the reasoning is explained as refused.
func TestExplainTextInReasoningAtTheLimit(t *testing.T) {
	m, err := New(fresh(t, "ab"), Options{Reasoning: &Reasoning{End: []uint32{1}}, MaxTokens: 5})
	require.NoError(t, err)
	for _, allowed := range []bool{true, false} { // the shortest output takes 4 tokens
		why, err := m.ExplainText([]byte("x"), nil)
		require.NoError(t, err)
		ok, err := m.AcceptBytes([]byte("x"))
		require.NoError(t, err)
		require.Equal(t, allowed, ok)
		require.Equal(t, ok, why.Allowed, why.Sentence)
	}
}
