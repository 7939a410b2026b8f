package core_test

import (
	"encoding/json"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
)

func TestParseOptions(t *testing.T) {
	o, err := core.ParseOptions([]byte(` {"special_tokens": "text", "start_rule": "top", "any_order": true, "lenient": true,
		"compact": true, "max_whitespace": 7, "number_forms": "all", "ascii_only": true, "dialect": "draft-07",
		"documents": {"u:x": {"type": "string"}}, "format": "annotation"} `))
	require.NoError(t, err)
	require.Equal(t, "top", o.StartRule)
	require.True(t, o.AnyOrder && o.Lenient && o.Compact && o.AllNumberForms && o.ASCIIOnly && o.FormatIsNote)
	require.Equal(t, 7, o.MaxWhitespace)
	require.Equal(t, map[string]json.RawMessage{"u:x": json.RawMessage(`{"type": "string"}`)}, o.Documents)

	for _, empty := range []string{"", " \n", "{}"} {
		o, err = core.ParseOptions([]byte(empty))
		require.NoError(t, err)
		require.Equal(t, new(core.Options), o)
	}
}

// Nothing that was meant as an option is ignored.
func TestParseOptionsRefuses(t *testing.T) {
	for text, part := range map[string]string{
		`{"Compact": true}`:                  "no such option",
		`{"any-order": true}`:                "no such option",
		`{"any_order": 1}`:                   "true or false",
		`{"any_order": null}`:                "true or false",
		`{"any_order": "true"}`:              "true or false",
		`{"max_whitespace": 0}`:              "whole number",
		`{"max_whitespace": 1.5}`:            "whole number",
		`{"number_forms": "some"}`:           `"integer" or "all"`,
		`{"special_tokens": true}`:           `"tokens" or "text"`,
		`{"format": null}`:                   `"assertion" or "annotation"`,
		`{"documents": []}`:                  "an object",
		`{"compact": true, "compact": true}`: "twice",
		`[]`:                                 "not a JSON object",
		`null`:                               "not a JSON object",
		`{"compact": true`:                   "malformed",
		`{"compact"}`:                        "malformed",
		`{} x`:                               "after the end",
		`{}{}`:                               "after the end",
		"{\"dialect\": \"\xff\"}":            "UTF-8",
	} {
		_, err := core.ParseOptions([]byte(text))
		require.ErrorContains(t, err, part, text)
		require.Equal(t, core.CodeArgument, core.AsError(err).Code, text)
	}
	_, err := core.ParseOptions([]byte(`{"nope": 1}`))
	require.Equal(t, "/nope", core.AsError(err).Place.Pointer)
}

// An option that means nothing for a kind of constraint is refused.
func TestOptionsOfOtherKinds(t *testing.T) {
	c := core.NewCompiler(smallVocabulary(), core.CompilerConfig{})
	for _, bad := range []struct {
		kind core.Kind
		o    core.Options
		name string
	}{
		{core.Choice, core.Options{StartRule: "x"}, "/start_rule"},
		{core.JSONSchema, core.Options{StartRule: "x"}, "/start_rule"},
		{core.Regex, core.Options{Compact: true}, "/compact"},
		{core.EBNF, core.Options{Lenient: true}, "/lenient"},
		{core.AnyJSON, core.Options{FormatIsNote: true}, "/format"},
	} {
		_, err := c.Compile(bad.kind, []byte(`["a"]`), &bad.o)
		require.Error(t, err)
		require.Equal(t, core.CodeArgument, core.AsError(err).Code)
		require.Equal(t, bad.name, core.AsError(err).Place.Pointer)
	}
	_, err := c.Compile(core.EBNF, []byte("top ::= \"a\""), &core.Options{StartRule: "top"})
	require.NoError(t, err)
	_, err = c.Compile(core.AnyJSON, nil, &core.Options{Compact: true})
	require.NoError(t, err)
}

func TestParseCompilerConfig(t *testing.T) {
	c, err := core.ParseCompilerConfig([]byte(`{"shared_bytes": 1000000, "grammar_states": 50, "warm_bytes": 0}`))
	require.NoError(t, err)
	require.Equal(t, core.CompilerConfig{SharedBytes: 1000000, GrammarStates: 50, WarmBytes: -1}, c)
	for _, text := range []string{`{"x": 1}`, `{"shared_bytes": 0}`, `{"grammar_states": "many"}`} {
		_, err := core.ParseCompilerConfig([]byte(text))
		require.Error(t, err, text)
	}
}

func TestKinds(t *testing.T) {
	for _, k := range []core.Kind{
		core.JSONSchema, core.Regex, core.EBNF, core.Lark, core.StructuralTag,
		core.Choice, core.JSONObject, core.AnyJSON, core.Request, core.GrammarText,
	} {
		back, ok := core.ParseKind(k.String())
		require.True(t, ok)
		require.Equal(t, k, back)
	}
	_, ok := core.ParseKind("yaml")
	require.False(t, ok)
}

func TestVocabularyFacade(t *testing.T) {
	v := smallVocabulary()
	require.Equal(t, 262, v.Size())
	require.Equal(t, v.Size(), v.PaddedSize())
	require.Equal(t, 9, v.Words())
	text, flags := v.Token(261)
	require.Equal(t, "</s>", string(text))
	require.Equal(t, core.TokenSpecial|core.TokenEnd, flags)
	text, flags = v.Token(256)
	require.Equal(t, "yes", string(text))
	require.Zero(t, flags)
	text, _ = v.Token(9999)
	require.Nil(t, text)
	require.Equal(t, []uint32{261}, v.EndTokens())
	require.Equal(t, []uint32{261}, v.SpecialTokens())
	require.Equal(t, 4, v.MaxTokenLength())
	require.Equal(t, v.Hash(), smallVocabulary().Hash())
	id, ok := v.TokenID("</s>")
	require.True(t, ok)
	require.EqualValues(t, 261, id)
	_, err := core.ParseVocabulary(77, nil, core.VocabularyOptions{})
	require.Equal(t, core.CodeArgument, core.AsError(err).Code)
	_, err = core.LoadVocabulary("nowhere/tokenizer.json", core.VocabularyOptions{})
	require.Equal(t, core.CodeIO, core.AsError(err).Code)
}

// grammars compiles a few constraints for tests of matchers.
func grammars(t testing.TB) (*core.Vocabulary, []*core.Grammar) {
	v := smallVocabulary()
	c := core.NewCompiler(v, core.CompilerConfig{})
	var all []*core.Grammar
	for _, spec := range []struct {
		kind core.Kind
		text string
	}{
		{core.Regex, `(yes|no|[a-z ]{0,200}[0-9]+)*`},
		{core.EBNF, "root ::= \"(\" root \")\" root | [a-z]*\n"},
		{core.Choice, `["yes", "no", "the end"]`},
		{core.AnyJSON, ""},
		{core.Lark, "start: a b\na[temperature=0.5]: /[a-z ]{1,9}/\nb[temperature=1.25]: /[0-9]*/\n"},
	} {
		g, err := c.Compile(spec.kind, []byte(spec.text), nil)
		require.NoError(t, err)
		all = append(all, g)
	}
	return v, all
}

// dice is xorshift: tests draw the same numbers on every machine.
type dice uint64

func (d *dice) roll(n int) int {
	*d ^= *d << 13
	*d ^= *d >> 7
	*d ^= *d << 17
	return int(uint64(*d) % uint64(n))
}

// choose picks one of the allowed tokens.
func (d *dice) choose(t testing.TB, row []uint32) int32 {
	var ids []int32
	for id := range len(row) * 32 {
		if row[id/32]>>(id%32)&1 != 0 {
			ids = append(ids, int32(id))
		}
	}
	require.NotEmpty(t, ids, "a row without a token")
	return ids[d.roll(len(ids))]
}

// A batch of n equals n single calls for every number of threads, step after step.
func TestBatchEqualsSingles(t *testing.T) {
	v, gs := grammars(t)
	const n = 100
	words, stride := v.Words(), v.Words()+3
	memory := make([]uint32, n*stride)
	rows := core.Rows{Words: memory, Count: n, Stride: stride, Width: words}
	singles := make([]*core.Matcher, n)
	var b core.Batch
	for i := range n {
		m, err := core.NewMatcher(gs[i%len(gs)], core.MatcherOptions{})
		require.NoError(t, err)
		b.Items = append(b.Items, core.BatchItem{Matcher: m, Row: (i * 37) % n})
		singles[i], err = m.Fork()
		require.NoError(t, err)
	}
	d := dice(42)
	row := make([]uint32, words)
	for step := range 25 {
		for i := range memory {
			memory[i] = 0xABABABAB
		}
		b.Fill(rows, step%4)
		for i, it := range b.Items {
			require.NoError(t, it.Err)
			constrained, err := singles[i].Fill(row)
			require.NoError(t, err)
			require.Equal(t, constrained, it.Constrained)
			got := memory[it.Row*stride:][:stride]
			require.Equal(t, row, got[:words])
			require.Equal(t, []uint32{0xABABABAB, 0xABABABAB, 0xABABABAB}, got[words:])
			id := []int32{d.choose(t, row)}
			for _, m := range []*core.Matcher{it.Matcher, singles[i]} {
				k, err := m.Accept(id)
				require.NoError(t, err)
				require.Equal(t, 1, k)
			}
		}
	}
}

func TestBatchErrors(t *testing.T) {
	v, gs := grammars(t)
	matcher := func() *core.Matcher {
		m, err := core.NewMatcher(gs[0], core.MatcherOptions{})
		require.NoError(t, err)
		return m
	}
	one, stale := matcher(), core.Errorf(core.CodeHandle, "test", "stale")
	b := core.Batch{Items: []core.BatchItem{
		{Matcher: one, Row: 0},
		{Matcher: one, Row: 1},
		{Matcher: matcher(), Row: 0},
		{Matcher: matcher(), Row: 9},
		{Matcher: matcher(), Row: -1},
		{Row: 1, Err: stale},
		{Matcher: matcher(), Row: 2},
	}}
	memory := make([]uint32, 3*v.Words())
	b.Fill(core.Rows{Words: memory, Count: 3, Stride: v.Words(), Width: v.Words()}, 0)
	var codes []core.Code
	for _, it := range b.Items {
		if it.Err == nil {
			codes = append(codes, 0)
		} else {
			codes = append(codes, core.AsError(it.Err).Code)
		}
	}
	require.Equal(t, []core.Code{
		0, core.CodeBusy, core.CodeArgument, core.CodeArgument, core.CodeArgument, core.CodeHandle, 0,
	}, codes)
	require.Equal(t, make([]uint32, v.Words()), memory[v.Words():2*v.Words()], "a failed item's row is untouched")

	short := core.Batch{Items: []core.BatchItem{{Matcher: one}}}
	short.Fill(core.Rows{Words: memory, Count: 1, Stride: 1, Width: 1}, 0)
	require.Equal(t, core.CodeArgument, core.AsError(short.Items[0].Err).Code)
	short = core.Batch{Items: []core.BatchItem{{Matcher: one}}}
	short.Fill(core.Rows{Words: memory, Count: 1, Stride: v.Words(), Width: v.Words()}, 0)
	require.NoError(t, short.Items[0].Err, "a matcher is free again after its batch")
}

// Batches over different matchers of the same grammars run side by side.
func TestConcurrentBatches(t *testing.T) {
	v, gs := grammars(t)
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			d := dice(w + 1)
			const n = 40
			memory := make([]uint32, n*v.Words())
			var b core.Batch
			for i := range n {
				m, err := core.NewMatcher(gs[i%len(gs)], core.MatcherOptions{})
				if err != nil {
					t.Error(err)
					return
				}
				b.Items = append(b.Items, core.BatchItem{Matcher: m, Row: i})
			}
			for range 10 {
				b.Fill(core.Rows{Words: memory, Count: n, Stride: v.Words(), Width: v.Words()}, 0)
				for i, it := range b.Items {
					if it.Err != nil {
						t.Error(it.Err)
						return
					}
					id := d.choose(t, memory[i*v.Words():][:v.Words()])
					if k, err := it.Matcher.Accept([]int32{id}); k != 1 || err != nil {
						t.Errorf("token %d is in the mask, and Accept says %d, %v", id, k, err)
					}
				}
			}
		}()
	}
	wg.Wait()
}

// A step allocates nothing once its states have been met.
func TestStepAllocatesNothing(t *testing.T) {
	v, gs := grammars(t)
	m, err := core.NewMatcher(gs[0], core.MatcherOptions{})
	require.NoError(t, err)
	row := make([]uint32, v.Words())
	ids := []int32{'a', 'b', '1'}
	step := func() {
		if _, err := m.Fill(row); err != nil {
			t.Fatal(err)
		}
		if n, err := m.Accept(ids); n != len(ids) || err != nil {
			t.Fatal(n, err)
		}
		if _, err := m.Fill(row); err != nil {
			t.Fatal(err)
		}
		if err := m.Rollback(len(ids)); err != nil {
			t.Fatal(err)
		}
	}
	step()
	core.AwaitWarming()
	require.Zero(t, testing.AllocsPerRun(100, step))

	var b core.Batch
	for i := range 64 {
		f, err := m.Fork()
		require.NoError(t, err)
		b.Items = append(b.Items, core.BatchItem{Matcher: f, Row: i})
	}
	rows := core.Rows{Words: make([]uint32, 64*v.Words()), Count: 64, Stride: v.Words(), Width: v.Words()}
	b.Fill(rows, 0)
	core.AwaitWarming()
	require.Zero(t, testing.AllocsPerRun(100, func() { b.Fill(rows, 0) }))
}
