package rules

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/regex"
)

// A lazy rule of any text up to strings equals any text with these strings as its suffix, so it can end when its
// tokens are spent. Other lazy rules cannot: no option says which part of them may be missing.

// Uncut is the note about a lazy rule that does not end when its tokens are spent.
const Uncut = "max_tokens does not end this lazy rule, which goes on until its end occurs. It ends only rules of " +
	"any text up to strings that neither begin within one another nor end as they begin"

// CutLazy gives that form to lazy rules with a limit of tokens, after the rest of the tree is built. It returns the
// places of rules that begin with any text and do not have the form.
func (t *Tree) CutLazy() (uncut []int) {
	for _, n := range t.scopedNodes() {
		if n.Scope.MaxTokens == 0 || n.Scope.Cut || n.Subs[0].Kind != Shortest {
			continue
		}
		body, end := t.anyUpTo(n.Subs[0].Subs[0])
		if end == nil {
			if body != nil {
				uncut = append(uncut, n.At)
			}
			continue
		}
		o := Options{MaxTokens: n.Scope.MaxTokens, End: end}
		cut := t.limitedUpTo(n.At, &o, body)
		if !n.Scope.Heated {
			n.Special, n.Subs = cut.Special, cut.Subs
			continue
		}
		n.Special, n.Subs = &Special{Scope: &grammar.Scope{Temperature: n.Scope.Temperature, Heated: true}}, []*Node{cut}
	}
	return uncut
}

// anyUpTo returns n as any text and an end. body is nil if n does not begin with any text, end if no strings follow.
func (t *Tree) anyUpTo(n *Node) (body, end *Node) {
	parts := t.flat(n, 0, nil)
	if len(parts) == 0 {
		return nil, nil
	}
	texts := []string{""}
	switch first := parts[0]; {
	case t.isAny(first):
		body = first
	case first.Kind == Pattern && !first.JSONString:
		head, rest := first.Regex.Split()
		if head == nil {
			return nil, nil
		}
		body = t.Node(Node{Kind: Pattern, At: first.At, Text: first.Text, Special: &Special{Regex: head}})
		if texts = rest.Texts(limits.RuleLazyEnds); !t.isAny(body) {
			return nil, nil
		}
	default:
		return nil, nil
	}
	for _, part := range parts[1:] {
		texts = product(texts, t.allTexts(part, 0, t.work))
	}
	slices.Sort(texts)
	texts = slices.Compact(texts)
	if len(texts) == 0 || len(texts) > limits.RuleLazyEnds || overlap(texts) {
		return body, nil
	}
	ends := make([]*Node, len(texts))
	for i, text := range texts {
		ends[i] = t.Node(Node{Kind: Text, At: n.At, Text: text})
	}
	return body, t.Choice(n.At, ends...)
}

// overlap reports whether one of the texts is empty or begins within another one or itself.
func overlap(texts []string) bool {
	for i, a := range texts {
		for j, b := range texts {
			if b == "" || i != j && strings.HasPrefix(a, b) {
				return true
			}
			for k := 1; k < len(a); k++ {
				if strings.HasPrefix(a[k:], b) || strings.HasPrefix(b, a[k:]) {
					return true
				}
			}
		}
	}
	return false
}

// isAny reports whether n is any text. It may return false for any text in an unusual form.
func (t *Tree) isAny(n *Node) bool {
	n = t.resolved(n)
	switch {
	case n.Kind == Repeat && n.Min == 0 && n.Max == grammar.Unbounded:
		return t.isAnyOne(n.Subs[0])
	case n.Kind == Pattern && !n.JSONString:
		r := n.Regex
		if r.Op != regex.OpRepeat || r.Min != 0 || r.Max != grammar.Unbounded {
			return false
		}
		one, ok := r.Subs[0].One()
		return ok && all(one)
	}
	return false
}

func (t *Tree) isAnyOne(n *Node) bool {
	n = t.resolved(n)
	list := []*Node{n}
	if n.Kind == Alt {
		list = n.Subs
	}
	var pairs []rune
	for _, sub := range list {
		switch sub = t.resolved(sub); sub.Kind {
		case Class:
			pairs = append(pairs, sub.Pairs...)
		case Text:
			if r, size := utf8.DecodeRuneInString(sub.Text); size == len(sub.Text) {
				pairs = append(pairs, r, r)
			}
		case Pattern:
			if one, ok := sub.Regex.One(); ok && !sub.JSONString {
				pairs = append(pairs, one...)
			}
		}
	}
	return all(pairs)
}

func all(pairs []rune) bool { return len(Complement(Normal(pairs))) == 0 }
