// Package ebnf reads grammars in EBNF: the GBNF of llama.cpp and XGrammar's superset. Rules are over code points; the
// output is their UTF-8.
//
// Invariant: the tree represents the text element by element; package rules decides which parts become one terminal
// and which become rules. Start reading at Compile, then Parse (lex.go, macro.go).
package ebnf

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/rules"
	"github.com/sluice-engine/sluice/core/internal/source/syntax"
)

const sourceName = "ebnf"

// DefaultStart is the start rule when options name none.
const DefaultStart = "root"

type parser struct {
	*syntax.Source
	elements
	src   string
	pos   int
	depth int
	named map[string]int
	subs  syntax.Stack
}

// Parse reads a grammar. Errors are *diag.Error values with line, column and the line at fault.
func Parse(text string, o *source.Options) (*rules.Tree, error) {
	p, err := parse(text, o)
	if err != nil {
		return nil, err
	}
	return p.Tree, nil
}

func parse(text string, o *source.Options) (*parser, error) {
	p, err := read(text, o)
	if err == nil {
		err = p.resolveAheads()
	}
	return p, err
}

// read reads a grammar without resolving its look-aheads.
func read(text string, o *source.Options) (*parser, error) {
	if len(text) > limits.SpecBytes {
		return nil, diag.Errorf(diag.Limit, sourceName, diag.Place{}, "the grammar has %d bytes, more than the "+
			"limit of %d; shorten it, or split the constraint", len(text), limits.SpecBytes)
	}
	s := &syntax.Source{
		Tree: rules.New(sourceName, text, o.EndTokens, o.Work), O: o,
		IDs: "write a decimal number, or the token's text in double quotes",
	}
	if err := s.CheckUTF8(text, 0); err != nil {
		return nil, err
	}
	l := &lexer{Cursor: cursor(s, text, 0)}
	if err := l.lex(); err != nil {
		return nil, err
	}
	p := &parser{Source: s, elements: l.elements, src: text}
	if err := p.names(); err != nil {
		return nil, err
	}
	for p.peek().kind != tEnd {
		if err := p.rule(); err != nil {
			return nil, err
		}
	}
	start := o.StartRule
	if start == "" {
		start = DefaultStart
	}
	i, ok := p.named[start]
	if !ok {
		return nil, p.Tree.Failure(diag.Invalid, 0, start, "there is no rule %q to start at; add one", start).
			Advise("name another in the option start_rule")
	}
	p.Tree.Start = i
	return p, nil
}

func (p *parser) peek() *token { return &p.toks[p.pos] }

// header returns the number of tokens of the head of a rule at position i: 2 for "name ::=", 3 with options, 0 for no
// head.
func (p *parser) header(i int) int {
	if p.toks[i].kind != tName {
		return 0
	}
	switch {
	case p.toks[i+1].kind == tDefine:
		return 2
	case p.toks[i+1].kind == tClass && p.toks[i+2].kind == tDefine:
		return 3
	}
	return 0
}

// names collects the rules before bodies are read, since the meaning of a name may depend on its definition.
func (p *parser) names() error {
	count := 0
	for i := range p.toks {
		if p.toks[i].kind == tDefine {
			count++
		}
	}
	p.named, p.Tree.Rules = make(map[string]int, count), make([]rules.Rule, 0, count)
	for i := range p.toks {
		n := p.header(i)
		if n == 0 {
			continue
		}
		t := &p.toks[i]
		if first, ok := p.named[t.text]; ok {
			return p.Failure(diag.Invalid, t.at, t.text, "rule %q is defined twice, first on %s; join the "+
				"bodies with '|'", diag.Shorten(t.text, limits.RuleFragment),
				p.Line(p.Tree.Rules[first].At))
		}
		p.named[t.text] = len(p.Tree.Rules)
		p.Tree.Rules = append(p.Tree.Rules, rules.Rule{Name: t.text, At: t.at})
	}
	return nil
}

func (p *parser) rule() error {
	t := p.peek()
	n := p.header(p.pos)
	if n == 0 {
		return p.Syntax(t.at, "expected a rule here, written name ::= expression")
	}
	if !t.firstWord {
		return p.Syntax(t.at, "the name of a rule must be the first word on its line; begin a new line before %q",
			diag.Shorten(t.text, limits.RuleFragment))
	}
	var o rules.Options
	if n == 3 {
		var err error
		if o, err = p.ruleOptions(&p.toks[p.pos+1], t.text); err != nil {
			return err
		}
	}
	p.pos += n
	body, err := p.alternatives()
	if err != nil {
		return err
	}
	if t := p.peek(); t.kind == tClose {
		return p.Syntax(t.at, "this ')' closes nothing")
	}
	p.Tree.Rules[p.named[t.text]].Body = p.Tree.Rule(t.at, &o, body)
	return nil
}

func (p *parser) alternatives() (*rules.Node, error) {
	at, outside := p.peek().at, len(p.subs)
	for {
		s, err := p.sequence()
		if err != nil {
			return nil, err
		}
		p.subs = append(p.subs, s)
		if p.peek().kind != tOr {
			break
		}
		p.pos++
	}
	return p.Tree.Choice(at, p.subs.Take(outside)...), nil
}

func (p *parser) sequence() (*rules.Node, error) {
	at, outside := p.peek().at, len(p.subs)
	for {
		t := p.peek()
		switch t.kind {
		case tEnd, tOr, tClose:
			return p.Tree.Sequence(at, p.subs.Take(outside)...), nil
		case tName:
			if n := p.header(p.pos); n > 0 {
				return p.Tree.Sequence(at, p.subs.Take(outside)...), nil
			}
		}
		elems, err := p.element()
		if err != nil {
			return nil, err
		}
		if q := p.peek(); q.kind == tQuantifier {
			p.pos++
			last := elems[len(elems)-1]
			times := p.bounds[q.index]
			loop := rules.Node{Kind: rules.Repeat, At: last.At, Subs: []*rules.Node{last}, Min: times[0], Max: times[1]}
			elems[len(elems)-1] = p.Tree.Node(loop)
			if next := p.peek(); next.kind == tQuantifier {
				return nil, p.Twice(next.at)
			}
		}
		p.subs = append(p.subs, elems...)
	}
}

// element reads one operand of a quantifier. It returns several nodes only for a name that is a sequence (see name).
func (p *parser) element() ([]*rules.Node, error) {
	t := p.peek()
	p.pos++
	switch t.kind {
	case tString:
		if t.text == "" {
			return []*rules.Node{p.Tree.Node(rules.Node{Kind: rules.Nothing, At: t.at})}, nil
		}
		return []*rules.Node{p.Tree.Node(rules.Node{Kind: rules.Text, At: t.at, Text: t.text})}, nil
	case tClass:
		return []*rules.Node{p.Tree.Node(rules.Node{Kind: rules.Class, At: t.at, Pairs: p.classes[t.index]})}, nil
	case tName:
		return p.name(t)
	case tMark:
		n, err := p.mark(t)
		return []*rules.Node{n}, err
	case tOpen:
		n, err := p.group(t)
		return []*rules.Node{n}, err
	case tLookahead:
		n, err := p.lookahead(t)
		return []*rules.Node{n}, err
	case tQuantifier:
		return nil, p.Syntax(t.at, "this quantifier has nothing before it to repeat")
	case tDefine:
		return nil, p.Syntax(t.at, "'::=' must follow the name of a rule")
	case tComma:
		return nil, p.Syntax(t.at, "elements of a sequence are separated by blanks, not by commas")
	}
	return nil, p.Syntax(t.at, "a rule is defined with '::=', and '=' has no other meaning outside strings")
}

func (p *parser) group(open *token) (*rules.Node, error) {
	if p.depth++; p.depth > limits.RuleNesting {
		return nil, p.Failure(diag.Limit, open.at, "(",
			"parentheses nest deeper than %d levels; name the inner parts as rules", limits.RuleNesting)
	}
	n, err := p.alternatives()
	if err != nil {
		return nil, err
	}
	if t := p.peek(); t.kind != tClose {
		return nil, p.Syntax(open.at, "this '(' is not closed before the rule ends")
	}
	p.pos++
	p.depth--
	return n, nil
}

// name reads a reference, a dot, or a macro. Some dialects allow dots in names, in others '.' is any character. So a.b
// is the rule of that name if it exists, else a, any character, b.
func (p *parser) name(t *token) ([]*rules.Node, error) {
	if i, ok := p.named[t.text]; ok {
		return []*rules.Node{p.Tree.Node(rules.Node{Kind: rules.Ref, At: t.at, Rule: i})}, nil
	}
	if p.peek().kind == tOpen && isMacro[t.text] {
		n, err := p.macro(t)
		return []*rules.Node{n}, err
	}
	if !strings.Contains(t.text, ".") {
		return nil, p.undefined(t.at, t.text)
	}
	var out []*rules.Node
	at := t.at
	for i, part := range strings.Split(t.text, ".") {
		if i > 0 {
			out = append(out, p.Tree.Node(rules.Node{Kind: rules.Class, At: at - 1, Pairs: []rune{0, utf8.MaxRune}}))
		}
		if part != "" {
			r, ok := p.named[part]
			if !ok {
				return nil, p.undefined(t.at, t.text)
			}
			out = append(out, p.Tree.Node(rules.Node{Kind: rules.Ref, At: at, Rule: r}))
		}
		at += len(part) + 1
	}
	return out, nil
}

func (p *parser) undefined(at int, name string) error {
	short := diag.Shorten(name, limits.RuleFragment)
	return p.Undefined(at, name, "rule "+strconv.Quote(short), "define it with "+short+" ::= …", func(yield func(string) bool) {
		for i := 0; i < len(p.Tree.Rules) && yield(p.Tree.Rules[i].Name); i++ {
		}
	})
}
