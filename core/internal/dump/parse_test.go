package dump

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/inspect"
)

// Parse reads the text of Grammar, with expressions of st. machine returns the expression of a machine by name, in its
// first state; it may be nil if the text has none. Lazy rules become rules without alternatives.
//
// The text must be trusted: there are no limits.
func Parse(st *terminal.Store, text string, machine func(name string) (terminal.Expr, bool)) (*grammar.Grammar, error) {
	r := reader{st: st, g: grammar.New(), named: map[string]terminal.Expr{}, machine: machine}
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		r.s = scanner{text: line}
		if err := r.line(); err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	return r.g, nil
}

// reader reads the text of a grammar line by line: an indented line continues the one before it.
type reader struct {
	st      *terminal.Store
	g       *grammar.Grammar
	named   map[string]terminal.Expr
	machine func(name string) (terminal.Expr, bool)
	s       scanner
	within  string // the name of a rule, or @repeat, @object, @switch, @boolean
}

func (r *reader) line() (err error) {
	defer func() { // the text comes from a program, so errors have one place
		if x := recover(); x != nil {
			e, ok := x.(syntaxError)
			if !ok {
				panic(x)
			}
			err = e
		}
	}()
	indented := r.s.take("  ")
	switch {
	case !indented && r.s.take("start "):
		r.g.Start = grammar.RuleID(r.number(r.s.word()))
	case !indented && strings.HasPrefix(r.s.text, "$"):
		name := r.s.word()
		r.s.expect(" = ")
		r.named[name] = r.or()
	case !indented:
		r.begin(r.s.word())
	case r.within == "@object":
		r.member()
	case r.within == "@switch":
		r.s.expect("#")
		tag := r.integer()
		r.s.expect(" =")
		n := &r.g.Switches[len(r.g.Switches)-1]
		n.Cases = append(n.Cases, grammar.Case{Tag: tag, Then: r.symbols()})
	default:
		r.s.expect("=")
		x := &r.g.Rules[len(r.g.Rules)-1]
		x.Alternatives = append(x.Alternatives, r.symbols())
	}
	r.s.end()
	return nil
}

// number returns the number after the last point of a name.
func (r *reader) number(name string) uint32 {
	n, err := strconv.ParseUint(name[strings.LastIndexByte(name, '.')+1:], 10, 32)
	if err != nil {
		r.s.fail("%q has no number", name)
	}
	return uint32(n)
}

// scope reads the scope of a rule or of the text of a switch, or returns nil.
func (r *reader) scope() *grammar.Scope {
	var s grammar.Scope
	if r.s.take(" tokens ") {
		s.MaxTokens = r.integer()
	}
	s.Cut = r.s.take(" cut")
	if r.s.take(" temperature ") {
		s.Temperature, s.Heated = r.float(), true
	}
	if r.s.take(" behind ") {
		s.Behind = r.terminal()
	}
	if s == (grammar.Scope{}) {
		return nil
	}
	return &s
}

// float reads a word that is a number.
func (r *reader) float() float64 {
	word := r.s.word()
	x, err := strconv.ParseFloat(word, 64)
	if err != nil {
		r.s.fail("%q is no number", word)
	}
	return x
}

// begin reads the first line of a rule or a node.
func (r *reader) begin(name string) {
	r.within = name[:max(strings.LastIndexByte(name, '.'), 0)]
	switch r.within {
	case "@repeat":
		r.s.expect(" ")
		low, high := r.counts()
		r.s.expect(" =")
		r.g.Repeats = append(r.g.Repeats, grammar.Repeat{Min: low, Max: high, Body: r.symbols()})
	case "@object":
		r.s.expect(" ")
		low, high := r.counts()
		r.g.Objects = append(r.g.Objects, grammar.Object{
			MinMembers: low, MaxMembers: high, AnyOrder: r.s.take(" any-order"),
		})
		if r.s.take(" from ") {
			r.g.Objects[len(r.g.Objects)-1].Ordered = r.integer()
		}
	case "@switch":
		r.s.expect(" on ")
		r.g.Switches = append(r.g.Switches, grammar.Switch{On: r.terminal(), Scope: r.scope()})
	case "@boolean":
		r.s.expect(" ")
		word := r.s.word()
		r.s.expect(" =")
		seq := r.symbols()
		for is, known := range conditions {
			if known == word && len(seq) == 2-map[bool]int{true: 1}[is == grammar.Distinct] {
				seq = append(seq, grammar.Symbol{})
				r.g.Booleans = append(r.g.Booleans, grammar.Boolean{Is: is, Left: seq[0], Right: seq[1]})
				return
			}
		}
		r.s.fail("%q is no condition of so many grammars", word)
	default:
		x := grammar.Rule{Name: r.within}
		if r.s.take(" \"") {
			r.s.at--
			x.Name = r.quoted()
		}
		r.s.take(" lazy")
		x.Scope = r.scope()
		r.g.Rules = append(r.g.Rules, x)
	}
}

// member reads a line of an object.
func (r *reader) member() {
	o := &r.g.Objects[len(r.g.Objects)-1]
	word := r.s.word()
	r.s.expect(" ")
	one := func() grammar.Symbol {
		r.s.expect("=")
		seq := r.symbols()
		if len(seq) != 1 {
			r.s.fail("one symbol is needed")
		}
		return seq[0]
	}
	fields := map[string]*terminal.Expr{
		"open": &o.Open, "close": &o.Close, "comma": &o.Comma, "quote": &o.Quote, "colon": &o.Colon, "keys": &o.Keys,
	}
	switch word {
	case "tags":
		for o.Tags = append(o.Tags, r.integer()); r.s.take(" "); {
			o.Tags = append(o.Tags, r.integer())
		}
	case "optional", "required":
		o.Properties = append(o.Properties, grammar.Property{Value: one(), Required: word == "required"})
	case "extra":
		key := r.terminal()
		r.s.expect(" ")
		o.Extra = append(o.Extra, grammar.Extra{Key: key, Value: one()})
	default:
		if fields[word] == nil {
			r.s.fail("an object has no %q", word)
		}
		*fields[word] = r.terminal()
	}
}

func (r *reader) symbols() (seq grammar.Sequence) {
	for r.s.take(" ") {
		s := r.symbol()
		s.NonEmpty = r.s.take("!")
		seq = append(seq, s)
	}
	return seq
}

func (r *reader) symbol() grammar.Symbol {
	if strings.HasPrefix(r.s.rest(), "/") {
		return grammar.T(r.terminal())
	}
	name := r.s.word()
	if name == "@none" {
		return grammar.Symbol{}
	}
	for kind, word := range nodeNames {
		if strings.HasPrefix(name, word+".") {
			return grammar.Symbol{Kind: kind, Index: r.number(name)}
		}
	}
	return grammar.N(grammar.RuleID(r.number(name)))
}

func (r *reader) terminal() terminal.Expr {
	r.s.expect("/")
	e := r.or()
	r.s.expect("/")
	return e
}

func (r *reader) or() terminal.Expr {
	xs := []terminal.Expr{r.and()}
	for r.s.take(" | ") {
		xs = append(xs, r.and())
	}
	if len(xs) == 1 {
		return xs[0]
	}
	return r.st.Or(xs...)
}

func (r *reader) and() terminal.Expr {
	xs := []terminal.Expr{r.row()}
	for r.s.take(" & ") {
		xs = append(xs, r.row())
	}
	if len(xs) == 1 {
		return xs[0]
	}
	return r.st.And(xs...)
}

func (r *reader) row() terminal.Expr {
	xs := []terminal.Expr{r.postfix()}
	for !strings.HasPrefix(r.s.rest(), " |") && !strings.HasPrefix(r.s.rest(), " &") && r.s.take(" ") {
		xs = append(xs, r.postfix())
	}
	e := xs[len(xs)-1]
	for _, x := range slices.Backward(xs[:len(xs)-1]) {
		e = r.st.Concat(x, e)
	}
	return e
}

func (r *reader) postfix() terminal.Expr {
	if r.s.take("!") {
		return r.st.Not(r.postfix())
	}
	e := r.atom()
	for {
		switch {
		case r.s.take("*"):
			e = r.st.Star(e)
		case strings.HasPrefix(r.s.rest(), "{"):
			low, high := r.counts()
			e = r.st.Repeat(e, low, high)
		default:
			return e
		}
	}
}

func (r *reader) atom() terminal.Expr {
	switch {
	case r.s.take("()"):
		return terminal.Epsilon
	case r.s.take("("):
		e := r.or()
		r.s.expect(")")
		return e
	case r.s.take("never"):
		return terminal.Empty
	case r.s.take("any"):
		return r.st.Not(terminal.Empty)
	case r.s.take("#"):
		return r.st.Tag(r.integer())
	case r.s.take("["):
		return r.st.Bytes(r.byteSet())
	case r.s.take("ascii-json-chars"):
		return r.counted(terminal.JSONString | terminal.ASCII)
	case r.s.take("ascii-chars"):
		return r.counted(terminal.ASCII)
	case r.s.take("json-chars"):
		return r.counted(terminal.JSONString)
	case r.s.take("chars"):
		return r.counted(terminal.UTF8)
	case r.s.take("scan("):
		return r.st.Scan(r.patterns(), false)
	case r.s.take("scanbytes("):
		return r.st.Scan(r.patterns(), true)
	case r.s.take("machine("):
		name := r.quoted()
		r.s.expect(" ")
		state := r.quoted()
		r.s.expect(")")
		if r.machine != nil {
			if e, ok := r.machine(name); ok && inspect.Of(r.st, e).State == state {
				return e
			}
		}
		r.s.fail("machine %q is not known in state %q", name, state)
	case r.s.take("ascii-json"):
		return r.st.Text(r.quoted(), terminal.JSONString|terminal.ASCII)
	case r.s.take("json"):
		return r.st.Text(r.quoted(), terminal.JSONString)
	case strings.HasPrefix(r.s.rest(), `"`):
		return r.st.Literal(r.quoted())
	case strings.HasPrefix(r.s.rest(), "$"):
		if e, ok := r.named[r.s.word()]; ok {
			return e
		}
	}
	r.s.fail("an expression is needed")
	return 0
}

func (r *reader) counted(enc terminal.Encoding) terminal.Expr {
	low, high := r.counts()
	r.s.expect("(")
	e := r.or()
	r.s.expect(")")
	return r.st.Counted(e, enc, low, high)
}

func (r *reader) patterns() []terminal.ScanPattern {
	var patterns []terminal.ScanPattern
	for !r.s.take(")") {
		if len(patterns) > 0 {
			r.s.expect(" ")
		}
		x := terminal.ScanPattern{Text: r.quoted(), Kill: r.s.take("kill")}
		if !x.Kill {
			r.s.expect("#")
			x.Tag = r.integer()
		}
		patterns = append(patterns, x)
	}
	return patterns
}
