package lark

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/rules"
)

// instance is a template with arguments, or a rule with a number. It becomes one rule. Immutable once its body is
// queued.
type instance struct {
	id   int
	of   *definition
	args []argument
	// number is the argument of a numbered rule, which has no other arguments.
	number uint64
	rule   int
	depth  int // nesting of instances with new arguments
}

// argument is the value of a parameter. Arguments are equal exactly if their keys are.
type argument struct {
	node *rules.Node
	key  string
}

func (p *parser) argument(name string) *rules.Node {
	if a := p.bound(name); a != nil {
		return a.node
	}
	return nil
}

func (p *parser) bound(name string) *argument {
	if p.args == nil {
		return nil
	}
	for i, param := range p.args.of.params {
		if param == name {
			return &p.args.args[i]
		}
	}
	return nil
}

func (p *parser) template(t *token, d *definition) (*rules.Node, error) {
	if d.params == nil {
		return nil, p.Failure(diag.Invalid, t.at, t.text, "%s is not a template, but is used with arguments; write "+
			"it without them", t.text)
	}
	if err := p.mayRefer(t); err != nil {
		return nil, err
	}
	if p.depth++; p.depth > limits.RuleNesting {
		return nil, p.tooDeep(t)
	}
	key := strings.Builder{}
	key.WriteString(strconv.Itoa(p.in.from) + ":" + d.name)
	var args []argument
	for {
		p.pos++
		a, err := p.oneArgument()
		if err != nil {
			return nil, err
		}
		args = append(args, a)
		key.WriteString("\x00" + a.key)
		if !p.peek().is(',') {
			break
		}
	}
	if !p.peek().is('}') {
		return nil, p.Syntax(p.peek().at, "the arguments of a template are separated by commas, and end with '}'")
	}
	p.pos++
	p.depth--
	if len(args) != len(d.params) {
		return nil, p.Failure(diag.Invalid, t.at, t.text, "template %s takes %d arguments, not %d", t.text,
			len(d.params), len(args))
	}
	x := p.instances[key.String()]
	if x == nil {
		x = &instance{id: len(p.instances) + 1, of: d, args: args, rule: p.rule(d, d.name, nil), depth: 1}
		if p.args != nil {
			x.depth += p.args.depth
		}
		if x.id > limits.LarkInstances {
			return nil, p.Failure(diag.Limit, t.at, t.text, "templates are used with more than %d different "+
				"arguments; write rules, or use them with fewer", limits.LarkInstances)
		}
		if x.depth > limits.LarkTemplateDepth {
			return nil, p.Failure(diag.Invalid, t.at, t.text,
				"template %s uses itself with new arguments each time, without end; use it with the same arguments "+
					"there, or write a rule", t.text)
		}
		p.instances[key.String()] = x
		p.queue = append(p.queue, x)
	}
	return p.ref(t.at, x.rule), nil
}

func (p *parser) usesParameters(from, to int) bool {
	return slices.ContainsFunc(p.toks[from:to], func(t token) bool { return t.kind == tName && p.bound(t.text) != nil })
}

// oneArgument reads an argument up to a comma or the closing brace. If it is longer than a name or a string, it
// becomes a rule, so that arguments do not nest.
func (p *parser) oneArgument() (argument, error) {
	from := p.pos
	t := p.peek()
	n, err := p.alternatives()
	if err != nil {
		return argument{}, err
	}
	key := p.src[t.at:max(t.at, p.toks[p.pos-1].end)]
	if p.pos == from+1 && t.kind == tName {
		if a := p.bound(t.text); a != nil {
			return *a, nil
		}
	} else if p.numbered() || p.usesParameters(from, p.pos) {
		key += "\x01" + strconv.Itoa(p.args.id)
	}
	if n.Kind != rules.Ref {
		r := p.rule(&definition{at: t.at}, "argument", n)
		n = p.ref(t.at, r)
	}
	return argument{n, key}, nil
}
