// Package compiler turns the text of a constraint into a grammar for matchers. It calls the front end, links its
// grammar, and owns the parts that all grammars of a vocabulary share.
//
// Invariant: a grammar depends on the constraint, its options and the vocabulary, and not on earlier compilations. Its
// terminals are in a store of its own, above the standard store, which never changes. Start reading at Compiler.Compile.
package compiler

import (
	"time"

	"github.com/sluice-engine/sluice/core/internal/capture"
	"github.com/sluice-engine/sluice/core/internal/compiled"
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/mask"
	"github.com/sluice-engine/sluice/core/internal/metrics"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/choice"
	"github.com/sluice-engine/sluice/core/internal/source/ebnf"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema"
	"github.com/sluice-engine/sluice/core/internal/source/lark"
	"github.com/sluice-engine/sluice/core/internal/source/regex"
	"github.com/sluice-engine/sluice/core/internal/source/structag"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/prices"
	"github.com/sluice-engine/sluice/core/internal/tokenset"
	"github.com/sluice-engine/sluice/core/internal/vocab"
	"github.com/sluice-engine/sluice/core/internal/work"
)

// Config configures the grammars of a compiler. Zero values select the defaults.
type Config = compiled.Config

// Compiler compiles constraints for one vocabulary. Immutable; safe for concurrent use.
type Compiler struct {
	v      *vocab.Vocabulary
	config Config
	parts  func() *parts // waits until they are ready
}

// parts are what all grammars of a compiler share.
type parts struct {
	tokens   *tokenset.Tokens
	standard *mask.Engine // the engine below all grammars, see standard.go
}

// New prepares a compiler: it builds the vocabulary's trie and computes the token sets of JSON's own terminals.
func New(v *vocab.Vocabulary, c Config) *Compiler {
	k := newCompiler(v, c)
	p := k.partsOf(k.newTokens(nil))
	k.parts = func() *parts { return p }
	return k
}

// newCompiler returns a compiler without parts.
func newCompiler(v *vocab.Vocabulary, c Config) *Compiler {
	if c.StoreBytes == 0 {
		c.StoreBytes = limits.GrammarStoreBytes
	}
	if c.Budgets == nil {
		b := limits.DefaultBudgets()
		c.Budgets = &b
	}
	if c.StateCap == 0 {
		c.StateCap = limits.GrammarStates
	}
	return &Compiler{v: v, config: c}
}

// newTokens prepares the vocabulary; see tokenset.Config for order.
func (c *Compiler) newTokens(order []uint32) *tokenset.Tokens {
	texts := make([][]byte, c.v.Size())
	for id := range texts {
		switch i := uint32(id); {
		case c.v.IsEnd(i): // an end token is never text
		case c.v.IsSpecial(i):
			texts[id] = c.v.SpecialBytes(i)
		default:
			texts[id] = c.v.Bytes(i)
		}
	}
	return tokenset.NewTokens(tokenset.Config{
		Bytes: texts, Special: c.v.Special(), End: c.v.EndTokens(), Words: c.v.Words(), Order: order,
	})
}

// partsOf compiles what nearly every grammar needs.
func (c *Compiler) partsOf(tokens *tokenset.Tokens) *parts {
	p := &parts{tokens: tokens, standard: c.newStandard(tokens)}
	p.standard.Recount()
	return p
}

// Forget drops the token sets that grammars share, except those that New computed.
func (c *Compiler) Forget() { c.parts().tokens.Forget() }

// Metrics returns the counters of the compiler and of all its grammars.
func (c *Compiler) Metrics() *metrics.Metrics { return c.parts().standard.Metrics() }

// TrieBytes returns the approximate bytes of the vocabulary's trie.
func (c *Compiler) TrieBytes() int { return c.parts().tokens.Size() }

// TokenSetBytes returns the approximate bytes of the token sets that grammars share.
func (c *Compiler) TokenSetBytes() int { return c.parts().tokens.SharedBytes() }

// Compile compiles a constraint. o is not changed. Errors are *diag.Error: Syntax, Invalid, Unsupported or
// Unsatisfiable with a place, Limit if a budget was spent.
func (c *Compiler) Compile(kind source.Kind, spec []byte, o *source.Options) (*compiled.Grammar, error) {
	begin := time.Now()
	if len(spec) > limits.SpecBytes {
		return nil, tooLong(kind, spec)
	}
	opts := *o
	m := work.New(c.config.Budgets.Compile, o.Stop)
	defer m.End()
	opts.Work, opts.Stop = m, nil // lazy rules keep the options, and Stop belongs to this call
	g, err := c.compile(kind, spec, &opts)
	if err != nil {
		return nil, err
	}
	g.Took(time.Since(begin), c.config.Budgets.Compile-m.Left())
	return g, nil
}

// compile is Compile with its own copy of the options, which counts the work.
func (c *Compiler) compile(kind source.Kind, spec []byte, opts *source.Options) (_ *compiled.Grammar, err error) {
	defer func() { err = c.ended(kind, recover(), err) }()
	defer opts.Work.At(func() *diag.Error { return beginning(kind, spec) })()
	e := c.newEngine(opts)
	e.Store().SetWork(opts.Work)
	defer e.Store().SetWork(nil)
	g, notes, err := c.front(kind, e.Store(), spec, opts)
	if err != nil {
		return nil, err
	}
	a, err := c.link(e.Store(), g, kind, opts.Work)
	if err != nil {
		return nil, err
	}
	made := compiled.Made{
		Vocabulary: c.v, Standard: c.parts().standard, Notes: notes, Whole: beginning(kind, spec),
		TextView: textView(kind, opts.SpecialTokens), Config: c.config,
	}
	if len(spec) <= limits.ExplainedBytes {
		made.Places, made.Spec = c.placesOf(kind, spec, opts), len(spec)
	}
	m := mask.NewMasks(e, a, made.TextView)
	if err := c.withinBudgets(m, g, kind, opts.Work); err != nil {
		return nil, err
	}
	if made.Captures, err = c.finder(g, kind, opts.Work); err != nil {
		return nil, err
	}
	return compiled.New(made, m), nil
}

// link turns a front end's grammar into an automaton. It needs no vocabulary.
func (c *Compiler) link(
	st *terminal.Store, g *grammar.Grammar, kind source.Kind, w *work.Meter,
) (*pushdown.Automaton, error) {
	if err := settle(st, g, kind); err != nil {
		return nil, err
	}
	w.Look()
	done := w.At(func() *diag.Error { return placeOf(g, st, terminal.TooHard) }) // of the heaviest terminal
	p, err := pushdown.NewProgram(st, g)
	done()
	if err != nil {
		return nil, named(err, kind)
	}
	w.Look()
	if err := c.withinExpressions(p, g, kind, w); err != nil {
		return nil, err
	}
	a := pushdown.NewAutomaton(p)
	if a.Start() == pushdown.Over {
		return nil, placed(diag.Errorf(diag.Limit, kind.String(), diag.Place{},
			"the grammar can begin in more than %d ways at once; let fewer of its rules begin with one "+
				"another", c.config.Budgets.Transition), g.Rules[g.Start].Origin.Place())
	}
	return a, nil
}

// newEngine returns an engine for one grammar, and gives opts the tokens of the vocabulary.
func (c *Compiler) newEngine(opts *source.Options) *mask.Engine {
	opts.TokenIDs, opts.TokenCount, opts.EndTokens = c.v.TokenIDs, c.v.Size(), c.v.EndTokens()
	opts.TokenText = func(id uint32) string {
		if c.v.IsSpecial(id) {
			return string(c.v.SpecialBytes(id))
		}
		return string(c.v.Bytes(id))
	}
	return mask.NewEngineOver(c.parts().standard, *c.config.Budgets)
}

// Front returns the front end's grammar and the store of its terminals, for inspection. The grammar is neither
// rewritten nor checked, and only the front end's limits bound it.
func (c *Compiler) Front(kind source.Kind, spec []byte, o *source.Options) (*grammar.Grammar, *terminal.Store, error) {
	opts := *o
	st := c.newEngine(&opts).Store()
	g, _, err := c.front(kind, st, spec, &opts)
	return g, st, err
}

// finder returns the finder of a grammar's captures, nil if it has none.
func (c *Compiler) finder(g *grammar.Grammar, kind source.Kind, w *work.Meter) (*capture.Finder, error) {
	if g.Marked == nil {
		return nil, nil
	}
	begin := func() *terminal.Store {
		st := terminal.NewStoreOver(c.parts().standard.Store(), *c.config.Budgets)
		st.SetWork(w)
		return st
	}
	f, err := capture.New(begin, g.Marked, c.config.StateCap, c.config.StoreBytes)
	if err != nil {
		return nil, named(err, kind)
	}
	f.Store().SetWork(nil)
	w = nil // begin is called again after the compilation
	if f.TooHard() {
		return nil, placed(diag.Errorf(diag.Limit, kind.String(), diag.Place{}, "captures can begin in more than "+
			"%d ways before the first byte; capture fewer of the rules that begin with one another",
			c.config.Budgets.Transition), g.Rules[g.Start].Origin.Place())
	}
	return f, nil
}

// ended returns err, or the error for a recovered work.Ended. It panics again with any other panic.
func (c *Compiler) ended(kind source.Kind, recovered any, err error) error {
	if recovered == nil {
		return err
	}
	ended, ok := recovered.(work.Ended)
	switch {
	case !ok:
		panic(recovered)
	case ended.Stopped:
		return unfinished(kind)
	}
	e := diag.Errorf(diag.Limit, kind.String(), diag.Place{}, "compiling takes more than %d steps; simplify the "+
		"constraint up to this place, or split it", c.config.Budgets.Compile)
	return placed(e.Advise("give the compiler a higher compile_budget"), ended.At)
}

// tooLong returns the error of a text above limits.SpecBytes. Its place is the byte at the limit.
func tooLong(kind source.Kind, spec []byte) error {
	e := diag.Errorf(diag.Limit, kind.String(), diag.TextPlace(string(spec[:limits.SpecBytes]), limits.SpecBytes),
		"the constraint has %d bytes, more than the limit of %d; remove parts that constrain nothing, or split "+
			"it", len(spec), limits.SpecBytes)
	e.Fragment = diag.Shorten(string(spec[limits.SpecBytes:min(len(spec), limits.SpecBytes+2*fragment)]), fragment)
	return e
}

func unfinished(kind source.Kind) error {
	return diag.Errorf(diag.Unfinished, kind.String(), diag.Place{}, "the compilation was stopped before it was done")
}

// withinExpressions refuses a grammar with a terminal that exceeds the budget of an expression, or whose graph exceeds a
// limit.
func (c *Compiler) withinExpressions(
	p *pushdown.Program, g *grammar.Grammar, kind source.Kind, w *work.Meter,
) error {
	most := c.config.Budgets.Expression
	for _, x := range p.Terminals() {
		if prices.Weight(p.Store(), x) > most {
			e := diag.Errorf(diag.Limit, kind.String(), diag.Place{}, "a pattern, or a list of numbers, can "+
				"continue in more than %d ways at once; write fewer optional parts in a row, or list fewer "+
				"values", most)
			return placed(e, placeOf(g, p.Store(), x))
		}
	}
	for _, x := range append(p.Terminals(), p.Keys()...) {
		done := w.At(func() *diag.Error { return placeOf(g, p.Store(), x) })
		ok := p.Store().Explore(x)
		if done(); !ok {
			e := diag.Errorf(diag.Limit, kind.String(), diag.Place{}, "the conditions on one text, such as "+
				"look-aheads, intersections, exclusions, lengths and several patterns of keys, have more than %d "+
				"states together; write fewer of them, smaller bounds, or patterns that begin with ^ and share no text",
				limits.GraphStates)
			return placed(e, placeOf(g, p.Store(), x))
		}
		w.Look()
	}
	return nil
}

// withinBudgets computes the first mask of a grammar. It returns an error if that exceeds its budget.
func (c *Compiler) withinBudgets(m *mask.Masks, g *grammar.Grammar, kind source.Kind, w *work.Meter) error {
	budgets := c.config.Budgets
	w.Quiet() // the mask is charged below, at its price without caches
	within := m.WithinBudget(m.Automaton().Start())
	if !w.Counted() {
		return unfinished(kind)
	}
	if !within {
		return placed(diag.Errorf(diag.Limit, kind.String(), diag.Place{},
			"the first mask takes more than %d steps, or one byte of it more than %d: %s", budgets.Mask, budgets.Transition,
			m.Cause(m.Automaton().Start())), hardest(m, g))
	}
	w.Spend(m.Cost(m.Automaton().Start()))
	w.Look()
	return nil
}

// named returns an error about a grammar as an error about a constraint of a kind.
func named(err error, kind source.Kind) error {
	if e, ok := err.(*diag.Error); ok && e.Source == "grammar" {
		x := *e
		x.Source = kind.String()
		if kind == source.JSONSchema && e.Code == diag.Unsatisfiable {
			x.Place, x.Keyword, x.Fragment, x.Message = diag.At(""), "", "", contradiction
		}
		return &x
	}
	return err
}

// textView reports whether special tokens are allowed as text.
func textView(kind source.Kind, v source.TokenView) bool {
	if v == source.DefaultView {
		return kind == source.StructuralTag || kind == source.Lark
	}
	return v == source.TextView
}

// front calls the front end of a kind.
func (c *Compiler) front(
	kind source.Kind, st *terminal.Store, spec []byte, o *source.Options,
) (*grammar.Grammar, []diag.Note, error) {
	switch kind {
	case source.JSONSchema:
		return jsonschema.Compile(st, spec, o)
	case source.JSONObject:
		g, err := jsonschema.CompileJSONObject(st, o)
		return g, nil, err
	case source.AnyJSON:
		g, err := jsonschema.CompileAnyJSON(st, o)
		return g, nil, err
	case source.Regex:
		return regex.Compile(st, spec, o)
	case source.EBNF:
		return ebnf.Compile(st, spec, o)
	case source.StructuralTag:
		return structag.Compile(st, spec, o)
	case source.Choice:
		return choice.Compile(st, spec, o)
	case source.Lark:
		return lark.Compile(st, spec, o)
	}
	return nil, nil, diag.Errorf(diag.Argument, "compile", diag.Place{}, "kind %d has no front end", uint32(kind))
}
