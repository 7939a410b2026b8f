package rules

import (
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/source/freetext"
)

func (l *lowering) addDispatch(id grammar.RuleID, name string, n *Node) error {
	r := freetext.Region{
		Stops: n.Chunks, Kills: n.Excludes, Open: true,
		Refuse: func(code diag.Code, _ int, message string) error {
			return l.tree.Failure(code, n.At, "TagDispatch", "%s", message)
		},
	}
	for i, sub := range n.Subs {
		follow := l.elements(name, []*Node{sub})
		if n.Max != 1 {
			follow = append(follow, grammar.N(id))
		}
		r.Goals = append(r.Goals, freetext.Goal{
			Text: n.Chunks[i], Follow: follow, Tag: i, MayBegin: func(string) bool { return true },
		})
	}
	text, err := freetext.Lower(l.st, l.g, &r)
	l.g.Add(id, text...)
	return err
}
