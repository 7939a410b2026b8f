package lark

import (
	"maps"
	"slices"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/rules"
)

// other is another grammar, to which @name refers. Its text is attached behind the first one, so that places tell the
// text.
type other struct {
	name     string
	at, end  int
	schema   bool
	from, to int
}

func (p *parser) attach() (all []other) {
	for _, name := range slices.Sorted(maps.Keys(p.O.Grammars)) {
		x, text := other{name: name}, p.O.Grammars[name].Lark
		if schema := p.O.Grammars[name].Schema; schema != nil {
			x.schema, text = true, string(schema)
		}
		x.at = p.Tree.Attach(name, text)
		x.end = x.at + len(text)
		all = append(all, x)
	}
	return all
}

func (p *parser) lexAll(all []other) (err error) {
	for i := range all {
		x := &all[i]
		switch {
		case x.schema && p.O.Grammars[x.name].Lark != "":
			return p.Failure(diag.Invalid, x.at, "", "this grammar is given both as Lark and as a JSON schema; "+
				"give one of the two")
		case !x.schema:
			x.from = len(p.toks)
			if x.to, err = p.lex(x.at, x.end); err != nil {
				return err
			}
		}
	}
	return nil
}

// readAll reads all other grammars, even unused ones, to report their errors.
func (p *parser) readAll(all []other) error {
	for _, x := range all {
		var body *rules.Node
		var err error
		if x.schema {
			body, err = p.schemaOf(&token{kind: tJSON, at: x.at, end: x.end, text: p.src[x.at:x.end]})
		} else {
			var start int
			if start, err = p.grammar(x.from, x.to, DefaultStart); err == nil {
				body = p.ref(x.at, start)
			}
		}
		if err != nil {
			return err
		}
		p.Tree.Rules[p.otherRule(x.name, x.at)].Body = body
	}
	return nil
}

func (p *parser) otherRule(name string, at int) int {
	rule, known := p.named[name]
	if !known {
		rule = p.rule(&definition{at: at}, name, nil)
		p.named[name] = rule
	}
	return rule
}

// other reads @name, another grammar with its own names. Its ignored text may end it, and the outer ignored text may
// follow.
func (p *parser) other(t *token) (*rules.Node, error) {
	name := p.peek()
	if name.kind != tName || name.at != t.end {
		return nil, p.Syntax(t.at, "expected the name of another grammar directly behind '@': @name")
	}
	p.pos++
	if _, ok := p.O.Grammars[name.text]; !ok {
		there, advice := "no other grammars are given; write it here, in %lark {…}", "pass it in the option grammars"
		if len(p.O.Grammars) > 0 {
			names := strings.Join(slices.Sorted(maps.Keys(p.O.Grammars)), ", ")
			there, advice = "there are "+diag.Shorten(names, limits.RuleFragment), ""
		}
		return nil, p.Tree.Failure(diag.Invalid, t.at, "@"+name.text, "there is no grammar %q; %s", name.text, there).
			Advise(advice)
	}
	if p.regular {
		return nil, p.Failure(diag.Invalid, t.at, "@"+name.text, "another grammar cannot be part of a terminal, or of "+
			"one token; name it in a rule of its own")
	}
	return p.grammarLexeme(p.ref(t.at, p.otherRule(name.text, name.at))), nil
}
