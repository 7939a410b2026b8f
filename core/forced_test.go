package core_test

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/core/internal/testkit"
	"github.com/sluice-engine/sluice/tests/corpus"
)

// cuttingVocabulary is the committed vocabulary with its tokenizer.
func cuttingVocabulary(t testing.TB) *core.Vocabulary {
	t.Helper()
	committedVocabulary(t)
	v, err := core.LoadVocabulary("../tests/data/tokenizer.json.gz", core.VocabularyOptions{KeepTokenizer: true})
	require.NoError(t, err)
	return v
}

func newMatcher(t testing.TB, g *core.Grammar, o core.MatcherOptions) *core.Matcher {
	t.Helper()
	m, err := core.NewMatcher(g, o)
	require.NoError(t, err)
	return m
}

// cutByTokenizer returns the tokens of a text: those that are forced by a grammar with no other text.
func cutByTokenizer(t testing.TB, c *core.Compiler, text string) []int32 {
	t.Helper()
	spec, err := json.Marshal([]string{text})
	require.NoError(t, err)
	g, err := c.Compile(core.Choice, spec, nil)
	require.NoError(t, err)
	m, err := core.NewMatcher(g, core.MatcherOptions{})
	require.NoError(t, err)
	ids, err := m.ForcedTokens(nil)
	require.NoError(t, err)
	n, err := m.Accept(ids)
	require.NoError(t, err)
	require.Equal(t, len(ids), n)
	require.True(t, m.Completed(), "%q", text)
	return ids
}

func forced(t testing.TB, m *core.Matcher) []int32 {
	t.Helper()
	ids, err := m.ForcedTokens(nil)
	require.NoError(t, err)
	return ids
}

func drafts(t testing.TB, m *core.Matcher, k int) []int32 {
	t.Helper()
	ids, err := m.Drafts(nil, k)
	require.NoError(t, err)
	return ids
}

func decoded(v *core.Vocabulary, ids []int32) (text string) {
	for _, id := range ids {
		b, _ := v.Token(uint32(id))
		text += string(b)
	}
	return text
}

func accept(t testing.TB, m *core.Matcher, ids ...int32) {
	t.Helper()
	n, err := m.Accept(ids)
	require.NoError(t, err)
	require.Equal(t, len(ids), n)
}

// Along outputs in several layouts the forced tokens are the tokenizer's, and most drafts too; the matcher
// accepts both and does not move. Rollback, forks and resets change no answer.
func TestForcedTokensAndDrafts(t *testing.T) {
	testkit.Alone(t)
	v := cuttingVocabulary(t)
	c := core.NewCompiler(v, core.CompilerConfig{WarmBytes: -1})
	g, err := c.Compile(core.JSONSchema, []byte(callSchema), nil)
	require.NoError(t, err)
	tokens, saved, drafted, proposed := 0, 0, 0, 0
	for _, l := range corpus.Layouts() {
		for _, text := range callTexts[:1] {
			text, _ = l.Write(text)
			ids := cutByTokenizer(t, c, text)
			m := newMatcher(t, g, core.MatcherOptions{})
			var all [][2][]int32
			for i := range ids {
				list, draft := forced(t, m), drafts(t, m, 6)
				require.Equal(t, ids[i:i+len(list)], append([]int32{}, list...), "%q", decoded(v, ids[:i]))
				for _, some := range [][]int32{list, draft} {
					n, err := m.Validate(some)
					require.NoError(t, err)
					require.Equal(t, len(some), n)
				}
				require.LessOrEqual(t, len(draft), 6)
				n := min(len(list), len(draft))
				require.Equal(t, append([]int32{}, list[:n]...), append([]int32{}, draft[:n]...))
				all = append(all, [2][]int32{list, draft})
				saved += min(len(list), 1)
				proposed += min(len(draft), 1)
				if len(draft) > 0 && draft[0] == ids[i] {
					drafted++
				}
				accept(t, m, ids[i])
			}
			tokens += len(ids)
			require.True(t, m.Completed())
			for i := len(ids) - 1; i >= 0; i-- { // backwards, and by forks
				require.NoError(t, m.Rollback(1))
				f, err := m.Fork()
				require.NoError(t, err)
				require.Equal(t, all[i], [2][]int32{forced(t, f), drafts(t, f, 6)}, "%q", decoded(v, ids[:i]))
				if i%3 == 0 {
					require.Equal(t, all[i], [2][]int32{forced(t, m), drafts(t, m, 6)})
				}
			}
			accept(t, m, ids...)
			require.NoError(t, m.Reset())
			require.Equal(t, all[0], [2][]int32{forced(t, m), drafts(t, m, 6)})
		}
	}
	t.Logf("%d tokens, %d forced, %d of %d drafted", tokens, saved, drafted, proposed)
	require.Greater(t, saved, tokens/10)
	require.Greater(t, drafted, tokens/2)
	require.Greater(t, 100*drafted, 95*proposed)
}

// A choice of one text is forced to its end, with all kinds of characters.
func TestForcedTexts(t *testing.T) {
	testkit.Alone(t)
	v := cuttingVocabulary(t)
	c := core.NewCompiler(v, core.CompilerConfig{WarmBytes: -1})
	r := testkit.Seeded(t, 1)
	for range testkit.Rounds(50, 2000) {
		text := testkit.RandomString(r, "ab 1\n{\":'", 20) + "é中" + testkit.RandomString(r, "a <|e", 9) + "."
		require.Equal(t, text, decoded(v, cutByTokenizer(t, c, text)))
	}
}

// The end of the forced text is held back: the tokenizer could join it with later text.
func TestForcedTokensAreHeldBack(t *testing.T) {
	testkit.Alone(t)
	v := cuttingVocabulary(t)
	c := core.NewCompiler(v, core.CompilerConfig{WarmBytes: -1})
	for pattern, want := range map[string]string{
		"abc [a-z]": "abc", "abc [a-z]!": "abc", "(abc|abd) x": "", "12 abc[.]?": "12", "abc": "abc", "x\\n\\n  ab [0-9]+": "x\n\n  ab",
		"abc[0-9]?": "", "abc é1": "abc é1", "abc( é|  )1": "abc",
	} {
		g, err := c.Compile(core.Regex, []byte(pattern), nil)
		require.NoError(t, err)
		m := newMatcher(t, g, core.MatcherOptions{})
		list := forced(t, m)
		require.Equal(t, want, decoded(v, list), pattern)
		require.Equal(t, append([]int32{}, list...), append([]int32{}, drafts(t, m, len(list))...), pattern)
	}
	g, err := c.Compile(core.Regex, []byte("x(ab|cd)efgh ij"), nil)
	require.NoError(t, err)
	m := newMatcher(t, g, core.MatcherOptions{})
	ok, err := m.AcceptBytes([]byte("xa"))
	require.True(t, ok && err == nil)
	list := forced(t, m)
	whole := cutByTokenizer(t, c, "xabefgh ij")
	if len(list) > 0 { // there are none if a token crosses the text so far
		require.Equal(t, whole[len(whole)-len(list):], list)
	}
}

func TestForcedTokensNeedATokenizer(t *testing.T) {
	c := core.NewCompiler(committedVocabulary(t), core.CompilerConfig{WarmBytes: -1})
	g, err := c.Compile(core.Regex, []byte("abc"), nil)
	require.NoError(t, err)
	m := newMatcher(t, g, core.MatcherOptions{})
	for _, ask := range []func() ([]int32, error){
		func() ([]int32, error) { return m.ForcedTokens([]int32{7}) },
		func() ([]int32, error) { return m.Drafts([]int32{7}, 3) },
	} {
		ids, err := ask()
		var e *core.Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, core.CodeArgument, e.Code)
		require.Equal(t, []int32{7}, ids)
	}
	_, err = core.ParseVocabulary(core.FormatTiktoken, []byte("YQ== 0\n"), core.VocabularyOptions{KeepTokenizer: true})
	var e *core.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, core.CodeUnsupported, e.Code)
}

// In reasoning and after the end nothing is forced. A limit of tokens bounds drafts as it bounds masks. A call that is to
// do without work says so, and the same call made again is right.
func TestForcedTokensBesides(t *testing.T) {
	testkit.Alone(t)
	v := cuttingVocabulary(t)
	c := core.NewCompiler(v, core.CompilerConfig{WarmBytes: -1})
	g, err := c.Compile(core.Regex, []byte("abc def(x ghi)?"), nil)
	require.NoError(t, err)
	end := int32(v.EndTokens()[0])
	m := newMatcher(t, g, core.MatcherOptions{Reasoning: &core.Reasoning{End: []uint32{v.SpecialTokens()[0]}}})
	require.Empty(t, forced(t, m))
	require.Empty(t, drafts(t, m, 4))
	accept(t, m, int32(v.SpecialTokens()[0]))
	require.Equal(t, "abc", decoded(v, forced(t, m)))
	accept(t, m, cutByTokenizer(t, c, "abc defx ghi")...)
	accept(t, m, end)
	require.Empty(t, forced(t, m))
	require.Empty(t, drafts(t, m, 4))

	_, err = m.Until(core.AtOnce).ForcedTokens(nil)
	require.NoError(t, err, "all is known")
	g, err = c.Compile(core.Regex, []byte("uvw xyz 123"), nil)
	require.NoError(t, err)
	m = newMatcher(t, g, core.MatcherOptions{})
	for _, ask := range []func(u core.Until) ([]int32, error){
		func(u core.Until) ([]int32, error) { return u.ForcedTokens(nil) },
		func(u core.Until) ([]int32, error) { return u.Drafts(nil, 9) },
	} {
		m, err = m.Fork()
		require.NoError(t, err)
		var ids []int32
		for n := 0; ; n++ {
			asked := 0
			ids, err = ask(m.Until(func() bool { asked++; return asked > 3 }))
			var e *core.Error
			if err == nil || !errors.As(err, &e) || e.Code != core.CodeUnfinished || n > 1000 {
				break
			}
			require.Empty(t, ids)
		}
		require.NoError(t, err)
		require.Equal(t, cutByTokenizer(t, c, "uvw xyz 123"), ids)
	}
	least, err := m.MinTokens()
	require.NoError(t, err)
	require.NoError(t, m.SetMaxTokens(least))
	list := drafts(t, m, 20)
	n, err := m.Validate(list)
	require.NoError(t, err)
	require.Equal(t, len(list), n)
	require.Equal(t, list[:min(2, len(list))], drafts(t, m, 2))
	require.Empty(t, drafts(t, m, 0))
	require.True(t, slices.Equal(list, forced(t, m)))
}

// Tokens that callers were given are counted; calls that fail count none.
func TestForcedTokensAndDraftsAreCounted(t *testing.T) {
	c := core.NewCompiler(cuttingVocabulary(t), core.CompilerConfig{})
	g, err := c.Compile(core.JSONSchema, []byte(`{"const":{"location":"Oslo","unit":"celsius"}}`), nil)
	require.NoError(t, err)
	m := newMatcher(t, g, core.MatcherOptions{})
	ok, err := m.AcceptBytes([]byte(`{"`))
	require.NoError(t, err)
	require.True(t, ok)
	two, three := len(forced(t, m))+len(forced(t, m)), len(drafts(t, m, 3))
	require.NotZero(t, two)
	require.NotZero(t, three)
	require.Empty(t, drafts(t, m, 0))
	m.Flush()
	s := c.Stats()
	require.Equal(t, []uint64{uint64(two), uint64(three)}, []uint64{s.ForcedTokens, s.DraftedTokens})
}
