package regex

import (
	"slices"
	"unicode/utf8"
)

// Texts returns all texts of n, nil if there are more than most or if they depend on the surrounding text.
func (n *Node) Texts(most int) []string {
	if n.asserts {
		return nil
	}
	all := []string{""}
	switch n.Op {
	case OpEmpty:
	case OpLiteral:
		all[0] = n.Text
	case OpClass:
		all = nil
		for i := 0; i < len(n.Ranges); i += 2 {
			if lo, hi := n.Ranges[i], n.Ranges[i+1]; int(hi-lo) < most-len(all) && (hi < 0xD800 || lo > 0xDFFF) {
				for r := lo; r <= hi; r++ {
					all = append(all, string(r))
				}
				continue
			}
			return nil
		}
	case OpConcat:
		for _, s := range n.Subs {
			list := s.Texts(most)
			if len(all)*len(list) > most {
				return nil
			}
			var longer []string
			for _, x := range all {
				for _, y := range list {
					longer = append(longer, x+y)
				}
			}
			all = longer
		}
	case OpAlternate:
		all = nil
		for _, s := range n.Subs {
			list := s.Texts(most)
			if all = append(all, list...); list == nil || len(all) > most {
				return nil
			}
		}
	default:
		return nil
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Split returns the first part of a concatenation and the rest. It returns nil for other nodes, and if matches depend
// on the surrounding text.
func (n *Node) Split() (first, rest *Node) {
	if n.asserts || n.Op != OpConcat {
		return nil, nil
	}
	return n.Subs[0], concat(n.Subs[1].Pos, n.Subs[1:]...)
}

// One returns the class of n if n matches exactly one code point of a class.
func (n *Node) One() (ranges []rune, ok bool) {
	switch n.Op {
	case OpClass:
		return n.Ranges, true
	case OpLiteral:
		r, size := utf8.DecodeRuneInString(n.Text)
		return []rune{r, r}, size > 0 && size == len(n.Text)
	case OpAlternate:
		for _, s := range n.Subs {
			one, ok := s.One()
			if !ok {
				return nil, false
			}
			ranges = append(ranges, one...)
		}
		return ranges, true
	}
	return nil, false
}
