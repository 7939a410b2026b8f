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

// The styles of arguments are those of structural tags.
func TestStylesOfArguments(t *testing.T) {
	require.ElementsMatch(t, append([]string{"json"}, jsonschema.Styles()...), styles)
}

// The files of the library are read, each under the name of its file, and what they say survives writing.
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
		{`{` + call + `, "cal": 1}`, "/cal", "there is no such field here; there are aliases, arguments"},
		{`{"name": "x", "call": "$name"}`, "/call", "it has $arguments once"},
		{`{"name": "x", "call": "$arguments$name"}`, "/call", "the name stands before"},
		{`{"name": "x", "call": "$name$name$arguments"}`, "/call", "it has $name once"},
		{`{"name": "x", "call": ["$name$arguments", "$nam$arguments"]}`, "/call/1", "a $ stands before one of"},
		{`{"name": "x", "call": "$name$arguments$input"}`, "/call", "it has $arguments once"},
		{`{"name": "x", "call": []}`, "/call", "at least one element"},
		{`{` + call + `, "input": "$name$arguments"}`, "/input", "it has $input once"},
		{`{` + call + `, "arguments": "yaml"}`, "/arguments", "there is no such style"},
		{`{` + call + `, "needs": ["<t>"]}`, "/needs", "each of them is one of the tokens"},
		{`{` + call + `, "triggers": ["<d>"]}`, "/triggers", "calls begin with one of them"},
		{`{` + call + `, "triggers": ["<c>"], "content": {"begin": "a", "end": "b"}}`, "/triggers", "has no triggers"},
		{`{` + call + `, "lead": "s", "content": {"begin": "a", "end": "b"}}`, "/lead", "does not lead to calls"},
		{`{` + call + `, "separator": "s"}`, "/separator", "messages have a content"},
		{`{` + call + `, "preamble": {"begin": "a", "end": "b"}}`, "/preamble", "it needs a separator"},
		{`{` + call + `, "content": {"begin": "a"}}`, "/content", `"end" is missing`},
		{`{` + call + `, "reasoning": {"begin": "a", "end": "b", "after": 1}}`, "/reasoning/after", "this is a string"},
		{`{` + call + `, "calls": {"begin": "a"}}`, "/calls", `"end" is missing`},
		{`{` + call + `, "beside_text": "no"}`, "/beside_text", "true or false"},
		{`{` + call + `, "tokens": [1]}`, "/tokens/0", "a string with at least one character"},
		{`{` + call + `, "names": "("}`, "/names", "no regular expression"},
		{`{` + call + `, "triggers": ["<c>$name"]}`, "/triggers", "beside_text must be false"},
		{`{"name": "a b", "call": "$name$arguments"}`, "/name", "neither spaces nor braces"},
		{`{"name": "x", "call": ["$name$arguments"` + many + `]}`, "/call", "at most 8"},
		{`[]`, "", "this is an object"},
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
