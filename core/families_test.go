package core_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// familyCases are outputs of models of one family that their public parsers accept: testdata/families/*.json.
type familyCases struct {
	Family string `json:"family"`
	Cases  []struct {
		Name      string          `json:"name"`
		Request   json.RawMessage `json:"request"` // merged into the usual one
		Reasoning string          `json:"reasoning"`
		Accept    []string        `json:"accept"`
		Reject    []string        `json:"reject"`
	} `json:"cases"`
}

// usualTools are the tools of cases without tools of their own.
const usualTools = `{
	"tools": [
		{"type": "function", "function": {"name": "f", "parameters": {
			"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"],
			"additionalProperties": false}}},
		{"type": "function", "function": {"name": "g", "parameters": {
			"type": "object", "properties": {"n": {"type": "integer"}}, "additionalProperties": false}}}
	]
}`

func loadFamilyCases(t *testing.T) (all []familyCases) {
	files, err := filepath.Glob("testdata/families/*.json")
	require.NoError(t, err)
	for _, f := range files {
		data, err := os.ReadFile(f)
		require.NoError(t, err)
		var c familyCases
		readStrictly(t, data, &c)
		require.Equal(t, c.Family+".json", filepath.Base(f))
		all = append(all, c)
	}
	return all
}

// familyVocabulary has all bytes, some words, the given tokens, special or added, and an end token.
func familyVocabulary(t testing.TB, tokens []string, special bool) *core.Vocabulary {
	var c core.VocabularyConfig
	for b := range 256 {
		c.Tokens = append(c.Tokens, []byte{byte(b)})
	}
	for _, text := range []string{`{"`, `": `, `"name`, `tool`, `": "`, `"}`, "\n\n", "<", "</"} {
		c.Tokens = append(c.Tokens, []byte(text))
	}
	for _, text := range tokens {
		if special {
			c.Special = append(c.Special, uint32(len(c.Tokens)))
		} else {
			c.Added = append(c.Added, uint32(len(c.Tokens)))
		}
		c.Tokens = append(c.Tokens, []byte(text))
	}
	end := uint32(len(c.Tokens))
	c.Tokens = append(c.Tokens, []byte("<the end>"))
	c.Special, c.EndTokens = append(c.Special, end), []uint32{end}
	v, err := core.NewVocabulary(c)
	require.NoError(t, err)
	return v
}

// encode splits a text at the tokens, longest first, and the rest into bytes.
func encode(v *core.Vocabulary, tokens []string, text string) (ids []int32) {
	longest := slices.Clone(tokens)
	slices.SortFunc(longest, func(a, b string) int { return len(b) - len(a) })
	for text != "" {
		i := slices.IndexFunc(longest, func(t string) bool { return strings.HasPrefix(text, t) })
		if i < 0 {
			ids, text = append(ids, int32(text[0])), text[1:]
			continue
		}
		id, _ := v.TokenID(longest[i])
		ids, text = append(ids, int32(id)), text[len(longest[i]):]
	}
	return ids
}

// accepts feeds tokens one by one and compares each with its mask.
func accepts(t *testing.T, g *core.Grammar, ids []int32) bool {
	m, err := core.NewMatcher(g, core.MatcherOptions{})
	require.NoError(t, err)
	row := make([]uint32, g.Vocabulary().Words())
	for _, id := range ids {
		_, err := m.Fill(row)
		require.NoError(t, err)
		n, err := m.Accept([]int32{id})
		require.NoError(t, err)
		require.Equal(t, n == 1, row[id>>5]>>(id&31)&1 == 1, "mask and accept differ")
		if n == 0 {
			return false
		}
	}
	return m.Completed()
}

// merged returns the usual request with the members of another.
func merged(t *testing.T, with json.RawMessage) []byte {
	var all map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(usualTools), &all))
	if with != nil {
		require.NoError(t, json.Unmarshal(with, &all))
	}
	out, err := json.Marshal(all)
	require.NoError(t, err)
	return out
}

// Every family accepts exactly the texts that its parser accepts, in vocabularies with its marks as special tokens, as
// added ones, and, unless the family needs tokens, as text.
func TestFamilies(t *testing.T) {
	testkit.Alone(t)
	tokens := map[string][]string{}
	needs := map[string][]string{}
	for _, f := range core.Families() {
		tokens[f.Name], needs[f.Name] = f.Tokens, f.Needs
	}
	seen := map[string]bool{}
	for _, c := range loadFamilyCases(t) {
		require.Contains(t, tokens, c.Family)
		seen[c.Family] = true
		for _, kind := range []string{"special", "added", "text"} {
			list := tokens[c.Family]
			if kind == "text" {
				if list = nil; len(needs[c.Family]) > 0 {
					continue
				}
			}
			v := familyVocabulary(t, list, kind == "special")
			compiler := core.NewCompiler(v, core.CompilerConfig{})
			for _, x := range c.Cases {
				t.Run(c.Family+"/"+kind+"/"+x.Name, func(t *testing.T) {
					o := &core.Options{Family: c.Family, Reasoning: x.Reasoning}
					g, err := compiler.Compile(core.Request, merged(t, x.Request), o)
					require.NoError(t, err)
					for _, text := range x.Accept {
						require.True(t, accepts(t, g, encode(v, list, text)), "must be accepted: %s", text)
					}
					for _, text := range x.Reject {
						require.False(t, accepts(t, g, encode(v, list, text)), "must be rejected: %s", text)
					}
				})
			}
		}
	}
	for name := range tokens {
		require.True(t, seen[name], "the family %s has no cases", name)
	}
}

// If the vocabulary has a mark as a special token, text with the same spelling is no mark.
func TestMarksThatAreTokensAreNotText(t *testing.T) {
	testkit.Alone(t)
	for _, f := range core.Families() {
		if len(f.Needs) == 0 {
			continue
		}
		v := familyVocabulary(t, f.Tokens, true)
		compiler := core.NewCompiler(v, core.CompilerConfig{})
		g, err := compiler.Compile(core.Request, merged(t, nil), &core.Options{Family: f.Name})
		require.NoError(t, err)
		for _, mark := range f.Needs {
			m, err := core.NewMatcher(g, core.MatcherOptions{})
			require.NoError(t, err)
			ids := encode(v, nil, mark)
			n, err := m.Accept(ids)
			require.NoError(t, err)
			require.Less(t, n, len(ids), "%s: %s may be spelled", f.Name, mark)
		}
	}
}

// A call of Mistral's has no id, with or without the token before it in the vocabulary: readers take an id for the
// name.
func TestCallsOfMistralHaveNoID(t *testing.T) {
	const plain, with = `[TOOL_CALLS]g[ARGS]{}`, `[TOOL_CALLS]g[CALL_ID]a1B2c3D4e[ARGS]{}`
	for _, tokens := range [][]string{{"[TOOL_CALLS]", "[ARGS]"}, {"[TOOL_CALLS]", "[ARGS]", "[CALL_ID]"}} {
		v := familyVocabulary(t, tokens, true)
		compiler := core.NewCompiler(v, core.CompilerConfig{})
		g, err := compiler.Compile(core.Request, merged(t, nil), &core.Options{Family: "mistral_v11"})
		require.NoError(t, err)
		require.True(t, accepts(t, g, encode(v, tokens, plain)))
		require.False(t, accepts(t, g, encode(v, tokens, with)))
	}
}

// A vocabulary without a token that the family needs belongs to another model.
func TestFamiliesNeedTheirTokens(t *testing.T) {
	testkit.Alone(t)
	for _, f := range core.Families() {
		for _, missing := range f.Needs {
			rest := slices.DeleteFunc(slices.Clone(f.Tokens), func(s string) bool { return s == missing })
			compiler := core.NewCompiler(familyVocabulary(t, rest, true), core.CompilerConfig{})
			_, err := compiler.Compile(core.Request, merged(t, nil), &core.Options{Family: f.Name})
			require.Equal(t, core.CodeArgument, core.AsError(err).Code)
			require.Contains(t, err.Error(), missing)
		}
	}
}
