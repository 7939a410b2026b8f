package ending

import (
	"sync"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/terminal/prices"
	"github.com/sluice-engine/sluice/core/internal/tokentrie"
)

// A state of one item differs from another state with the same terminal by its stack alone, so tokens that stay within
// the terminal, or end as it does, fall into the same classes (Lemma 224). A template has these classes and the places
// from which a walk has to go on. It is found once for a vocabulary and all grammars. Without it each state walks the
// vocabulary: the masks of BenchmarkNearLimits take three times as long.

// template is the tokens of the vocabulary from one state of a terminal. It has no classes if its cost exceeds a
// question's budget, which is the same for all grammars of a vocabulary. Immutable.
type template struct {
	classes []templateClass
	open    []openNode
	cost    int
}

// templateClass is the tokens that lead to one state, maybe none.
type templateClass struct {
	rank  uint32 // of a token: its first depth bytes lead to the state, with the fewest code points
	depth uint16
	b     byte
	from  int32    // the class behind which byte b ends the terminal; fromRoot, or within: it has not ended
	ids   []uint32 // unless bits has them
	bits  []uint32
	count uint32 // those code points
}

const (
	fromRoot = -1
	within   = -2
)

// openNode is a node of the trie at which the terminal has ended, and its class.
type openNode struct {
	node  uint32
	class int32
}

// templateKey names a terminal's state by content.
type templateKey struct {
	digest  terminal.Digest
	counter counters.Counter // without its count
	enough  bool             // it serves counts that are enough rounds of a loop; else it serves all
}

// templates keeps the templates of a vocabulary.
type templates struct {
	mu    sync.Mutex
	found map[templateKey]*template
	cost  int // of found
}

// templatesKept bounds the costs of a vocabulary's templates together, which grow as their memory. Schemas without
// patterns have a dozen templates, of about 100 KB each. A pattern with many states has one of up to 1.4 MB for each
// state; 30 MB of them are kept.
const templatesKept = 100_000_000

// templateOf returns the template of a state of one item, nil if the state needs a walk of its own.
func (f *Finder) templateOf(s pushdown.StateID) *template {
	items := f.a.Items(s)
	if len(items) != 1 || len(f.a.BooleanItems(s)) > 0 || f.limited || len(f.lexicon.trie.Nodes) <= fewerTrie {
		return nil
	}
	st := f.masks.Engine().Store()
	it := items[0]
	digest, known := st.Digest(it.Terminal)
	if !known || st.View().Tagged(it.Terminal) {
		return nil
	}
	key, all := templateKey{digest: digest, counter: it.Counter.WithCount(0)}, &f.lexicon.templates
	loop := counters.EnoughRounds(st, it.Terminal, it.Counter)
	key.enough = loop != terminal.Empty
	all.mu.Lock()
	t := all.found[key]
	all.mu.Unlock()
	if t == nil {
		t = newTemplate(st, f.lexicon, it.Terminal, key.counter, loop)
		all.keep(key, t)
	}
	f.pay(t.cost)
	return t
}

// keep adds a template, and drops all others if they cost too much together.
func (a *templates) keep(key templateKey, t *template) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.found[key] != nil {
		return // another thread has made it
	}
	if a.cost += t.cost; a.found == nil || a.cost > templatesKept {
		a.found, a.cost = map[templateKey]*template{}, t.cost
	}
	a.found[key] = t
}

// templateState is a state of a terminal at a depth of the trie.
type templateState struct {
	e     terminal.Expr
	c     counters.Counter // of a counted terminal; it counts from the root, without bounds
	class int32            // fromRoot: none yet
	alive *terminal.ByteSet
}

// step returns the state after byte b, and whether the terminal or its counted part may have ended there.
func (x *templateState) step(st *terminal.Store, b byte, counted bool) (y templateState, ended bool) {
	if !counted {
		y.e, y.c = counters.Step(st, x.e, x.c, b)
		return y, y.e == terminal.TooHard || counters.Accepts(st, y.e, y.c)
	}
	var inside bool
	y.e, y.c, inside = counters.StepFree(st, x.e, x.c, b)
	return y, !inside || y.c.Between() && counters.Complete(st, y.e)
}

// classKey is equal for tokens of one class: the state within the terminal, without its count if the rounds are enough.
type classKey struct {
	e    terminal.Expr
	c    counters.Counter
	from int32 // the parent's class, if the terminal has ended
	b    byte
}

func newTemplate(st *terminal.Store, x *lexicon, e terminal.Expr, c counters.Counter, loop terminal.Expr) *template {
	t, trie, most, counted := &template{}, x.trie, st.Budgets().Ending, counters.Inside(st, e)
	at := map[classKey]int32{}
	paid := map[terminal.Expr]bool{}
	alive := func(e terminal.Expr) *terminal.ByteSet {
		if !paid[e] {
			paid[e] = true
			t.cost += limits.PartCost * prices.Row(st, e)
		}
		return st.Alive(e)
	}
	stack := make([]templateState, trie.MaxLen+2)
	stack[0] = templateState{e: e, c: c, class: fromRoot, alive: alive(e)}
	class := func(key classKey, n *tokentrie.Node, count uint32) int32 {
		k, ok := at[key]
		if !ok {
			k = int32(len(t.classes))
			at[key] = k
			t.classes = append(t.classes, templateClass{rank: n.Token, depth: n.Depth, from: key.from, b: key.b, count: count})
			t.cost += walkState
		}
		if p := &t.classes[k]; count < p.count {
			p.rank, p.depth, p.count = n.Token, n.Depth, count
		}
		return k
	}
	add := func(k int32, from, to uint32) {
		// Special tokens are among them: a mask in which they are no text has none of them, or names them.
		t.classes[k].ids = append(t.classes[k].ids, trie.Order[from:to]...)
	}
	end := trie.Nodes[0].End
	for i := uint32(1); i < end; {
		n := &trie.Nodes[i]
		t.cost += walkNode
		up := &stack[n.Depth-1]
		if !up.alive.Has(n.Byte) {
			i = n.End
			continue
		}
		here, ended := up.step(st, n.Byte, counted)
		if here.e == terminal.Empty {
			i = n.End
			continue
		}
		if ended {
			here.class = class(classKey{from: up.class, b: n.Byte}, n, 0)
			add(here.class, n.Token, trie.Nodes[i+1].Token)
			if n.End > i+1 {
				t.open = append(t.open, openNode{i, here.class})
			}
			i = n.End
			continue
		}
		key := classKey{e: here.e, c: here.c, from: within}
		if loop != terminal.Empty && counters.WithinLoop(st, here.e, loop) {
			key.c = here.c.WithCount(0)
		}
		here.class = class(key, n, here.c.Count())
		add(here.class, n.Token, trie.Nodes[i+1].Token)
		if here.alive = alive(here.e); t.cost > most {
			return &template{cost: t.cost}
		}
		stack[n.Depth] = here
		i++
	}
	for i := range t.classes {
		p := &t.classes[i]
		p.ids, p.bits = packed(p.ids, x.Tokens.Words())
	}
	return t
}

// tokens reports whether a class has tokens.
func (c *templateClass) tokens() bool { return len(c.ids)+len(c.bits) > 0 }
