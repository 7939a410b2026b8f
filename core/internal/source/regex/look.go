package regex

import (
	"slices"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/source/charclass"
	"github.com/sluice-engine/sluice/core/internal/terminal/inspect"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Assertions are lowered from right to left (Lemma 3). node(n, ctx, k) is the language of the text from the start of n
// on, if k is the language from the end of n on. A look-ahead is an intersection with k. A context ctx represents the
// text before: the states of all look-behind automata. k is a language for each context, and a look-behind reads ctx.
// For loops whose body asserts see loop.go.

// resolver lowers one pattern that contains assertions. One lowering.
type resolver struct {
	l        *lowering
	behinds  []*automaton
	keys     []*Node  // body that behinds[i] recognises
	atoms    [][]rune // classes of code points that no automaton distinguishes
	aheads   []ahead
	loop     loopStates
	contexts [][]int // the states of behinds, by context
	index    map[string]int
	steps    int
	unrolled int // written-out rounds of asserting loops
	solved   int
	empties  int // written-out rounds that may be empty
	anyStar  terminal.Expr
}

// Bodies of the look-behinds that short assertions stand for. They are keys and must not be changed.
var (
	behindAny     = class(0, anyRanges)  // \A: negative
	behindWord    = class(0, wordRanges) // \b, \B
	behindNotLine = class(0, dotRanges)  // (?m)^: negative
)

// rest is the language of the rest of the text, by context. Expressions are built on demand.
type rest struct {
	make              func(ctx int) terminal.Expr
	made              []terminal.Expr // by context: 1 + the expression, 0 if not built
	uniform           bool
	shortest, longest uint32
}

func (k *rest) at(ctx int) terminal.Expr {
	if k.uniform {
		ctx = 0
	}
	for len(k.made) <= ctx {
		k.made = append(k.made, 0)
	}
	if k.made[ctx] == 0 {
		e := k.make(ctx) + 1
		k.made[ctx] = e
	}
	return k.made[ctx] - 1
}

func (l *lowering) resolve(n *Node) terminal.Expr {
	r := &resolver{l: l, index: map[string]int{}}
	r.anyStar = l.st.Star(l.st.AnyRune(l.enc))
	if n.back {
		r.collect(n)
	}
	if l.err != nil {
		return terminal.Empty
	}
	r.collectAheads(n, false)
	all := append([]*automaton(nil), r.behinds...)
	for _, a := range r.aheads {
		if a.err == nil {
			all = append(all, a.automaton)
		}
	}
	r.atoms = partition(all)
	start := make([]int, len(r.behinds))
	for i, a := range r.behinds {
		start[i] = a.initial(true)
	}
	end := &rest{uniform: true, make: func(int) terminal.Expr { return terminal.Epsilon }}
	e := r.node(n, r.context(start), end)
	if (r.unrolled > 0 || r.solved > 0) && l.err == nil {
		p := paths{st: l.st, known: map[terminal.Expr]int{}}
		if p.count(e); p.most > limits.RegexLookPaths {
			return l.fail(n, diag.Limit, "look-around", "the look-arounds and the loops around them can follow one "+
				"another in more than %d ways; use fewer loops inside loops", limits.RegexLookPaths)
		}
	}
	return e
}

// paths counts the paths to the first characters of an expression. It is the cost of a transition, which visits shared
// parts once a path.
type paths struct {
	st    *terminal.Store
	known map[terminal.Expr]int
	most  int
}

func (p *paths) count(e terminal.Expr) int {
	if c, ok := p.known[e]; ok {
		return c
	}
	c := 1
	switch n := inspect.Of(p.st, e); n.Op {
	case inspect.OpConcat:
		for i, x := range n.Args {
			if i == 0 || p.st.View().Nullable(n.Args[i-1]) {
				c += p.count(x)
			} else {
				p.count(x)
			}
		}
	default:
		for _, x := range n.Args {
			c += p.count(x)
		}
	}
	c = min(c, 1<<40)
	p.known[e] = c
	p.most = max(p.most, c)
	return c
}

func (r *resolver) collect(n *Node) {
	if !n.back {
		return
	}
	key := n
	switch n.Op {
	case OpBegin:
		key = behindAny
	case OpWord, OpNotWord:
		key = behindWord
	case OpLineBegin:
		key = behindNotLine
	case OpLook:
		if n.Behind {
			key = n.Subs[0]
		}
	}
	if key == n {
		for _, s := range n.Subs {
			r.collect(s)
		}
		return
	}
	for _, k := range r.keys {
		if k == key {
			return
		}
	}
	r.keys = append(r.keys, key)
	r.behinds = append(r.behinds, r.newAutomaton(key, true))
}

func (r *resolver) behind(key *Node, ctx int) bool {
	for i, k := range r.keys {
		if k == key {
			return r.behinds[i].sets[r.contexts[ctx][i]].accept
		}
	}
	return false
}

func (r *resolver) context(states []int) int {
	key := make([]byte, 0, 2*len(states))
	for _, s := range states {
		key = append(key, byte(s), byte(s>>8))
	}
	id, ok := r.index[string(key)]
	if !ok {
		id = len(r.contexts)
		r.index[string(key)] = id
		r.contexts = append(r.contexts, states)
		if id > limits.RegexContexts && r.l.err == nil {
			r.l.fail(r.keys[0], diag.Limit, "look-behind", "the look-behinds distinguish more than %d situations; "+
				"make them shorter", limits.RegexContexts)
		}
	}
	return id
}

func (r *resolver) after(ctx, atom int) int {
	if len(r.behinds) == 0 {
		return ctx
	}
	states := make([]int, len(r.behinds))
	for i, a := range r.behinds {
		states[i] = a.step(r.contexts[ctx][i], atom, len(r.atoms))
	}
	return r.context(states)
}

func (r *resolver) atomOf(c rune) int {
	for i, a := range r.atoms {
		if charclass.Has(a, c) {
			return i
		}
	}
	return 0
}

func (r *resolver) afterText(ctx int, s string) int {
	if len(r.behinds) > 0 {
		for _, c := range s {
			ctx = r.after(ctx, r.atomOf(c))
		}
	}
	return ctx
}

func (r *resolver) spent(n *Node) bool {
	r.steps++
	if r.steps > limits.RegexLookSteps {
		r.l.fail(n, diag.Limit, "look-around", "resolving the look-arounds takes more than %d steps; use fewer or "+
			"shorter ones", limits.RegexLookSteps)
	}
	return r.l.err != nil
}

func (r *resolver) node(n *Node, ctx int, k *rest) terminal.Expr {
	if r.spent(n) {
		return terminal.Empty
	}
	if !n.asserts && (k.uniform || len(r.behinds) == 0) {
		after := k.at(ctx)
		if after == r.anyStar && isAnyText(n) {
			return after
		}
		return r.l.st.Concat(r.l.plain(n), after)
	}
	switch n.Op {
	case OpEmpty:
		return k.at(ctx)
	case OpLiteral:
		return r.l.st.Concat(r.l.st.Text(n.Text, r.l.enc), k.at(r.afterText(ctx, n.Text)))
	case OpClass:
		return r.class(n.Ranges, ctx, k)
	case OpConcat:
		return r.chain(n.Subs, k)[0].at(ctx)
	case OpAlternate:
		xs := make([]terminal.Expr, len(n.Subs))
		for i, s := range n.Subs {
			xs[i] = r.node(s, ctx, k)
		}
		return r.l.st.Or(xs...)
	case OpRepeat:
		if n.asserts {
			return r.assertingLoop(n, ctx, k)
		}
		return r.plainLoop(n, ctx, k)
	}
	return r.assertion(n, ctx, nil, k)
}

func isAnyText(n *Node) bool {
	return n.Op == OpRepeat && n.Min == 0 && n.Max == Unbounded && n.Subs[0].Op == OpClass &&
		slices.Equal(n.Subs[0].Ranges, anyRanges)
}

func (r *resolver) class(ranges []rune, ctx int, k *rest) terminal.Expr {
	var xs []terminal.Expr
	r.eachTarget(ranges, ctx, func(target int, part []rune) {
		xs = append(xs, r.l.st.Concat(r.l.class(part), k.at(target)))
	})
	return r.l.st.Or(xs...)
}

func (r *resolver) eachTarget(ranges []rune, ctx int, f func(target int, part []rune)) {
	if len(r.behinds) == 0 {
		f(ctx, ranges)
		return
	}
	r.split(ranges, func(atom int) (int, bool) { return r.after(ctx, atom), true }, f)
}

func (r *resolver) split(ranges []rune, after func(atom int) (to int, ok bool), f func(target int, part []rune)) {
	var targets []int
	var parts [][]rune
	for i, atom := range r.atoms {
		part := charclass.Intersect(ranges, atom)
		if len(part) == 0 {
			continue
		}
		to, ok := after(i)
		if !ok {
			continue
		}
		at := slices.Index(targets, to)
		if at < 0 {
			at = len(targets)
			targets, parts = append(targets, to), append(parts, nil)
		}
		parts[at] = append(parts[at], part...)
	}
	for i, t := range targets {
		f(t, charclass.Normalize(parts[i]))
	}
}

func (r *resolver) chain(nodes []*Node, k *rest) []*rest {
	out := make([]*rest, len(nodes)+1)
	out[len(nodes)] = k
	for i := len(nodes) - 1; i >= 0; i-- {
		n, after := nodes[i], out[i+1]
		c := &rest{
			uniform:  after.uniform && !n.back,
			shortest: addLength(n.shortest, after.shortest), longest: addLength(n.longest, after.longest),
		}
		if n.asserts && n.Op != OpConcat && n.Op != OpAlternate && n.Op != OpRepeat {
			tail := nodes[i+1:]
			chain := out[i+1:]
			c.make = func(ctx int) terminal.Expr { return r.assertion(n, ctx, &following{tail, chain}, after) }
		} else if len(r.behinds) == 0 && beforeLiteral(n, nodes[i+1:]) {
			text, then := nodes[i+1], out[i+2]
			literal := &rest{uniform: true, shortest: text.shortest, longest: text.longest}
			literal.make = func(ctx int) terminal.Expr { return r.l.plain(text) }
			c.make = func(ctx int) terminal.Expr { return r.l.st.Concat(r.node(n, ctx, literal), then.at(ctx)) }
		} else {
			c.make = func(ctx int) terminal.Expr { return r.node(n, ctx, after) }
		}
		out[i] = c
	}
	return out
}

// following is the sequence after an assertion, with the rest of the text from each node on.
type following struct {
	nodes []*Node
	chain []*rest
}

func (r *resolver) assertion(n *Node, ctx int, f *following, k *rest) terminal.Expr {
	if r.spent(n) {
		return terminal.Empty
	}
	if set, orEnd, ok := r.nextCondition(n, ctx); ok {
		return r.nextIn(set, orEnd, ctx, f, k)
	}
	switch holds, known := r.decided(n, ctx); {
	case !known:
		return r.l.st.And(k.at(ctx), r.lookAhead(n, ctx))
	case !holds:
		return terminal.Empty
	}
	return k.at(ctx)
}

// decided reports whether a look-behind assertion holds; known is false for other assertions.
func (r *resolver) decided(n *Node, ctx int) (holds, known bool) {
	switch {
	case n.Op == OpBegin:
		return !r.behind(behindAny, ctx), true
	case n.Op == OpLineBegin:
		return !r.behind(behindNotLine, ctx), true
	case n.Op == OpLook && n.Behind:
		return r.behind(n.Subs[0], ctx) != n.Negative, true
	}
	return false, false
}

func (r *resolver) lookAhead(n *Node, ctx int) terminal.Expr {
	any := &rest{uniform: true, longest: Unbounded, make: func(int) terminal.Expr { return r.anyStar }}
	counted := r.l.counted
	r.l.counted = true // an intersection would write out a counter inside it
	e := r.node(n.Subs[0], ctx, any)
	r.l.counted = counted
	if n.Negative {
		return r.l.st.Not(e)
	}
	return e
}

// nextCondition reports whether assertion n depends on the next character only: it must be in set, or absent if orEnd.
func (r *resolver) nextCondition(n *Node, ctx int) (set []rune, orEnd, ok bool) {
	switch n.Op {
	case OpEnd:
		return nil, true, true
	case OpLineEnd:
		return lineRanges, true, true
	case OpWord, OpNotWord:
		if r.behind(behindWord, ctx) == (n.Op == OpWord) {
			return notWordRanges, true, true
		}
		return wordRanges, false, true
	case OpLook:
		if c, single := asClass(n.Subs[0]); single && !n.Behind {
			if n.Negative {
				return charclass.Complement(c), true, true
			}
			return c, false, true
		}
	}
	return nil, false, false
}

// nextIn returns the rest of the text with a first character in set, or with orEnd the empty rest too. If possible it
// restricts the next node, which saves an intersection.
func (r *resolver) nextIn(set []rune, orEnd bool, ctx int, f *following, k *rest) terminal.Expr {
	st := r.l.st
	if f != nil && len(f.nodes) > 0 {
		switch n := f.nodes[0]; n.Op {
		case OpLiteral:
			c, _ := utf8.DecodeRuneInString(n.Text)
			if !charclass.Has(set, c) {
				return terminal.Empty
			}
			return k.at(ctx)
		case OpClass:
			return r.class(charclass.Intersect(n.Ranges, set), ctx, f.chain[1])
		case OpRepeat:
			if x := n.Subs[0]; x.Op == OpClass && n.Min > 0 {
				switch common := charclass.Intersect(x.Ranges, set); {
				case len(common) == 0:
					return terminal.Empty
				case slices.Equal(common, x.Ranges):
					return k.at(ctx)
				}
			}
		}
	}
	after := k.at(ctx)
	if len(set) == 0 && orEnd {
		return st.And(after, terminal.Epsilon)
	}
	allowed := st.Concat(r.l.class(set), r.anyStar)
	if orEnd {
		allowed = st.Or(terminal.Epsilon, allowed)
	}
	return st.And(after, allowed)
}
