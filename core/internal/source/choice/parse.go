// Package choice reads the plainest constraint: a JSON list of strings, of which the output is one, exactly.
//
// Invariant: the grammar is a single terminal, a trie of the strings, so a list of 100,000 costs a mask no more than a
// list of two. The package must not know how strings are matched. Start reading at Compile.
package choice

import (
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
	"github.com/sluice-engine/sluice/core/internal/work"
)

const sourceName = "choice"

// Parse reads the list. A string that comes twice is the same choice. Errors are *diag.Error values with a JSON
// pointer, or with line and column where the text is no JSON. m counts the work.
func Parse(m *work.Meter, spec []byte) ([]string, error) {
	tree := jsontext.Tree{Work: m}
	root, err := tree.Read(spec, sourceName)
	if err != nil {
		return nil, err
	}
	list := tree.Node(root)
	if list.Kind != jsontext.Array {
		return nil, wrong(&tree, root, `a choice is a JSON list of strings such as ["yes", "no"], not %s`, list.Kind)
	}
	if list.Count == 0 {
		return nil, wrong(&tree, root, "an empty list leaves nothing to choose; give it at least one string")
	}
	choices := make([]string, 0, list.Count)
	for c := range tree.From(list.First) {
		n := tree.Node(c)
		if n.Kind != jsontext.String {
			return nil, wrong(&tree, c, "every choice is a string, not %s; put it in double quotes", n.Kind)
		}
		choices = append(choices, n.Text)
	}
	return choices, nil
}

func wrong(tree *jsontext.Tree, at jsontext.ID, format string, args ...any) error {
	e := diag.Errorf(diag.Invalid, sourceName, diag.At(tree.Pointer(at)), format, args...)
	e.Fragment = diag.Shorten(tree.Raw(at), limits.ChoiceFragment)
	return e
}
