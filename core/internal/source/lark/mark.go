package lark

import (
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/source/rules"
	"github.com/sluice-engine/sluice/core/internal/terminal/spelling"
)

// mark reads a token of the vocabulary: <text>, <[1,5-9]>, <[^1,5-9]> or <[*]>.
func (p *parser) mark(t *token) (*rules.Node, error) {
	if p.regular && (p.inside == nil || isTerminal(p.inside.name)) {
		return nil, p.Failure(diag.Invalid, t.at, "<"+t.text+">",
			"a token of the vocabulary is not text, so it cannot be part of a terminal; name it in a rule")
	}
	p.marks = p.marks || p.regular
	n := rules.Node{Kind: rules.Token, At: t.at, Special: new(rules.Special)}
	ids, isList := strings.CutPrefix(t.text, "[")
	ids, closed := strings.CutSuffix(ids, "]")
	switch {
	case !isList || !closed:
		all, err := p.TokensOf(t.at, "<"+t.text+">")
		if err != nil {
			return nil, err
		}
		n.Tokens = spelling.Singles(all...)
		return p.lexeme(p.Tree.Node(n)), nil
	case ids == "*":
		n.Kind = rules.NotToken
		return p.lexeme(p.Tree.Node(n)), nil
	}
	ids, negated := strings.CutPrefix(ids, "^")
	if negated {
		n.Kind = rules.NotToken
	}
	at := t.at + strings.IndexByte(p.src[t.at:], '[') + 1
	if negated {
		at++
	}
	for _, part := range strings.Split(ids, ",") {
		span, err := p.span(at, part)
		if err != nil {
			return nil, err
		}
		n.Tokens = append(n.Tokens, span)
		at += len(part) + 1
	}
	return p.lexeme(p.Tree.Node(n)), nil
}

func (p *parser) span(at int, text string) (span [2]uint32, err error) {
	low, high, isRange := strings.Cut(text, "-")
	if !isRange {
		high = low
	}
	for i, digits := range []string{low, high} {
		if span[i], err = p.TokenID(at, digits); err != nil {
			return span, err
		}
	}
	if span[0] > span[1] {
		return span, p.Syntax(at, "the range ends before it begins; write the lower id first")
	}
	return span, nil
}
