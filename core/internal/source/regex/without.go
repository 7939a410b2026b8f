package regex

import (
	"slices"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/source/charclass"
)

// withoutCharacters returns n for texts without the characters. It removes them from classes; a literal with one of
// them matches nothing.
func withoutCharacters(n *Node, characters string) *Node {
	c := *n
	switch n.Op {
	case OpLiteral:
		if strings.ContainsAny(n.Text, characters) {
			return class(n.Pos, nil)
		}
	case OpClass:
		c.Ranges = withoutRunes(n.Ranges, characters)
	default:
		c.Subs = slices.Clone(n.Subs)
		for i, s := range c.Subs {
			c.Subs[i] = withoutCharacters(s, characters)
		}
	}
	return &c
}

func withoutRunes(ranges []rune, characters string) []rune {
	var out []rune
	for _, r := range characters {
		out = append(out, r, r)
	}
	return charclass.Intersect(ranges, charclass.Complement(charclass.Normalize(out)))
}
