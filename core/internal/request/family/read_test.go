package family

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema"
)

// The styles of arguments equal the styles of structural tags.
func TestStylesOfArguments(t *testing.T) {
	require.ElementsMatch(t, append([]string{"json"}, jsonschema.Styles()...), styles)
}

// The library's files can be read, have the names of their families, and survive writing and reading.
func TestFilesAreRead(t *testing.T) {
	names, err := files.ReadDir("files")
	require.NoError(t, err)
	require.Len(t, List(), len(names))
	for i, f := range List() {
		require.Equal(t, f.Name+".json", names[i].Name())
		require.NotEmpty(t, f.Models)
		text, err := json.Marshal(f)
		require.NoError(t, err)
		again, err := Read(text)
		require.NoError(t, err)
		require.Equal(t, f, again)
		for _, name := range append([]string{f.Name}, f.Aliases...) {
			found, err := Find(name)
			require.NoError(t, err)
			require.Same(t, f, found)
		}
	}
}

func TestWhatIsWrongWithAFile(t *testing.T) {
	many := strings.Repeat(`, "$name$arguments"`, 8)
	const call = `"name": "x", "call": "<c>$name$arguments</c>"`
	for _, bad := range []struct{ text, pointer, says string }{
		{`{"name": "x"}`, "", `"call" is missing`},
		{`{"call": "$name$arguments"}`, "", `"name" is missing`},
		{`{` + call + `, "cal": 1}`, "/cal", "there is no such field here; did you mean call?"},
		{`{"name": "x", "call": "$name"}`, "/call", "must have $arguments once, and no $input"},
		{`{"name": "x", "call": "$arguments$name"}`, "/call", "$name must stand before"},
		{`{"name": "x", "call": "$name$name$arguments"}`, "/call", "must have $name at most once"},
		{`{"name": "x", "call": ["$name$arguments", "$nam$arguments"]}`, "/call/1", "$ must be followed by name"},
		{`{"name": "x", "call": "$name$arguments$input"}`, "/call", "must have $arguments once, and no $input"},
		{`{"name": "x", "call": []}`, "/call", "call must have at least one element"},
		{`{` + call + `, "input": "$name$arguments"}`, "/input", "must have $input once, and no $arguments"},
		{`{` + call + `, "arguments": "yaml"}`, "/arguments", "there is no such style of arguments; use one of json, "},
		{`{` + call + `, "needs": ["<t>"]}`, "/needs", `must also be in tokens, but "<t>" is not`},
		{`{` + call + `, "triggers": ["<d>"]}`, "/triggers", "every call must begin with one of"},
		{`{` + call + `, "triggers": ["<c>"], "content": {"begin": "a", "end": "b"}}`, "/triggers", "not have triggers"},
		{`{` + call + `, "lead": "s", "content": {"begin": "a", "end": "b"}}`, "/lead", "must not have a lead"},
		{`{` + call + `, "separator": "s"}`, "/separator", "must have a content; add it"},
		{`{` + call + `, "preamble": {"begin": "a", "end": "b"}}`, "/preamble", "must have a separator; add it"},
		{`{` + call + `, "content": {"begin": "a"}}`, "/content", `"end" is missing`},
		{`{` + call + `, "reasoning": {"begin": "a", "end": "b", "after": 1}}`, "/reasoning/after", "after must be a string"},
		{`{` + call + `, "calls": {"begin": "a"}}`, "/calls", `"end" is missing`},
		{`{` + call + `, "beside_text": "no"}`, "/beside_text", "must be true or false, not a string"},
		{`{` + call + `, "tokens": [1]}`, "/tokens/0", "every element of tokens must be a string with"},
		{`{` + call + `, "names": "("}`, "/names", "must be a regular expression (RE2)"},
		{`{` + call + `, "triggers": ["<c>$name"]}`, "/triggers", "beside_text must be false"},
		{`{"name": "a b", "call": "$name$arguments"}`, "/name", "must not contain spaces or braces"},
		{`{"name": "x", "call": ["$name$arguments"` + many + `]}`, "/call", "call has 9 elements, more than the limit of 8"},
		{`[]`, "", "a family must be an object, not an array"},
	} {
		_, err := Read([]byte(bad.text))
		var e *diag.Error
		require.True(t, errors.As(err, &e), bad.text)
		require.Equal(t, diag.Invalid, e.Code)
		require.Equal(t, bad.pointer, e.Place.Pointer, bad.text)
		require.Contains(t, e.Message, bad.says)
	}
	_, err := Read(make([]byte, 1<<20))
	var e *diag.Error
	require.True(t, errors.As(err, &e))
	require.Equal(t, diag.Limit, e.Code)
	_, err = Read([]byte(`{"name": "x", "name": "y", "call": "$name$arguments"}`))
	require.Error(t, err)
}

// allTokens is a vocabulary that has every text as a special token.
type allTokens struct{}

func (allTokens) Special(string) bool { return true }

func (allTokens) Has(string) bool { return true }

func FuzzRead(f *testing.F) {
	for _, x := range List() {
		text, err := json.Marshal(x)
		require.NoError(f, err)
		f.Add(text)
	}
	tools := []Tool{{Name: "a", Schema: "{}"}, {Name: "b", Schema: "true"}}
	f.Fuzz(func(t *testing.T, text []byte) {
		x, err := Read(text)
		if err != nil {
			return
		}
		for _, v := range []Vocabulary{nil, allTokens{}} {
			for c := Auto; c <= None; c++ {
				use := &Use{Tools: tools[:1+int(c)%2], Choice: c, Parallel: c%2 == 0, Reasoning: Thinking(c % 3)}
				if d, err := x.Document(use, v); err == nil {
					require.True(t, json.Valid(d.Text), "%s", d.Text)
				}
			}
		}
	})
}
