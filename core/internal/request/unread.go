package request

import (
	"slices"
	"strings"
	"unicode"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// A field with a constraint's name in a place that does not read it is an error: its author expects it to be enforced.

// constraintNames are the names of all fields that hold constraints in some place. "format" is left out, which does so
// only as an object, and "value", which holds anything elsewhere.
var constraintNames = []string{
	"json", "json_schema", "json_object", "regex", "choice", "grammar", "ebnf", "lark", "structural_tag", "guided_json",
	"guided_json_object", "guided_regex", "guided_choice", "guided_grammar", "guided_structural_tag", "grammars",
	"response_format", "output_format", "structured_outputs", "guided_decoding", "guided_decoding_params",
	"guided_decoding_guide", "guided_decoding_guide_type", "schema", "pattern", "response_schema",
	"response_json_schema", "response_mime_type", "lark_grammar", "input_schema", "parameters_json_schema",
}

// constraintWords are words that stand in names of constraints alone.
var constraintWords = []string{
	"schema", "schemas", "grammar", "grammars", "guided", "regex", "ebnf", "gbnf", "lark", "structured", "structural",
	"constraint", "constraints",
}

// settingWords are last words of names of settings about a constraint.
var settingWords = []string{"backend", "name", "id", "version", "description"}

// unrelated are names of fields with any content that does not concern the form of the output: prompts, and SGLang's
// ends of outputs.
var unrelated = []string{"messages", "input", "contents", "metadata", "chat_template_kwargs", "stop_regex"}

// unread refuses members of an object that name a constraint, except the given ones.
func (r *reader) unread(object jsontext.ID, read ...string) {
	for c := range r.tree.Children(object) {
		if n := r.tree.Node(c); !slices.Contains(read, n.Key) && r.constrains(c) {
			hint := "put the constraint into response_format, or"
			if meant := misspelled(wordsOf(n.Key)); meant != "" {
				hint = "did you mean " + meant + "? If not,"
			}
			r.wrong(c, "%s is not read here and would not be enforced; %s remove this field", diag.Shorten(n.Key, 40),
				hint)
		}
	}
}

// unreadAround is unread for a request or an object of places, and for the objects in it that nothing reads.
func (r *reader) unreadAround(object jsontext.ID) {
	read := slices.Concat(framed, nests, places, parameters, geminiNames,
		[]string{"guided_decoding_guide_type", "guided_decoding_guide", "functions", "function_call"})
	for _, f := range slices.Concat(direct, formats) {
		read = append(read, f.name)
	}
	if r.tree.Node(object).Parent == 0 {
		read = append(read, "tools", "tool_choice")
	}
	r.unread(object, read...)
	for c := range r.tree.Children(object) {
		n := r.tree.Node(c)
		switch {
		case slices.Contains(read, n.Key) || slices.Contains(unrelated, n.Key):
		case slices.Contains([]string{"tools", "tool_choice", "toolConfig", "tool_config"}, n.Key):
			r.failure(diag.Unsupported, c, "%s is not read here; put tools and tool_choice at the top level of the "+
				"request", n.Key)
		case n.Kind == jsontext.Object:
			r.unread(c)
		}
	}
}

// constrains reports whether the name of a member says that it constrains an output.
func (r *reader) constrains(member jsontext.ID) bool {
	n := r.tree.Node(member)
	if n.Kind == jsontext.Null || n.Kind == jsontext.False || n.Kind == jsontext.String && n.Text == "" ||
		slices.Contains(unrelated, n.Key) || strings.HasPrefix(n.Key, "$") {
		return false
	}
	words := wordsOf(n.Key)
	if n.Key == "format" && n.Kind == jsontext.Object || slices.Contains(constraintNames, strings.Join(words, "_")) {
		return true
	}
	if len(words) == 0 || n.Kind == jsontext.True || n.Kind == jsontext.Number ||
		slices.Contains(settingWords, words[len(words)-1]) {
		return false
	}
	return misspelled(words) != "" ||
		slices.ContainsFunc(words, func(word string) bool { return slices.Contains(constraintWords, word) })
}

// misspelled returns the name of a constraint that some words spell with typing errors, or "". Short names resemble
// too many others.
func misspelled(words []string) string {
	name := strings.Join(words, "_")
	meant, ok := diag.Nearest(name, constraintNames)
	if !ok || meant == name || len(meant) < 5 {
		return ""
	}
	return meant
}

// wordsOf returns the words of a name with underscores, hyphens or capitals, in lower case.
func wordsOf(name string) []string {
	var spaced strings.Builder
	for _, c := range diag.Shorten(name, 100) {
		switch {
		case c == '_' || c == '-' || c == '.':
			c = ' '
		case unicode.IsUpper(c):
			spaced.WriteByte(' ')
		}
		spaced.WriteRune(unicode.ToLower(c))
	}
	return strings.Fields(spaced.String())
}
