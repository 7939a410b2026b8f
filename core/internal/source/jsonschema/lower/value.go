package lower

import (
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

func (l *lowerer) reorders(v jsontext.ID) bool { return l.anyOrder() && l.p.HasOrders(v) }

func (l *lowerer) anyReorders(values []jsontext.ID) bool {
	for _, v := range values {
		if l.reorders(v) {
			return true
		}
	}
	return false
}

func (l *lowerer) valueInAnyOrder(v jsontext.ID, lead terminal.Expr) grammar.Sequence {
	t := l.p.Tree
	n := t.Node(v)
	if !l.reorders(v) {
		return grammar.Sequence{grammar.T(l.lead(lead, l.value(v)))}
	}
	if n.Kind == jsontext.Array {
		seq := grammar.Sequence{grammar.T(l.openingList(lead))}
		for c := n.First; c != 0; c = t.Node(c).Next {
			if c != n.First {
				seq = append(seq, grammar.T(l.comma))
			}
			seq = append(seq, l.insideInAnyOrder(c)...)
		}
		return append(seq, grammar.T(l.endList))
	}
	node := grammar.Object{
		AnyOrder: true, Open: l.openingObject(lead), Close: l.close, Comma: l.comma, Quote: l.quote, Colon: l.colon,
		MaxMembers: grammar.Unbounded,
	}
	names := make([]string, 0, n.Count)
	for c := n.First; c != 0; c = t.Node(c).Next {
		names = append(names, t.Node(c).Key)
		member := l.insideInAnyOrder(c)
		s := member[0]
		if len(member) > 1 {
			r := l.g.NewRule("member")
			l.g.Add(r, member...)
			s = grammar.N(r)
		}
		node.Properties = append(node.Properties, grammar.Property{Value: s, Required: true})
	}
	node.Keys = l.keys(names)
	return grammar.Sequence{l.g.NewObject(node)}
}

func (l *lowerer) insideInAnyOrder(v jsontext.ID) grammar.Sequence {
	l.setDepth(l.depth + 1)
	seq := l.valueInAnyOrder(v, l.ws)
	l.setDepth(l.depth - 1)
	return seq
}
