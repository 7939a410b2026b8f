package family

import (
	"encoding/json"
	"strings"
)

type partKind uint8

const (
	literal   partKind = iota // its own text
	name                      // the tool's name
	arguments                 // the arguments of the call, in the family's style
	input                     // the raw input of the call
	index                     // a number
	id                        // nine letters and digits
)

// words are the words of a template that stand for something.
var words = map[string]partKind{"name": name, "arguments": arguments, "input": input, "index": index, "id": id}

// toolName stands for the name of a tool, in templates and triggers.
const toolName = "$name"

type part struct {
	kind partKind
	text string
}

// Template is the format of one call: literal text with $name, $arguments, $input, $index and $id in it. Immutable.
type Template struct {
	text  string
	parts []part
}

// MarshalJSON writes the template as it stands in a file.
func (t Template) MarshalJSON() ([]byte, error) { return json.Marshal(t.text) }

// parseTemplate parses a template, and returns the error in it or "".
func parseTemplate(text string, content partKind) (t Template, wrong string) {
	t.text = text
	seen := map[partKind]int{}
	for rest := text; rest != ""; {
		i := strings.IndexByte(rest, '$')
		if i < 0 {
			t.parts = append(t.parts, part{literal, rest})
			break
		}
		if i > 0 {
			t.parts = append(t.parts, part{literal, rest[:i]})
		}
		rest = rest[i+1:]
		n := 0
		for n < len(rest) && rest[n] >= 'a' && rest[n] <= 'z' {
			n++
		}
		kind, known := words[rest[:n]]
		if !known {
			return t, "in a template, $ must be followed by name, arguments, input, index or id"
		}
		rest = rest[n:]
		t.parts = append(t.parts, part{kind: kind})
		if seen[kind]++; kind == name && seen[content] > 0 {
			return t, "in a template, $name must stand before $arguments or $input"
		}
	}
	other, must := input, "a template must have $arguments once, and no $input"
	if content == input {
		other, must = arguments, "a template must have $input once, and no $arguments"
	}
	switch {
	case seen[content] != 1 || seen[other] > 0:
		wrong = must
	case seen[name] > 1:
		wrong = "a template must have $name at most once"
	}
	return t, wrong
}

func (t *Template) named() bool {
	for _, p := range t.parts {
		if p.kind == name {
			return true
		}
	}
	return false
}

// head returns the text before everything that depends on the tool.
func (t *Template) head() string {
	if len(t.parts) > 0 && t.parts[0].kind == literal {
		return t.parts[0].text
	}
	return ""
}
