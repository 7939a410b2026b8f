// Package compiler turns the text of a constraint into a grammar that matchers run: it picks the front end, links what
// it returns, and owns what all grammars of a vocabulary share.
//
// Invariant: a compiled grammar keeps working whatever happens to the compiler. It pins the epoch of terminals it was
// compiled in; when an epoch has grown too large, new grammars start another and the old one goes with its last
// grammar. Start reading at Compiler.Compile.
package compiler

import (
	"sync"
	"time"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/mask"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/choice"
	"github.com/sluice-engine/sluice/core/internal/source/ebnf"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema"
	"github.com/sluice-engine/sluice/core/internal/source/regex"
	"github.com/sluice-engine/sluice/core/internal/source/structag"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/vocab"
)

// Config is how a compiler differs from the default; zero values mean the defaults.
type Config struct {
	EpochBytes int // size at which the shared store of terminals is begun anew
	StateCap   int // states a grammar keeps before it drops those that nobody is in
}

// Compiler compiles constraints for one vocabulary. Shared and growing, bounded; safe for concurrent use.
type Compiler struct {
	v      *vocab.Vocabulary
	tokens *mask.Tokens
	config Config

	mu    sync.Mutex
	epoch *mask.Engine
}

// New prepares a compiler: it lays the vocabulary out as a trie and computes the token sets of JSON's own terminals.
func New(v *vocab.Vocabulary, c Config) *Compiler {
	if c.EpochBytes == 0 {
		c.EpochBytes = limits.EpochBytes
	}
	if c.StateCap == 0 {
		c.StateCap = limits.GrammarStates
	}
	texts := make([][]byte, v.Size())
	for id := range texts {
		switch i := uint32(id); {
		case v.IsEnd(i): // an end token is never text
		case v.IsSpecial(i):
			texts[id] = v.SpecialBytes(i)
		default:
			texts[id] = v.Bytes(i)
		}
	}
	k := &Compiler{v: v, config: c, tokens: mask.NewTokens(mask.Config{
		Bytes: texts, Special: v.Special(), End: v.EndTokens(), Words: v.Words(),
	})}
	k.epoch = k.newEpoch()
	return k
}

// newEpoch returns an engine over a fresh store, with what every JSON grammar needs computed.
func (c *Compiler) newEpoch() *mask.Engine {
	st := terminal.NewStore()
	e := mask.NewEngine(c.tokens, st)
	quote := st.Literal(`"`)
	body := st.Star(st.AnyRune(terminal.JSONString))
	for _, text := range []terminal.Expr{body, st.Counted(body, terminal.JSONString, 0, 1<<20)} {
		e.PrepareTerminals([]terminal.Expr{st.Concat(text, quote)}) // each has the budget of a call: a large vocabulary takes most of it
	}
	var whitespace terminal.ByteSet
	for _, b := range []byte(" \t\n\r") {
		whitespace.Add(b)
	}
	e.PrepareRuns(whitespace)
	return e
}

// Vocabulary returns the vocabulary the compiler was made for.
func (c *Compiler) Vocabulary() *vocab.Vocabulary { return c.v }

// engine returns the present epoch, beginning a new one if it has grown too large.
func (c *Compiler) engine() *mask.Engine {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.epoch.Size()+c.epoch.Store().Size() > c.config.EpochBytes {
		c.epoch = c.newEpoch()
	}
	return c.epoch
}

// Compile reads a constraint. o is not changed. Errors are *diag.Error: Syntax, Invalid, Unsupported or Unsatisfiable
// with a place, Limit where a budget was spent.
func (c *Compiler) Compile(kind source.Kind, spec []byte, o *source.Options) (*Grammar, error) {
	begin := time.Now()
	if len(spec) > limits.SpecBytes {
		return nil, diag.Errorf(diag.Limit, kind.String(), diag.Place{}, "the constraint has %d bytes; at most %d are read", len(spec), limits.SpecBytes)
	}
	opts := *o
	opts.TokenID, opts.TokenCount, opts.EndTokens = c.v.TokenID, c.v.Size(), c.v.EndTokens()
	defer func() { opts.Stop = nil }() // what is lowered later, on behalf of a matcher, has the options still
	e := c.engine()
	g, notes, err := c.front(kind, e.Store(), spec, &opts)
	if err != nil {
		return nil, err
	}
	if stopped(&opts) {
		return nil, unfinished(kind)
	}
	p, err := pushdown.NewProgram(e.Store(), g)
	if err != nil {
		return nil, named(err, kind)
	}
	if stopped(&opts) {
		return nil, unfinished(kind)
	}
	out := &Grammar{v: c.v, engine: e, program: p, notes: notes, text: textView(kind, opts.SpecialTokens), cap: c.config.StateCap}
	m := mask.NewMasks(e, pushdown.NewAutomaton(p), out.text)
	if m.Automaton().Start() == pushdown.Over {
		return nil, diag.Errorf(diag.Limit, kind.String(), diag.Place{}, "the grammar is in more than %d things at once before its first byte", limits.TransitionWork)
	}
	for _, stage := range []func(){
		func() { e.PrepareTerminals(p.Terminals()) },
		func() { e.PrepareKeys(p.Keys(mask.ManyKeys)) },
		m.Prepare,
	} {
		if stopped(&opts) {
			return nil, unfinished(kind)
		}
		stage()
	}
	out.current.Store(m)
	out.compileTime = time.Since(begin)
	return out, nil
}

func stopped(o *source.Options) bool { return o.Stop != nil && o.Stop() }

func unfinished(kind source.Kind) error {
	return diag.Errorf(diag.Unfinished, kind.String(), diag.Place{}, "the compilation was stopped before it was done")
}

// named gives an error of a later stage the name of the constraint it came from.
func named(err error, kind source.Kind) error {
	if e, ok := err.(*diag.Error); ok && e.Source == "grammar" {
		x := *e
		x.Source = kind.String()
		return &x
	}
	return err
}

func textView(kind source.Kind, v source.TokenView) bool {
	if v == source.DefaultView {
		return kind == source.StructuralTag || kind == source.Lark
	}
	return v == source.TextView
}

func (c *Compiler) front(kind source.Kind, st *terminal.Store, spec []byte, o *source.Options) (*grammar.Grammar, []diag.Note, error) {
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
		return nil, nil, diag.Errorf(diag.Unsupported, "lark", diag.Place{}, "Lark grammars are not read yet; write the grammar as EBNF")
	}
	return nil, nil, diag.Errorf(diag.Argument, "compile", diag.Place{}, "kind %d is none of json_schema, regex, ebnf, structural_tag, choice, json_object, json", uint32(kind))
}
