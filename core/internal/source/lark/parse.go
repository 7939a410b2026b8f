// Package lark reads grammars in the dialect of Lark of LLGuidance and OpenAI's custom tools: rules and terminals,
// templates, imports of the library common, %ignore, %json, %regex, nested grammars, and operators on terminals.
//
// Invariant: a grammar is context-free over bytes. There is no lexer: a terminal matches any text of its pattern, not
// only the longest one. So some outputs are allowed that a lexer with longest matches would split differently;
// docs/grammars.md says so. Start reading at Compile, then parse (lex.go, define.go), body.go, atom.go and
// template.go.
package lark

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/charclass"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema"
	"github.com/sluice-engine/sluice/core/internal/source/regex"
	"github.com/sluice-engine/sluice/core/internal/source/rules"
	"github.com/sluice-engine/sluice/core/internal/source/syntax"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

const sourceName = "lark"

// DefaultStart is the start rule when options name none.
const DefaultStart = "start"

// Compile compiles a grammar.
func Compile(st *terminal.Store, spec []byte, o *source.Options) (*grammar.Grammar, []diag.Note, error) {
	r, err := Parse(string(spec), o)
	if err != nil {
		return nil, nil, err
	}
	g, err := r.Tree().Grammar(st)
	if err != nil {
		return nil, nil, err
	}
	return g, r.Notes(), nil
}

// Read is a grammar after reading.
type Read struct{ p *parser }

// Parse reads a grammar. Errors are *diag.Error values with line, column and the line at fault.
func Parse(text string, o *source.Options) (*Read, error) {
	p, err := parse(text, o)
	return &Read{p}, err
}

// Tree returns the grammar as a tree.
func (r *Read) Tree() *rules.Tree { return r.p.Tree }

// Notes returns the differences between the written grammar and the enforced one. It is complete after the tree has
// been lowered.
func (r *Read) Notes() []diag.Note {
	r.p.NoteUncut()
	r.p.NoteEdges()
	for _, part := range r.p.parts {
		for _, n := range part.Notes() {
			r.p.Note(part.at, n.Keyword, n.Effect, n.Text)
		}
	}
	return r.p.Notes
}

type parser struct {
	*syntax.Source
	src   string
	toks  []token
	subs  syntax.Stack
	pos   int
	depth int // of parentheses and nested grammars

	captures bool // there may be captures, so ignored and hidden texts matter

	in      *scope
	inside  *definition // the definition whose body is being read
	regular bool        // inside one token, which contains no ignored text
	args    *instance   // the arguments of a template; nil outside

	conjoined map[int]conjoined // conjunctions of this body that are parts of a token, by first token

	instances map[string]*instance
	queue     []*instance // instances with unread bodies
	lexemes   []lexeme
	marks     bool          // one token contains tokens of the vocabulary
	ignores   []*rules.Node // ignored texts of the grammars
	schemas   map[string]*jsonschema.Part
	parts     []placedPart   // parts in order
	named     map[string]int // rules of other grammars in use
}

// lexeme is a token of a rule, or a nested grammar, with the ignored text behind it. No ignored text may follow an
// empty token.
type lexeme struct {
	node, token, ignored *rules.Node
	grammar              bool
}

type conjoined struct {
	n   *rules.Node
	end int
}

func parse(text string, o *source.Options) (*parser, error) {
	p := &parser{
		Source: &syntax.Source{
			Tree: rules.New(sourceName, text, o.EndTokens, o.Work), O: o,
			IDs: "tokens are written <[5]>, <[1,5-9]>, <[^5]> or <[*]>",
		},
		instances: map[string]*instance{}, schemas: map[string]*jsonschema.Part{}, named: map[string]int{},
	}
	others := p.attach()
	p.src = p.Tree.Text()
	to, err := p.lex(0, len(text))
	if err != nil {
		return nil, err
	}
	if err := p.lexAll(others); err != nil {
		return nil, err
	}
	p.captures = slices.ContainsFunc(p.toks, func(t token) bool {
		return t.kind == tName && (t.text == "capture" || t.text == "stop_capture")
	})
	start := o.StartRule
	if start == "" {
		start = DefaultStart
	}
	if p.Tree.Start, err = p.grammar(0, to, start); err != nil {
		return nil, err
	}
	if err := p.readAll(others); err != nil {
		return nil, err
	}
	p.settleLexemes()
	p.Tree.LeaveIgnored(p.ignores)
	return p, nil
}

// lex reads the tokens of a part of the text, and returns the token that ends them.
func (p *parser) lex(from, to int) (end int, err error) {
	if err := p.CheckUTF8(p.src[from:to], from); err != nil {
		return 0, err
	}
	c := syntax.Cursor{Source: p.Source, Text: p.src[:to], I: from, Escapes: escapes, Other: otherEscape}
	l := &lexer{Cursor: c, toks: p.toks}
	err = l.lex()
	p.toks = l.toks
	return len(p.toks) - 1, err
}

func (p *parser) grammar(from, to int, start string) (int, error) {
	if p.depth++; p.depth > limits.RuleNesting {
		return 0, p.Failure(diag.Limit, p.toks[from].at, "%lark",
			"grammars nest deeper than %d levels; write the inner ones as rules",
			limits.RuleNesting)
	}
	outer, pos := *p, p.pos
	defer func() {
		p.in, p.inside, p.regular, p.args, p.queue = outer.in, outer.inside, outer.regular, outer.args, outer.queue
		p.pos, p.depth = pos, p.depth-1
	}()
	p.in = &scope{from: from, to: to, defs: map[string]*definition{}}
	p.inside, p.regular, p.args, p.queue = nil, false, nil, nil
	if err := p.statements(); err != nil {
		return 0, err
	}
	root, ok := p.in.defs[start]
	if !ok || root.several() {
		return 0, p.Tree.Failure(diag.Invalid, p.toks[from].at, start, "there is no rule %q to start at; add one", start).
			Advise("name another in the option start_rule")
	}
	if err := p.bodies(); err != nil {
		return 0, err
	}
	if p.in.initial && p.in.ignore != nil {
		return p.rule(root, start, p.Tree.Sequence(root.at, p.in.ignore, p.ref(root.at, root.rule))), nil
	}
	return root.rule, nil
}

func (p *parser) bodies() error {
	for _, d := range p.in.order {
		if !d.several() {
			d.rule = p.rule(d, d.name, nil)
		}
	}
	if err := p.ignored(); err != nil {
		return err
	}
	for _, d := range p.in.order {
		if d.several() {
			continue
		}
		body, err := p.definition(d)
		if err != nil {
			return err
		}
		p.Tree.Rules[d.rule].Body = body
	}
	for len(p.queue) > 0 {
		last := len(p.queue) - 1
		x := p.queue[last]
		p.queue = p.queue[:last]
		p.args = x
		body, err := p.definition(x.of)
		if err != nil {
			return err
		}
		p.Tree.Rules[x.rule].Body = body
	}
	p.args = nil
	p.joinPatterns()
	return nil
}

// joinPatterns makes one pattern of each terminal whose parts have assertions about each other, if that is supported.
func (p *parser) joinPatterns() {
	read := func(pattern string) (*regex.Node, error) {
		re, err := regex.ParseNewline(p.O.Work, pattern)
		if err == nil {
			st := terminal.NewStore()
			st.SetWork(p.O.Work)
			_, err = regex.Lower(st, re, regex.Mode{Encoding: terminal.UTF8})
		}
		return re, err
	}
	for _, d := range p.in.order {
		if p.LooksOut && isTerminal(d.name) && !d.several() {
			p.Tree.JoinPatterns(d.rule, read)
		}
	}
}

func (p *parser) rule(d *definition, name string, body *rules.Node) int {
	p.Tree.Rules = append(p.Tree.Rules, rules.Rule{Name: name, At: d.at, Body: body})
	return len(p.Tree.Rules) - 1
}

func (p *parser) ref(at, rule int) *rules.Node {
	return p.Tree.Node(rules.Node{Kind: rules.Ref, At: at, Rule: rule})
}

func (p *parser) settleLexemes() {
	if len(p.lexemes) == 0 {
		return
	}
	empty := p.Tree.Nullable()
	parts := p.Tree.NonEmpty(empty, p.something)
	for _, x := range p.lexemes {
		if !empty(x.token) {
			continue
		}
		at := x.node.At
		some := p.Tree.Inside(x.token, func(n *rules.Node) *rules.Node {
			if n.Kind == rules.Ref && x.grammar {
				return parts.Rule(at, n.Rule)
			}
			return p.Tree.Node(rules.Node{Kind: rules.Both, At: at, Subs: []*rules.Node{n, p.something(at)}})
		})
		none := p.Tree.Inside(x.token, func(*rules.Node) *rules.Node { return p.Tree.Sequence(at) })
		x.node.Kind = rules.Alt
		x.node.Subs = []*rules.Node{p.Tree.Sequence(at, some, x.ignored), none}
	}
	parts.Finish()
}

// something is any non-empty text, with tokens of the vocabulary if a token may contain them.
func (p *parser) something(at int) *rules.Node {
	if p.marks {
		one := p.Tree.Choice(at,
			p.Tree.Node(rules.Node{Kind: rules.Class, At: at, Pairs: charclass.OthersOfText(nil)}),
			p.Tree.Node(rules.Node{Kind: rules.NotToken, At: at, Special: new(rules.Special)}))
		return p.Tree.Node(rules.Node{Kind: rules.Repeat, At: at, Subs: []*rules.Node{one}, Min: 1, Max: unbounded})
	}
	return p.Tree.Node(rules.Node{Kind: rules.Other, At: at, Subs: []*rules.Node{p.Tree.Sequence(at)}})
}

// peek returns the next token. At the end it always returns the end token.
func (p *parser) peek() *token { return &p.toks[min(p.pos, len(p.toks)-1)] }

func (p *parser) flags(t *token) string {
	if t.kind != tString && t.kind != tRegex {
		return ""
	}
	return p.src[t.end-int(t.more) : t.end]
}
