package lark

import (
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/rules"
)

const unbounded = grammar.Unbounded

func (p *parser) definition(d *definition) (*rules.Node, error) {
	p.inside, p.regular, p.conjoined = d, isTerminal(d.name) || d.isToken(), nil
	defer func() { p.inside, p.regular = nil, false }()
	var all []*rules.Node
	if d.library {
		n, err := p.pattern(d.at, d.pattern, "")
		if err != nil {
			return nil, err
		}
		all = append(all, n)
	}
	for _, at := range d.bodies {
		p.pos = at
		n, err := p.alternatives()
		if err == nil {
			err = p.ended()
		}
		if err != nil {
			return nil, err
		}
		all = append(all, n)
	}
	body := p.Tree.Choice(d.at, all...)
	if d.attrs == nil {
		return body, nil
	}
	o, err := p.options(d)
	if err != nil {
		return nil, err
	}
	body = p.Tree.Rule(d.at, &o, body)
	if p.regular = false; d.isToken() {
		body = p.lexeme(body)
	}
	return body, nil
}

func (p *parser) ended() error {
	t := p.peek()
	switch {
	case p.bodyEnds():
		return nil
	case t.is(')') || t.is(']') || t.is('}'):
		return p.Syntax(t.at, "this '%c' closes nothing", t.sign)
	}
	return p.Syntax(t.at, "%q cannot stand here", t.text)
}

func (p *parser) bodyEnds() bool { return p.pos >= p.in.to || p.statementAt(p.pos) }

// alternatives reads conjunctions separated by '|', and ignores their aliases. It skips an alternative whose condition
// is false without reading it: its rules would lead to ever new numbers.
func (p *parser) alternatives() (*rules.Node, error) {
	at, outside := p.peek().at, len(p.subs)
	for {
		holds, behind, err := true, 0, error(nil)
		if p.numbered() {
			holds, behind, err = p.conditionAhead()
		}
		if err == nil && holds {
			var n *rules.Node
			n, err = p.alternative(behind)
			p.subs = append(p.subs, n)
		}
		if err != nil {
			return nil, err
		}
		if behind > 0 {
			p.pos = behind
		}
		if p.peek().is('|') {
			p.pos++
			continue
		}
		if len(p.subs) == outside {
			return p.Tree.Node(rules.Node{Kind: rules.Alt, At: at}), nil
		}
		return p.Tree.Choice(at, p.subs.Take(outside)...), nil
	}
}

// alternative reads a conjunction and its alias, up to its condition if there is one, which ends before token behind.
func (p *parser) alternative(behind int) (*rules.Node, error) {
	n, err := p.conjunction()
	if err != nil {
		return nil, err
	}
	if p.peek().kind == tArrow {
		p.pos++
		if p.peek().kind != tName {
			return nil, p.Syntax(p.peek().at, "an alias is a name: -> name")
		}
		p.pos++
	}
	if t := p.peek(); behind > 0 && !(t.kind == tDirective && t.text == "%if") {
		return nil, p.Syntax(t.at, "%q cannot stand here", t.text)
	}
	return n, nil
}

// conjunction reads sequences joined by '&'. They are parts of one token, which shows only at the '&', so the text
// before it is read again. Inner conjunctions are cached in p.conjoined: otherwise each level of parentheses would
// read all inner levels twice.
func (p *parser) conjunction() (*rules.Node, error) {
	from, lexemes := p.pos, len(p.lexemes)
	if c, ok := p.conjoined[from]; ok && p.regular {
		p.pos = c.end
		return c.n, nil
	}
	n, err := p.sequence()
	if err != nil || !p.peek().is('&') {
		return n, err
	}
	if !p.regular {
		p.pos, p.lexemes = from, p.lexemes[:lexemes]
		p.regular = true
		n, err = p.conjunction()
		p.regular = false
		if err != nil {
			return nil, err
		}
		if p.conjoined == nil {
			p.conjoined = map[int]conjoined{}
		}
		p.conjoined[from] = conjoined{n, p.pos}
		return p.lexeme(n), nil
	}
	both := rules.Node{Kind: rules.Both, At: n.At, Subs: []*rules.Node{n}}
	for p.peek().is('&') {
		p.pos++
		if n, err = p.sequence(); err != nil {
			return nil, err
		}
		both.Subs = append(both.Subs, n)
	}
	return p.Tree.Node(both), nil
}

func (p *parser) sequence() (*rules.Node, error) {
	at, outside := p.peek().at, len(p.subs)
	for {
		t := p.peek()
		if p.bodyEnds() || t.kind == tArrow || t.kind == tSign && closes[t.sign] ||
			p.numbered() && t.kind == tDirective && t.text == "%if" {
			return p.Tree.Sequence(at, p.subs.Take(outside)...), nil
		}
		n, err := p.element()
		if err != nil {
			return nil, err
		}
		p.subs = append(p.subs, n)
	}
}

var closes = map[byte]bool{'|': true, '&': true, ')': true, ']': true, '}': true, ',': true}

func (p *parser) element() (*rules.Node, error) {
	n, err := p.complement()
	if err != nil {
		return nil, err
	}
	minimum, maximum, repeated, err := p.repetition()
	if err != nil || !repeated {
		return n, err
	}
	if t := p.peek(); t.is('*') || t.is('+') || t.is('?') && !p.bodyEnds() {
		return nil, p.Twice(t.at)
	}
	return p.Tree.Node(rules.Node{Kind: rules.Repeat, At: n.At, Subs: []*rules.Node{n}, Min: minimum, Max: maximum}),
		nil
}

// complement reads an atom, or ~ and an atom: one token of the texts that the atom does not match.
func (p *parser) complement() (*rules.Node, error) {
	t := p.peek()
	if !t.is('~') {
		return p.atom()
	}
	p.pos++
	if p.depth++; p.depth > limits.RuleNesting {
		return nil, p.tooDeep(t)
	}
	before := p.regular
	p.regular = true
	n, err := p.complement()
	p.regular = before
	p.depth--
	if err != nil {
		return nil, err
	}
	return p.lexeme(p.Tree.Node(rules.Node{Kind: rules.Other, At: t.at, Subs: []*rules.Node{n}})), nil
}

func (p *parser) tooDeep(t *token) error {
	return p.Failure(diag.Limit, t.at, t.text, "parentheses, complements and arguments of templates nest deeper than "+
		"%d levels; name the inner parts as rules", limits.RuleNesting)
}

// repetition reads the quantifier of an atom: * + ? ~n ~n..m {n} {n,} {,m} {n,m}.
func (p *parser) repetition() (minimum, maximum uint32, repeated bool, err error) {
	t := p.peek()
	if p.bodyEnds() {
		return 0, 0, false, nil
	}
	next := &p.toks[min(p.pos+1, len(p.toks)-1)]
	switch {
	case t.is('*'):
		minimum, maximum = 0, unbounded
	case t.is('+'):
		minimum, maximum = 1, unbounded
	case t.is('?'):
		minimum, maximum = 0, 1
	case t.is('~') && next.kind == tNumber:
		p.pos++
		if minimum, err = p.count(); err != nil {
			return 0, 0, false, err
		}
		maximum = minimum
		if p.peek().kind == tDots {
			p.pos++
			if maximum, err = p.count(); err != nil {
				return 0, 0, false, err
			}
		}
		return minimum, maximum, true, p.Ordered(t.at, minimum, maximum)
	case t.is('{') && (next.kind == tNumber || next.is(',')):
		return p.bounds(t)
	default:
		return 0, 0, false, nil
	}
	p.pos++
	return minimum, maximum, true, nil
}

func (p *parser) bounds(open *token) (minimum, maximum uint32, repeated bool, err error) {
	p.pos++
	number := func(otherwise uint32) (uint32, error) {
		if p.peek().kind != tNumber {
			return otherwise, nil
		}
		return p.count()
	}
	if minimum, err = number(0); err != nil {
		return 0, 0, false, err
	}
	maximum = minimum
	if p.peek().is(',') {
		p.pos++
		if maximum, err = number(unbounded); err != nil {
			return 0, 0, false, err
		}
	}
	if !p.peek().is('}') {
		return 0, 0, false, p.Syntax(p.peek().at,
			"a repetition is written {n}, {n,}, {,m} or {n,m} with decimal numbers")
	}
	p.pos++
	return minimum, maximum, true, p.Ordered(open.at, minimum, maximum)
}

func (p *parser) count() (uint32, error) {
	t := p.peek()
	if t.kind != tNumber {
		return 0, p.Syntax(t.at, "expected a number of repetitions here")
	}
	p.pos++
	return p.Count(t.at, t.text)
}
