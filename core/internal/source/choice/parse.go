// Package choice reads the plainest constraint: a list of strings, one of which is the output.
//
// Invariant: the grammar is a single terminal, so a list of 100,000 costs a mask no more than a list of two. Start
// reading at Compile.
package choice

import (
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
	"github.com/sluice-engine/sluice/core/internal/work"
)

const sourceName = "choice"

// Parse reads a JSON list. Repeated strings are allowed. Errors are *diag.Error values with a JSON pointer, or with
// line and column if the text is not JSON. m counts the work.
func Parse(m *work.Meter, spec []byte) ([]string, error) {
	if list, ok := jsontext.Strings(string(spec), m); ok {
		return list, nil
	}
	tree := jsontext.Tree{Work: m}
	root, err := tree.Read(spec, sourceName)
	if err != nil {
		return nil, err
	}
	list := tree.Node(root)
	if list.Kind != jsontext.Array {
		return nil, wrong(&tree, root, `a choice must be a JSON list of strings such as ["yes", "no"], not `+
			"%s", list.Kind)
	}
	for c := range tree.From(list.First) {
		if n := tree.Node(c); n.Kind != jsontext.String {
			return nil, wrong(&tree, c, "every choice must be a string, not %s; write it as a string", n.Kind)
		}
	}
	return nil, wrong(&tree, root, "the list of choices is empty; give it at least one string")
}

func wrong(tree *jsontext.Tree, at jsontext.ID, format string, args ...any) error {
	e := diag.Errorf(diag.Invalid, sourceName, diag.At(tree.Pointer(at)), format, args...)
	e.Fragment = diag.Shorten(tree.Raw(at), limits.ChoiceFragment)
	return e
}

const lineWork = 2

// ParseLines reads one string from each line and ignores empty lines. Line ends, also "\r\n", are not part of strings.
// Errors are like Parse's.
func ParseLines(m *work.Meter, spec []byte) ([]string, error) {
	text := string(spec)
	fail := func(at int, message string) *diag.Error {
		return diag.Errorf(diag.Invalid, sourceName, diag.Place{}, "%s", message).InText(text, at)
	}
	if at := diag.InvalidUTF8(text); at >= 0 {
		return nil, fail(at, "choices must be UTF-8 text, but this byte is not part of a valid sequence")
	}
	if strings.HasPrefix(text, "\uFEFF") {
		return nil, fail(0, "the choices begin with a byte order mark (U+FEFF); remove it")
	}
	choices := make([]string, 0, 1+strings.Count(text, "\n"))
	for line := range strings.Lines(text) {
		m.Spend(lineWork + len(line)/16)
		line = strings.TrimSuffix(line, "\n")
		if line = strings.TrimSuffix(line, "\r"); line != "" {
			choices = append(choices, line)
		}
	}
	if len(choices) == 0 {
		return nil, fail(0, "all lines are empty; write one string on each line")
	}
	return choices, nil
}
