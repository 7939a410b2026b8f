package structag

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// bareText reads the schema of a string in a style whose outermost value it is: the tag around it opens and closes the
// value, as readers of tool calls write a tag for each argument, so the value is free text without the end of that tag,
// or one of the texts that are listed. It reports false, and changes nothing, for any other schema, and for one that
// says more of the string than its greatest length: what such a value may be depends on the style alone.
func (r *reader) bareText(f *Format, schema jsontext.ID, excludes []string) bool {
	if r.tree.Kind(schema) != jsontext.Object {
		return false
	}
	isString, most, listed := false, uint32(grammar.Unbounded), jsontext.ID(0)
	for id := r.tree.Node(schema).First; id != 0; id = r.tree.Node(id).Next {
		switch n := r.tree.Node(id); n.Key {
		case "type":
			if isString = n.Kind == jsontext.String && n.Text == "string"; !isString {
				return false
			}
		case "enum":
			listed = id
		case "maxLength":
			bound, err := strconv.ParseUint(n.Text, 10, 32)
			if n.Kind != jsontext.Number || err != nil || bound > limits.RuleRepeat {
				return false
			}
			most = uint32(bound)
		case "title", "description", "default", "examples", "deprecated", "$comment":
		default:
			return false
		}
	}
	if listed == 0 {
		f.Kind, f.MaxChars, f.Excludes = AnyText, most, excludes
		return isString
	}
	return (isString || r.onlyStrings(listed)) && most == grammar.Unbounded && r.bareTexts(f, listed, excludes)
}

// onlyStrings reports whether a list holds nothing but strings.
func (r *reader) onlyStrings(list jsontext.ID) bool {
	for id := r.tree.Node(list).First; id != 0; id = r.tree.Node(id).Next {
		if r.tree.Kind(id) != jsontext.String {
			return false
		}
	}
	return true
}

// bareTexts makes f one of the strings of a list, without those in which something excluded occurs. Values of other
// types are no strings, and fall away.
func (r *reader) bareTexts(f *Format, list jsontext.ID, excludes []string) bool {
	var subs []*Format
	for id := r.tree.Node(list).First; id != 0; id = r.tree.Node(id).Next {
		n := r.tree.Node(id)
		unclean := slices.ContainsFunc(excludes, func(x string) bool { return strings.Contains(n.Text, x) })
		if n.Kind == jsontext.String && n.Text != "" && !unclean {
			subs = append(subs, &Format{Kind: ConstString, Pointer: r.tree.Pointer(id), Text: n.Text})
		}
	}
	if r.tree.Kind(list) != jsontext.Array || len(subs) == 0 {
		return false
	}
	f.Kind, f.Subs = Or, subs
	return true
}
