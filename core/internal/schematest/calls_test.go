package schematest

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// callTools are offered to every family.
const callTools = `{"tools": [
	{"type": "function", "function": {"name": "get_weather", "parameters": {"type": "object", "properties": {
		"city": {"type": "string"}, "n": {"type": "integer"}, "on": {"type": ["boolean", "null"]},
		"tags": {"type": "array", "items": {"type": "string"}}, "any": {"type": ["string", "integer"]},
		"at": {"type": "object", "properties": {"x": {"type": "number"}, "name": {"$ref": "#/$defs/name"}},
			"additionalProperties": false}
	}, "$defs": {"name": {"type": "string"}}, "additionalProperties": false}}},
	{"type": "function", "function": {"name": "f2", "parameters": {"type": "object", "properties": {},
		"additionalProperties": false}}}
]}`

type writtenCall struct {
	Name      string
	Arguments any
}

// familyWriter writes outputs by a family's file, and asks no reader.
type familyWriter struct {
	Call    any
	Calls   *struct{ Begin, Separator, End any }
	Content *struct {
		Begin, End any
		Opened     bool
	}
	Reasoning *struct{ Begin, End, After any }
	Arguments string
	Separator string
	Finish    string
	Besides   *bool `json:"beside_text"`
}

func (w *familyWriter) one(r *rand.Rand, list any) string {
	switch x := list.(type) {
	case string:
		return x
	case []any:
		return x[r.Intn(len(x))].(string)
	}
	return ""
}

func (w *familyWriter) arguments(r *rand.Rand, value any) string {
	if w.Arguments == "json" {
		text, _ := json.Marshal(value)
		return string(text)
	}
	i := slices.IndexFunc(tagStyles, func(s *tagStyle) bool {
		return s.name == w.Arguments || w.Arguments == "mimo_xml" && s.name == "minimax_xml"
	})
	s := *tagStyles[i]
	if w.Arguments == "mimo_xml" {
		s.write = tagStyles[0].write
	}
	return s.body(r, value)
}

func (w *familyWriter) call(r *rand.Rand, c writtenCall) string {
	return strings.NewReplacer("$name", c.Name, "$index", fmt.Sprint(r.Intn(20)), "$id", "a1B2c3D4e", "$arguments",
		w.arguments(r, c.Arguments)).Replace(w.one(r, w.Call))
}

// output writes text and calls, and returns the text for the user.
func (w *familyWriter) output(r *rand.Rand, calls []writtenCall, thought string) (out, text string) {
	var parts []string
	for _, c := range calls {
		parts = append(parts, w.call(r, c))
	}
	text = []string{"", "Let me see. ", "a < b & {"}[r.Intn(3)]
	body := strings.Join(parts, "")
	if w.Calls != nil && len(calls) > 0 {
		body = w.one(r, w.Calls.Begin) + strings.Join(parts, w.one(r, w.Calls.Separator)) + w.one(r, w.Calls.End)
	}
	begin := ""
	if w.Content != nil && (thought != "" || !w.Content.Opened) {
		begin = w.one(r, w.Content.Begin)
	}
	switch {
	case w.Separator != "": // messages
		body = strings.Join(parts, w.Separator)
		if len(calls) == 0 {
			body = begin + text + w.one(r, w.Content.End)
		} else {
			text = ""
		}
	case w.Content != nil && (w.Besides == nil || *w.Besides || len(calls) == 0):
		body = begin + text + w.one(r, w.Content.End) + body
	case w.Content == nil && (w.Besides == nil || *w.Besides || len(calls) == 0):
		body = text + body
	default:
		text = ""
	}
	if thought != "" {
		after := w.one(r, w.Reasoning.After)
		if w.Separator != "" {
			after = w.Separator
		}
		body = w.one(r, w.Reasoning.Begin) + thought + w.one(r, w.Reasoning.End) + after + body
	}
	return body + w.Finish, text
}

func randomCall(r *rand.Rand) writtenCall {
	if r.Intn(4) == 0 {
		return writtenCall{"f2", map[string]any{}}
	}
	text := func() any { return testkit.SchemaStrings[r.Intn(len(testkit.SchemaStrings))] }
	all := map[string]any{
		"city": text(), "n": json.Number(fmt.Sprint(r.Intn(99) - 9)), "on": []any{true, false, nil}[r.Intn(3)],
		"tags": []any{text(), text()}[:r.Intn(3)], "any": []any{json.Number("5"), "five", "{x", "tru", "5 a"}[r.Intn(5)],
		"at": map[string]any{"x": json.Number("-1.5"), "name": text()},
	}
	for _, k := range slices.Sorted(maps.Keys(all)) {
		if r.Intn(2) == 0 {
			delete(all, k)
		}
	}
	return writtenCall{"get_weather", all}
}

// listener keeps the events of one matcher as a server would.
type listener struct {
	m    *core.Matcher
	list []core.Event
}

func (l *listener) listen(t *testing.T, final bool) {
	all, err := l.m.Events(nil, final)
	require.NoError(t, err)
	for _, e := range all {
		if e.Kind == core.RewindEvent {
			require.Less(t, e.Kept, len(l.list))
			l.list = l.list[:e.Kept]
			continue
		}
		l.list = append(l.list, e)
	}
}

func (l *listener) outcome(t *testing.T) (calls []writtenCall, text, thought string) {
	var names []string
	var arguments []string
	for _, e := range l.list {
		switch {
		case e.Kind == core.TextEvent:
			text += e.Text
		case e.Kind == core.ReasoningEvent:
			thought += e.Text
		case e.Kind == core.CallEvent && e.Begins:
			require.Len(t, names, e.Call)
			names, arguments = append(names, e.Text), append(arguments, "")
		case e.Kind == core.CallEvent:
			calls = append(calls, writtenCall{names[e.Call], testkit.Decode([]byte(arguments[e.Call]))})
		default:
			arguments[e.Call] += e.JSON
		}
	}
	require.Equal(t, len(names), len(calls))
	return calls, text, thought
}

// A writer knows the family's file alone. The outputs that the family's grammar allows are read back as the calls that
// were written: in pieces, with steps taken back, and by forks.
func TestCallsAreReadBack(t *testing.T) {
	r := testkit.Seeded(t, 93)
	v := testVocabulary(t)
	compiler := core.NewCompiler(v, core.CompilerConfig{WarmBytes: -1})
	read := map[string]int{}
	for _, f := range core.Families() {
		w := &familyWriter{}
		require.NoError(t, json.Unmarshal(f.File, w))
		if f.Name == "arguments" || len(f.Needs) > 0 && !hasAll(v, f.Needs) {
			continue
		}
		grammars := map[bool]*core.Grammar{}
		for _, thinks := range []bool{false, true} {
			o := &core.Options{Family: f.Name}
			if thinks && w.Reasoning != nil {
				o.Reasoning = "on"
			}
			body := callTools
			if f.Name == "json_list" {
				body = strings.Replace(body, "{", `{"tool_choice": "required",`, 1)
			}
			g, err := compiler.Compile(core.Request, []byte(body), o)
			require.NoError(t, err, f.Name)
			grammars[thinks] = g
		}
		for range max(testkit.Rounds(150, 3000), 100) {
			thought := ""
			if w.Reasoning != nil && r.Intn(3) == 0 {
				thought = "I think, so < a"
			}
			var calls []writtenCall
			for range r.Intn(4) {
				calls = append(calls, randomCall(r))
			}
			if len(calls) == 0 && f.Name == "json_list" {
				continue
			}
			text, shown := w.output(r, calls, thought)
			if readBack(t, r, grammars[thought != ""], text, calls, shown, thought) {
				read[f.Name] += len(calls)
			}
		}
		require.NotZero(t, read[f.Name], f.Name)
	}
	t.Log(read)
}

func hasAll(v *core.Vocabulary, texts []string) bool {
	return !slices.ContainsFunc(texts, func(s string) bool {
		_, ok := v.TokenID(s)
		return !ok
	})
}

// testVocabulary has all bytes, and the marks of all families as added tokens.
func testVocabulary(t *testing.T) *core.Vocabulary {
	var c core.VocabularyConfig
	for b := range 256 {
		c.Tokens = append(c.Tokens, []byte{byte(b)})
	}
	seen := map[string]bool{}
	for _, f := range core.Families() {
		for _, mark := range f.Tokens {
			if !seen[mark] {
				seen[mark] = true
				c.Added = append(c.Added, uint32(len(c.Tokens)))
				c.Tokens = append(c.Tokens, []byte(mark))
			}
		}
	}
	c.EndTokens = []uint32{uint32(len(c.Tokens))}
	c.Special = c.EndTokens
	c.Tokens = append(c.Tokens, []byte("<the end>"))
	v, err := core.NewVocabulary(c)
	require.NoError(t, err)
	return v
}

// readBack reports whether the grammar has the text, and compares its events with the calls that were written.
func readBack(t *testing.T, r *rand.Rand, g *core.Grammar, text string, calls []writtenCall, shown, thought string) bool {
	t.Helper()
	m, err := core.NewMatcher(g, core.MatcherOptions{KeepOutput: true})
	require.NoError(t, err)
	l := &listener{m: m}
	left, likely := text, r.Intn(3)
	for steps := []int{}; left != ""; {
		n := 1 + r.Intn(min(len(left), 9))
		ok, err := l.m.AcceptBytes([]byte(left[:n]))
		require.NoError(t, err)
		if !ok {
			return false
		}
		steps, left = append(steps, n), left[n:]
		if r.Intn(3) <= likely {
			l.listen(t, r.Intn(20) == 0)
		}
		switch r.Intn(12) {
		case 0:
			back := r.Intn(len(steps) + 1)
			require.NoError(t, l.m.Rollback(back))
			for _, n := range steps[len(steps)-back:] {
				left = text[len(text)-len(left)-n:]
			}
			steps = steps[:len(steps)-back]
		case 1:
			f, err := l.m.Fork()
			require.NoError(t, err)
			other := &listener{m: l.m, list: slices.Clone(l.list)}
			_, err = other.m.AcceptBytes([]byte("{\""))
			require.NoError(t, err)
			other.listen(t, true)
			l.m = f
		}
	}
	require.True(t, m.Completed() || l.m.Completed(), "%q", text)
	l.listen(t, true)
	got, said, mused := l.outcome(t)
	require.Equal(t, len(calls), len(got), "%q", text)
	for i := range calls {
		require.Equal(t, calls[i].Name, got[i].Name, "%q", text)
		want, _ := json.Marshal(calls[i].Arguments)
		require.Equal(t, testkit.Decode(want), got[i].Arguments, "%q", text)
	}
	require.Equal(t, shown, said, "%q", text)
	require.Equal(t, thought, mused, "%q", text)
	return true
}
