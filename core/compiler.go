package core

import (
	"cmp"
	"runtime"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/cache"
	"github.com/sluice-engine/sluice/core/internal/compiled"
	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source"
)

// Options of one compilation; the zero value is the default of every option.
type Options = source.Options

// NamedGrammar is a grammar that @name in Lark refers to; see Options.Grammars.
type NamedGrammar = source.NamedGrammar

// Compiler turns constraints into grammars for one vocabulary. Its grammars are independent of each other; they share
// the vocabulary and a bounded cache of token sets, which changes no answer. Who asks for an equal constraint gets the
// grammar that was made before, see CacheStats. Safe for concurrent use.
type Compiler struct {
	c      *compiler.Compiler
	v      *Vocabulary
	number uint32
	cache  *cache.Cache[outcome] // nil: every compilation makes a grammar of its own
	slots  chan struct{}         // of jobs, as many as may compile at once
	warm   int                   // CompilerConfig.WarmBytes; 0: none
}

// CompilerConfig bounds what a compiler and its grammars keep in memory, and what may be refused as too hard; zero
// means the default. Masks do not depend on it.
type CompilerConfig struct {
	SharedBytes   int // a grammar begins its terminals and token sets anew when they have grown by more than this
	GrammarStates int // a grammar drops the parser states that no matcher is in beyond this number

	// What one thing may cost when nothing is known from before; beyond it is the error limit, for everybody and
	// always.
	MaskBudget       int // a mask, in trie nodes and parts of expressions that are looked at; and what one call accepts
	SearchBudget     int // telling whether patterns on one text match anything together, in the same unit
	TransitionBudget int // what one byte of text may lead to, in items of the parser
	CompileBudget    int // a compilation, from its text to its first mask, in steps that take some 15 ns each

	// CacheBytes is how much the grammars may take that are kept for those who ask for them again, what they have found
	// for their matchers included; below 0: none is kept, and equal constraints are compiled apart.
	CacheBytes int

	// WarmBytes is how long an output is made up for a grammar that was compiled, to find the masks along it before
	// somebody needs them: 256; below 0: none is, nor is one where the process may use only one thread, or where
	// MaskBudget is below its default. One goroutine of the process does so, for one grammar after the other, for a third
	// of a millisecond each.
	WarmBytes int

	// Number is part of every MaskKey of the compiler's grammars: compilers whose keys meet in one place need different
	// ones.
	Number uint32
}

// budgets returns the default ones with those that c says.
func (c *CompilerConfig) budgets() limits.Budgets {
	const most = 1 << 40 // of which multiples are numbers, too
	b := limits.DefaultBudgets()
	b.Text = min(cmp.Or(c.MaskBudget, b.Text), most)
	b.Mask = min(cmp.Or(c.MaskBudget, b.Mask), most)
	b.Search = min(cmp.Or(c.SearchBudget, b.Search), most)
	b.Row = b.Search + b.Search/2
	b.Transition = min(cmp.Or(c.TransitionBudget, b.Transition), most)
	b.Compile = min(cmp.Or(c.CompileBudget, b.Compile), most)
	return b
}

// NewCompiler makes a compiler for a vocabulary.
func NewCompiler(v *Vocabulary, c CompilerConfig) *Compiler {
	budgets := c.budgets()
	config := compiler.Config{StoreBytes: c.SharedBytes, StateCap: c.GrammarStates, Budgets: &budgets}
	k := &Compiler{c: compiler.New(v.v, config), v: v, number: c.Number}
	if d := limits.DefaultBudgets(); runtime.GOMAXPROCS(0) > 1 && budgets.Mask >= d.Mask && budgets.Text >= d.Text {
		k.warm = max(cmp.Or(c.WarmBytes, limits.WarmBytes), 0)
	}
	k.slots = make(chan struct{}, runtime.GOMAXPROCS(0))
	if most := cmp.Or(c.CacheBytes, limits.GrammarCacheBytes); most > 0 {
		k.cache = cache.New(most, outcome.size)
	}
	return k
}

// Vocabulary returns the vocabulary the compiler was made for.
func (c *Compiler) Vocabulary() *Vocabulary { return c.v }

// Compile turns a constraint into a grammar. o may be nil; an option that means nothing for this kind is an error.
func (c *Compiler) Compile(kind Kind, spec []byte, o *Options) (_ *Grammar, err error) {
	defer caught(&err)
	if o == nil {
		o = new(Options)
	}
	if err := checkKind(kind, o); err != nil {
		return nil, err
	}
	if kind == Request {
		return c.compileRequest(spec, o)
	}
	as := kind.Resolve(spec)
	g, err := c.compile(as, spec, o)
	if err != nil {
		return nil, takenFor(kind, as, err)
	}
	return &Grammar{g: g, v: c.v, number: c.number, kind: as, notes: g.Notes()}, nil
}

// takenFor makes an error of a GrammarText say why it was read as it was: who writes one may have meant the other.
func takenFor(kind, as Kind, err error) error {
	if kind != GrammarText || err == nil {
		return err
	}
	e := *AsError(err)
	if e.Code == CodeSyntax || e.Code == CodeInvalid {
		said, excerpt, _ := strings.Cut(e.Message, "\n")
		said += map[Kind]string{
			EBNF: " (read as EBNF: there is a ::= in the text)", Lark: " (read as Lark: there is no ::= in the text)",
		}[as]
		e.Message = strings.TrimSuffix(said+"\n"+excerpt, "\n")
	}
	return &e
}

// Grammar is one compiled constraint. Shared and growing (it computes states and masks when they are first asked for),
// bounded; safe for concurrent use.
type Grammar struct {
	g      *compiled.Grammar
	v      *Vocabulary
	number uint32 // the compiler's
	kind   Kind
	notes  []Note
}

// Stats is what a grammar cost so far.
type Stats struct {
	States    int   // parser states that are held at present
	Bytes     int   // memory held for this grammar alone, about
	CompileNS int64 // how long compilation took
	// CompileWork is what compilation did, in the unit of CompilerConfig.CompileBudget: the same for everybody.
	CompileWork int
}

// Vocabulary returns the vocabulary the grammar was compiled for.
func (g *Grammar) Vocabulary() *Vocabulary { return g.v }

// Notes returns where the grammar's meaning differs from what was written; none means that it is exact. The result must
// not be changed.
func (g *Grammar) Notes() []Note { return g.notes }

// Kind returns the kind of constraint. That of a GrammarText is EBNF or Lark. That of a request is the kind of what it
// asks for, and 0 if that is nothing: then the grammar allows everything, and a sequence needs no matcher.
func (g *Grammar) Kind() Kind { return g.kind }

// Stats returns what the grammar cost so far.
func (g *Grammar) Stats() Stats {
	s := g.g.Stats()
	return Stats{States: s.States, Bytes: s.Bytes, CompileNS: s.CompileNS, CompileWork: s.CompileWork}
}
