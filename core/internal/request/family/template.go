package family

import (
	"encoding/json"
	"strings"
)

// PartKind is the meaning of a part of a template.
type PartKind uint8

// The kinds of Part.
const (
	Literal   PartKind = iota // its own text
	ToolName                  // the tool's name
	Arguments                 // the arguments of the call, in the family's style
	Input                     // the raw input of the call
	Index                     // a number
	ID                        // nine letters and digits
)

// words are the words of a template that stand for something.
var words = map[string]PartKind{
	"name": ToolName, "arguments": Arguments, "input": Input, "index": Index, "id": ID,
}

// toolName stands for the name of a tool, in templates and triggers.
const toolName = "$name"

// Part is a piece of a template.
type Part struct {
	Kind PartKind
	Text string // of a Literal
}

// Template is the format of one call: literal text with $name, $arguments, $input, $index and $id in it. Immutable.
type Template struct {
	text  string
	parts []Part
}

// Parts returns the pieces of the template, in order. They must not be changed.
func (t *Template) Parts() []Part { return t.parts }

// MarshalJSON writes the template as it stands in a file.
func (t Template) MarshalJSON() ([]byte, error) { return json.Marshal(t.text) }

// parseTemplate parses a template, and returns the error in it or "".
func parseTemplate(text string, content PartKind) (t Template, wrong string) {
	t.text = text
	seen := map[PartKind]int{}
	for rest := text; rest != ""; {
		i := strings.IndexByte(rest, '$')
		if i < 0 {
			t.parts = append(t.parts, Part{Literal, rest})
			break
		}
		if i > 0 {
			t.parts = append(t.parts, Part{Literal, rest[:i]})
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
		t.parts = append(t.parts, Part{Kind: kind})
		if seen[kind]++; kind == ToolName && seen[content] > 0 {
			return t, "in a template, $name must stand before $arguments or $input"
		}
	}
	other, must := Input, "a template must have $arguments once, and no $input"
	if content == Input {
		other, must = Arguments, "a template must have $input once, and no $arguments"
	}
	switch {
	case seen[content] != 1 || seen[other] > 0:
		wrong = must
	case seen[ToolName] > 1:
		wrong = "a template must have $name at most once"
	}
	return t, wrong
}

func (t *Template) named() bool {
	for _, p := range t.parts {
		if p.Kind == ToolName {
			return true
		}
	}
	return false
}

// head returns the text before everything that depends on the tool.
func (t *Template) head() string {
	if len(t.parts) > 0 && t.parts[0].Kind == Literal {
		return t.parts[0].Text
	}
	return ""
}
