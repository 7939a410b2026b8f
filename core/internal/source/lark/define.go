package lark

import (
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/source/rules"
	"github.com/sluice-engine/sluice/core/internal/source/syntax"
)

// scope is a grammar with its own names: the whole text, or one in %lark.
type scope struct {
	from, to int // tokens
	defs     map[string]*definition
	order    []*definition
	skips    []int       // first tokens of the bodies of %ignore
	ignore   *rules.Node // ignored text behind every token of a rule, or nil
	initial  bool        // ignored text may also begin the output
	once     bool        // ignored text occurs at most once
}

type definition struct {
	name   string
	at     int
	params []string // of a template, else nil
	// numbered: its parameter is a number, name::_
	numbered bool
	attrs    *syntax.OptionReader
	end      int    // the token of the value of stop or suffix
	bodies   []int  // first tokens of the bodies, which are alternatives
	pattern  string // of a name of the library
	library  bool
	rule     int // in the tree; unused for templates
}

func isTerminal(name string) bool {
	rest := strings.TrimLeft(name, "_")
	return rest != "" && rest[0] >= 'A' && rest[0] <= 'Z'
}

type header struct {
	name          *token
	priority      *token
	params, attrs int // first tokens; 0 if there are none
	body          int // the token after the colon
	// numbered: name::_ : …; fixed: with a number in place of the underscore; ebnf: name ::= …
	numbered, fixed, ebnf, set bool
}

// several reports whether each argument of d makes a rule.
func (d *definition) several() bool { return d.params != nil || d.numbered }

func (p *parser) header(i int) (h header) {
	for p.toks[i].is('?') || p.toks[i].is('!') {
		i++
	}
	if p.toks[i].kind != tName {
		return h
	}
	h.name = &p.toks[i]
	i++
	for {
		switch t := &p.toks[i]; {
		case t.is('.'):
			if i++; p.toks[i].is('-') {
				i++
			}
			if h.priority = &p.toks[i]; h.priority.kind != tNumber {
				return header{}
			}
			i++
		case t.is('{') && h.params == 0:
			h.params = i + 1
			for i++; p.toks[i].kind == tName || p.toks[i].is(','); i++ {
			}
			if !p.toks[i].is('}') {
				return header{}
			}
			i++
		case t.is('[') && h.attrs == 0:
			h.attrs = i + 1
			if i = p.attributesEnd(i + 1); i < 0 {
				return header{}
			}
		case t.is(':') && p.toks[i+1].is(':'):
			switch next := &p.toks[i+2]; {
			case next.is('='):
				h.body, h.ebnf, h.set = i+2, true, true
				return h
			case next.kind == tName && next.text == "_" && !h.numbered:
				h.numbered = true
			case next.kind == tNumber && p.toks[i+3].is(':') && !p.toks[i+4].is(':'):
				h.fixed = true
			default:
				return header{} // a use of the rule
			}
			i += 3
		case t.is(':'):
			h.body, h.set = i+1, true
			return h
		default:
			return header{}
		}
	}
}

// attributesEnd returns the token after the attributes at token i, or -1 without attributes. No body has an equals
// sign elsewhere, so its right side is a value, even a wrong one.
func (p *parser) attributesEnd(i int) int {
	for ; ; i++ {
		if p.toks[i].is('=') {
			i = p.valueEnd(i + 1)
		}
		switch t := &p.toks[i]; {
		case t.is(']'):
			return i + 1
		case t.kind == tName || t.kind == tString || t.kind == tNumber || t.kind == tRegex || t.is('=') ||
			t.is(',') || t.is('-') || t.is('+') || t.is('.') || t.kind == tDots:
		default:
			return -1
		}
	}
}

// valueEnd returns the token that ends an attribute's value at token i: the first comma or closing bracket outside of
// brackets within the value.
func (p *parser) valueEnd(i int) int {
	for depth := 0; ; i++ {
		switch t := &p.toks[i]; {
		case t.kind == tEnd || t.kind == tDirective || t.is('=') || t.is(':'),
			depth == 0 && (t.is(',') || t.is(']') || t.is(')') || t.is('}')):
			return i
		case t.is('(') || t.is('[') || t.is('{'):
			depth++
		case t.is(')') || t.is(']') || t.is('}'):
			depth--
		}
	}
}

func (p *parser) statementAt(i int) bool {
	t := &p.toks[i]
	switch {
	case t.kind == tDirective:
		return statement(t.text) != nil
	case !t.firstWord:
		return false
	}
	return p.header(i).set
}

func statement(directive string) func(p *parser, t *token) error {
	switch directive {
	case "%ignore":
		return (*parser).skipStatement
	case "%import":
		return (*parser).importStatement
	case "%declare":
		return (*parser).declareStatement
	case "%override":
		return (*parser).overrideStatement
	case "%extend":
		return (*parser).extendStatement
	case "%llguidance", "%grammar_options":
		return (*parser).optionsStatement
	}
	return nil
}

// statements collects the definitions before bodies are read, since names may be used before their definition.
func (p *parser) statements() error {
	p.pos = p.in.from
	for p.pos < p.in.to {
		t := p.peek()
		if read := statement(t.text); t.kind == tDirective && read != nil {
			p.pos++
			if err := read(p, t); err != nil {
				return err
			}
			continue
		}
		h := p.header(p.pos)
		if !h.set {
			return p.notAStatement(t)
		}
		d, err := p.define(h)
		if err != nil {
			return err
		}
		if first := p.in.defs[d.name]; first != nil {
			return p.Failure(diag.Invalid, d.at, d.name, "%s is defined twice, first on %s; "+
				"join the bodies with '|', or write %%override or %%extend", d.name, p.Line(first.at))
		}
		p.remember(d)
	}
	return nil
}

func (p *parser) remember(d *definition) {
	p.in.defs[d.name] = d
	p.in.order = append(p.in.order, d)
}

func (p *parser) notAStatement(t *token) error {
	switch {
	case t.kind == tDirective:
		return p.Failure(diag.Invalid, t.at, t.text,
			"there is no %s; known are %%ignore, %%import, %%declare, %%override, "+
				"%%extend and %%llguidance, and inside rules %%json, %%regex and %%lark", t.text)
	case t.is('|'):
		return p.Syntax(t.at, "this alternative belongs to no rule; write the name of a rule and a colon before it")
	}
	return p.Syntax(t.at, "expected a rule or terminal here, written name: expression")
}

func (p *parser) define(h header) (*definition, error) {
	d := &definition{name: h.name.text, at: h.name.at, bodies: []int{h.body}, numbered: h.numbered}
	switch {
	case h.ebnf:
		return nil, p.Failure(diag.Syntax, h.name.at, "::=", "this is EBNF; a Lark rule is written %s: expression. "+
			"Give the grammar as kind ebnf if all of it is written so", h.name.text)
	case h.fixed:
		return nil, p.Failure(diag.Syntax, h.name.at, "::", "define a rule with a number once for all numbers, as "+
			"%s::_ : …, and write %%if behind alternatives that only some numbers have", h.name.text)
	case h.numbered && (h.params > 0 || isTerminal(h.name.text)):
		return nil, p.Failure(diag.Invalid, h.name.at, "::",
			"templates and terminals take no number; begin the name with a lower-case letter, without parameters")
	}
	if h.priority != nil {
		p.Note(h.priority.at, h.name.text, diag.Ignored, "a priority chooses among readings of a text, not among "+
			"texts, so it has no effect here")
	}
	if h.params > 0 {
		if err := p.parameters(d, h.params); err != nil {
			return nil, err
		}
	}
	if h.attrs > 0 {
		if err := p.attributes(d, h.attrs); err != nil {
			return nil, err
		}
	}
	p.pos = h.body
	p.skipBody()
	return d, nil
}

func (p *parser) skipBody() {
	for p.pos < p.in.to && !p.statementAt(p.pos) {
		if t := p.peek(); t.is('{') {
			p.pos = int(t.more)
		}
		p.pos++
	}
}

func (p *parser) parameters(d *definition, i int) error {
	if isTerminal(d.name) {
		return p.Failure(diag.Invalid, d.at, d.name,
			"a terminal takes no parameters; begin the name with a lower-case letter")
	}
	d.params = []string{}
	for ; !p.toks[i].is('}'); i++ {
		if t := &p.toks[i]; t.kind == tName {
			d.params = append(d.params, t.text)
		}
	}
	if len(d.params) == 0 {
		return p.Syntax(d.at, "a template needs at least one parameter")
	}
	return nil
}

func (p *parser) skipStatement(*token) error {
	p.in.skips = append(p.in.skips, p.pos)
	p.skipBody()
	return nil
}

func (p *parser) ignored() error {
	var all []*rules.Node
	for _, at := range p.in.skips {
		p.pos, p.regular = at, true
		n, err := p.alternatives()
		p.regular = false
		if err == nil {
			err = p.ended()
		}
		if err != nil {
			return err
		}
		all = append(all, n)
	}
	if len(all) == 0 {
		return nil
	}
	at := all[0].At
	most := uint32(1)
	if !p.in.once {
		most = unbounded
	}
	one := p.Tree.Choice(at, all...)
	p.in.ignore = p.Tree.Node(rules.Node{Kind: rules.Repeat, At: at, Subs: []*rules.Node{one}, Max: most})
	if p.captures {
		p.in.ignore = p.Tree.Rule(at, &rules.Options{Ignored: true}, p.in.ignore)
	}
	p.ignores = append(p.ignores, p.in.ignore)
	return nil
}

func (p *parser) declareStatement(t *token) error {
	return p.Failure(diag.Unsupported, t.at, "%declare",
		"%%declare leaves the pattern of a terminal to a lexer, and there is none here; define the terminal instead")
}

func (p *parser) redefined(t *token) (changed, by *definition, err error) {
	h := p.header(p.pos)
	if !h.set {
		return nil, nil, p.Syntax(p.peek().at, "%s is followed by a definition, written name: expression", t.text)
	}
	if by, err = p.define(h); err != nil {
		return nil, nil, err
	}
	changed = p.in.defs[by.name]
	if changed == nil {
		return nil, nil, p.Failure(diag.Invalid, by.at, by.name,
			"%s changes an earlier definition or import, but %s has none; define or import it first",
			t.text, by.name)
	}
	return changed, by, nil
}

func (p *parser) overrideStatement(t *token) error {
	changed, by, err := p.redefined(t)
	if err == nil {
		*changed = *by
	}
	return err
}

func (p *parser) extendStatement(t *token) error {
	changed, by, err := p.redefined(t)
	if err != nil {
		return err
	}
	if by.attrs != nil || len(changed.params) != len(by.params) || changed.numbered != by.numbered {
		return p.Failure(diag.Invalid, by.at, by.name, "%%extend only adds alternatives; write it with the "+
			"parameters of the definition and without attributes")
	}
	changed.bodies = append(changed.bodies, by.bodies...)
	return nil
}

// importStatement reads %import common.NAME, %import common (A, B) and either with -> ALIAS.
func (p *parser) importStatement(t *token) error {
	module := p.peek()
	if module.kind != tName || module.text != "common" {
		return p.Failure(diag.Unsupported, module.at, "%import", "only the library common can be imported; copy "+
			"the rules that you need from other grammars into this one")
	}
	p.pos++
	switch {
	case p.peek().is('.'):
		p.pos++
		return p.importName()
	case !p.peek().is('('):
		return p.Syntax(p.peek().at, "an import is written %%import common.NAME or %%import common (A, B)")
	}
	for p.pos++; !p.peek().is(')'); {
		if err := p.importName(); err != nil {
			return err
		}
		switch {
		case p.peek().is(','):
			p.pos++
		case !p.peek().is(')'):
			return p.Syntax(p.peek().at, "names of an import are separated by commas, and end with ')'")
		}
	}
	p.pos++
	return nil
}

func (p *parser) importName() error {
	t := p.peek()
	pattern, ok := common[t.text]
	if t.kind != tName || !ok {
		return p.Failure(diag.Invalid, t.at, t.text, "the library common has no %s; it has %s", t.text, commonNames())
	}
	p.pos++
	d := &definition{name: t.text, at: t.at, pattern: pattern, library: true}
	if p.peek().kind == tArrow {
		p.pos++
		alias := p.peek()
		if alias.kind != tName || !isTerminal(alias.text) {
			return p.Syntax(alias.at, "an alias of a terminal is a name in upper case")
		}
		d.name = alias.text
		p.pos++
	}
	switch first := p.in.defs[d.name]; {
	case first == nil:
		p.remember(d)
	case !first.library || first.pattern != pattern:
		return p.Failure(diag.Invalid, t.at, d.name,
			"%s is defined already; import it under another name: common.%s -> NAME",
			d.name, t.text)
	}
	return nil
}
