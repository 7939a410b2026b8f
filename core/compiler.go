package core

import (
	"cmp"
	"runtime"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/cache"
	"github.com/sluice-engine/sluice/core/internal/compiled"
	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/events"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/matcher"
)

// Compiler turns constraints into grammars for one vocabulary. Make one for each model. Equal constraints get the same
// grammar from its cache; see CacheStats. Grammars do not affect each other's masks. Safe for concurrent use.
type Compiler struct {
	c      *compiler.Compiler
	v      *Vocabulary
	number uint32
	cache  *cache.Cache[outcome] // nil: every compilation makes a grammar of its own
	slots  chan struct{}         // of jobs, as many as may compile at once
	warm   int                   // CompilerConfig.WarmBytes; 0: none
}

// CompilerConfig bounds the memory of a compiler and its grammars, and the work of each call. Zero means the default.
// No mask depends on it: work beyond a budget fails with CodeLimit. Budgets count steps, so every machine gives the
// same answer.
type CompilerConfig struct {
	// SharedBytes bounds the growth of a grammar's terminals and token sets. Beyond it they are built anew.
	SharedBytes int
	// GrammarStates bounds the parser states that a grammar keeps. Beyond it, states that no matcher is in are dropped.
	GrammarStates int

	// MaskBudget bounds one mask, and the text that one call accepts, if nothing is cached. It counts nodes of the
	// token trie and parts of expressions.
	MaskBudget int
	// SearchBudget bounds the search for a text that several patterns match, in the same unit.
	SearchBudget int
	// TransitionBudget bounds the items of the parser after one byte of text.
	TransitionBudget int
	// CompileBudget bounds a compilation from its text to its first mask, in steps of about 15 ns.
	CompileBudget int

	// CacheBytes is the size of the cache of grammars, including the masks that they have computed. Below 0: no cache,
	// and equal constraints are compiled separately.
	CacheBytes int

	// WarmBytes is the length of the sample output along which a background goroutine precomputes masks after a
	// compilation; default 256, below 0: none. The process has one such goroutine, and it takes about 0.3 ms a grammar.
	// It does not run if GOMAXPROCS is 1 or MaskBudget is below its default.
	WarmBytes int

	// Number is part of every MaskKey of the compiler's grammars. Give different numbers to compilers whose keys are
	// compared with each other.
	Number uint32
}

// budgets returns the defaults, overridden by c.
func (c *CompilerConfig) budgets() limits.Budgets {
	const most = 1 << 40 // multiples of it fit an int
	b := limits.DefaultBudgets()
	b.Text = min(cmp.Or(c.MaskBudget, b.Text), most)
	b.Mask = min(cmp.Or(c.MaskBudget, b.Mask), most)
	b.Search = min(cmp.Or(c.SearchBudget, b.Search), most)
	b.Transition = min(cmp.Or(c.TransitionBudget, b.Transition), most)
	b.Compile = min(cmp.Or(c.CompileBudget, b.Compile), most)
	return b
}

// NewCompiler makes a compiler for a vocabulary. It takes about 0.3 s of CPU for 128,000 tokens: it builds a trie of
// the tokens and the token sets that most JSON needs.
func NewCompiler(v *Vocabulary, c CompilerConfig) *Compiler {
	return newCompiler(compiler.New(v.v, c.engine()), v, c)
}

// engine returns the configuration of grammars.
func (c *CompilerConfig) engine() compiler.Config {
	budgets := c.budgets()
	return compiler.Config{StoreBytes: c.SharedBytes, StateCap: c.GrammarStates, Budgets: &budgets}
}

func newCompiler(engine *compiler.Compiler, v *Vocabulary, c CompilerConfig) *Compiler {
	budgets := c.budgets()
	k := &Compiler{c: engine, v: v, number: c.Number}
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

// Compile turns a constraint into a grammar. o may be nil. Errors are CodeArgument for an option that means nothing for
// the kind, CodeSyntax, CodeInvalid and CodeUnsupported with a place in spec, CodeUnsatisfiable, CodeLimit for work or
// memory beyond a budget, and CodeUnfinished if o.Stop ended the call.
func (c *Compiler) Compile(kind Kind, spec []byte, o *Options) (_ *Grammar, err error) {
	defer c.caught(&err)
	if o, err = o.orDefault(kind); err != nil {
		return nil, err
	}
	if kind == Request {
		return c.compileRequest(spec, o)
	}
	as := kind.Resolve(spec)
	g, err := c.compile(as, spec, o.engine())
	if err != nil {
		return nil, takenFor(kind, as, err)
	}
	return &Grammar{
		g: g, v: c.v, number: c.number, kind: as, notes: notesOfEngine(g.Notes()), events: programOf(as, nil, nil),
	}, nil
}

// takenFor adds to an error about a GrammarText the language in which it was read, since its author may have meant the
// other one.
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

// Grammar is one compiled constraint, for any number of matchers. It computes states and masks on first use and keeps
// them within bounds. Safe for concurrent use.
type Grammar struct {
	g      *compiled.Grammar
	v      *Vocabulary
	number uint32 // the compiler's
	kind   Kind
	notes  []Note
	move   matcher.Move // of a request: from its constraint to its text; else nil
	events func() *events.Program
}

// Stats is the memory and the work of a grammar so far.
type Stats struct {
	States    int   // parser states in memory
	Bytes     int   // memory of this grammar alone, approximately
	CompileNS int64 // time of the compilation, in nanoseconds
	// CompileWork is the work of the compilation in the unit of CompilerConfig.CompileBudget. It is the same on every
	// machine.
	CompileWork int
}

// Vocabulary returns the vocabulary the grammar was compiled for.
func (g *Grammar) Vocabulary() *Vocabulary { return g.v }

// Notes returns the differences between the constraint as written and as enforced; none: it is enforced exactly. The
// result must not be changed.
func (g *Grammar) Notes() []Note { return g.notes }

// Kind returns the kind of the constraint: EBNF or Lark for a GrammarText, the kind of its constraint for a Request. It
// is 0 for a request without a constraint; that grammar allows everything, so a sequence needs no matcher.
func (g *Grammar) Kind() Kind { return g.kind }

// Stats returns the memory and the work of the grammar so far.
func (g *Grammar) Stats() Stats {
	s := g.g.Stats()
	return Stats{States: s.States, Bytes: s.Bytes, CompileNS: s.CompileNS, CompileWork: s.CompileWork}
}
