package ebnf

import (
	"slices"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/rules"
)

func (p *parser) substring(t *token) (*rules.Node, error) {
	n := p.Tree.Node(rules.Node{Kind: rules.Substring, At: t.at, Special: new(rules.Special)})
	for p.peek().kind != tClose {
		a := p.peek()
		if a.kind != tString {
			return nil, p.Syntax(a.at, "Substring takes strings, separated by commas")
		}
		p.pos++
		n.Chunks = append(n.Chunks, a.text)
		if err := p.separator(t); err != nil {
			return nil, err
		}
	}
	p.pos++
	return n, nil
}

// arguments reads the common arguments of both dispatches: pairs of a trigger and a rule in parentheses,
// loop_after_dispatch=bool and excludes=(…). trigger and exclude read one element each.
func (p *parser) arguments(t *token, trigger, exclude func() error) (then []*rules.Node, loop bool, err error) {
	loop = true
	for p.peek().kind != tClose {
		a := p.peek()
		switch {
		case a.kind == tOpen:
			p.pos++
			if err = trigger(); err == nil {
				var rule *rules.Node
				rule, err = p.ruleOfPair(t)
				then = append(then, rule)
			}
		case a.kind == tName && p.toks[p.pos+1].kind == tEquals && a.text == "excludes":
			p.pos += 2
			err = p.tuple(t, exclude)
		case a.kind == tName && p.toks[p.pos+1].kind == tEquals && a.text == "loop_after_dispatch":
			value := &p.toks[min(p.pos+2, len(p.toks)-1)]
			if value.kind != tName || value.text != "true" && value.text != "false" {
				return nil, false, p.Syntax(value.at, "loop_after_dispatch must be true or false")
			}
			loop = value.text == "true"
			p.pos += 3
		default:
			err = p.Syntax(a.at,
				"%s takes pairs (trigger, rule), loop_after_dispatch=true or false, and excludes=(…)",
				t.text)
		}
		if err != nil {
			return nil, false, err
		}
		if err = p.separator(t); err != nil {
			return nil, false, err
		}
	}
	p.pos++
	return then, loop, nil
}

func (p *parser) ruleOfPair(t *token) (*rules.Node, error) {
	if c := p.peek(); c.kind != tComma {
		return nil, p.Syntax(c.at, "expected ',' and the name of a rule in a pair of %s", t.text)
	}
	p.pos++
	name := p.peek()
	if name.kind != tName {
		return nil, p.Syntax(name.at, "expected the name of a rule in a pair of %s", t.text)
	}
	r, ok := p.named[name.text]
	if !ok {
		return nil, p.undefined(name.at, name.text)
	}
	p.pos++
	if c := p.peek(); c.kind != tClose {
		return nil, p.Syntax(c.at, "expected ')' after the rule in a pair of %s", t.text)
	}
	p.pos++
	return p.Tree.Node(rules.Node{Kind: rules.Ref, At: name.at, Rule: r}), nil
}

func (p *parser) tuple(t *token, element func() error) error {
	if open := p.peek(); open.kind != tOpen {
		return p.Syntax(open.at, "excludes is a list in parentheses: excludes=(\"a\", \"b\")")
	}
	p.pos++
	for p.peek().kind != tClose {
		if err := element(); err != nil {
			return err
		}
		if err := p.separator(t); err != nil {
			return err
		}
	}
	p.pos++
	return nil
}

func (p *parser) text(list *[]string) error {
	a := p.peek()
	if a.kind != tString || a.text == "" {
		return p.Syntax(a.at, "expected a string with at least one character here")
	}
	p.pos++
	*list = append(*list, a.text)
	return nil
}

func (p *parser) tagDispatch(t *token) (*rules.Node, error) {
	n := p.Tree.Node(rules.Node{Kind: rules.Dispatch, At: t.at, Max: grammar.Unbounded, Special: new(rules.Special)})
	then, loop, err := p.arguments(t, func() error { return p.text(&n.Chunks) },
		func() error { return p.text(&n.Excludes) })
	if err != nil {
		return nil, err
	}
	if n.Subs = then; !loop {
		n.Max = 1
	}
	for _, x := range n.Excludes {
		for _, trigger := range n.Chunks {
			if strings.HasPrefix(trigger, x) {
				return nil, p.Failure(diag.Invalid, t.at, t.text,
					"the trigger %q begins with the excluded string %q, so that its rule could never be reached; "+
						"remove one of the two", diag.Shorten(trigger,
						limits.RuleFragment/2),
					diag.Shorten(x, limits.RuleFragment/2))
			}
		}
	}
	return n, nil
}

// tokenTagDispatch reads TokenTagDispatch((id, rule), …, loop_after_dispatch=bool, excludes=(id, …)), any tokens in
// which each trigger is followed by its rule. It becomes common elements.
func (p *parser) tokenTagDispatch(t *token) (*rules.Node, error) {
	var triggers, excludes [][][2]uint32 // each several tokens if they have the same text
	token := func(list *[][][2]uint32) func() error {
		return func() error {
			ids, err := p.tokenArgument(t)
			*list = append(*list, ids)
			return err
		}
	}
	then, loop, err := p.arguments(t, token(&triggers), token(&excludes))
	if err != nil {
		return nil, err
	}
	triggering := slices.Concat(triggers...)
	opens := func(id [2]uint32) bool { return slices.Contains(triggering, id) }
	for i, ids := range excludes {
		if slices.ContainsFunc(ids, opens) {
			return nil, p.Failure(diag.Invalid, t.at, t.text,
				"excluded token number %d has a rule, so it could never be reached; remove one of the two", i+1)
		}
	}
	node := func(n rules.Node) *rules.Node { n.At = t.at; return p.Tree.Node(n) }
	of := func(ids [][2]uint32) *rules.Special { return &rules.Special{Tokens: ids} }
	free := node(rules.Node{Kind: rules.NotToken, Special: of(slices.Concat(triggering, slices.Concat(excludes...)))})
	text := node(rules.Node{Kind: rules.Repeat, Max: grammar.Unbounded, Subs: []*rules.Node{free}})
	if len(then) == 0 {
		return text, nil
	}
	pairs := make([]*rules.Node, len(then))
	for i, rule := range then {
		trigger := node(rules.Node{Kind: rules.Token, Special: of(triggers[i])})
		pairs[i] = p.Tree.Sequence(t.at, trigger, rule)
	}
	if !loop {
		either := p.Tree.Choice(t.at, pairs...)
		once := node(rules.Node{Kind: rules.Repeat, Max: 1, Subs: []*rules.Node{either}})
		return p.Tree.Sequence(t.at, text, once), nil
	}
	more := p.Tree.Choice(t.at, append([]*rules.Node{free}, pairs...)...)
	return node(rules.Node{Kind: rules.Repeat, Max: grammar.Unbounded, Subs: []*rules.Node{more}}), nil
}
