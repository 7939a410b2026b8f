package regex

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/charclass"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// plainLoop lowers a loop without assertions if the context at its end changes the rest. It groups the loop's texts by
// their last context and puts that context's rest behind them.
func (r *resolver) plainLoop(n *Node, ctx int, k *rest) terminal.Expr {
	reached, alphabet := r.reach(n, ctx)
	var values []terminal.Expr
	var groups [][]int // contexts with the same rest
	entry := n.shortest == 0
	for i, c := range reached {
		if i == 0 && !entry {
			continue
		}
		v := k.at(c)
		at := 0
		for at < len(values) && values[at] != v {
			at++
		}
		if at == len(values) {
			values, groups = append(values, v), append(groups, nil)
		}
		groups[at] = append(groups[at], c)
	}
	if len(values) == 1 {
		if values[0] == r.anyStar && isAnyText(n) {
			return values[0]
		}
		return r.l.st.Concat(r.l.plain(n), values[0])
	}
	if n.Subs[0].Op == OpClass && r.lastDecides(reached, alphabet) {
		return r.peelLoop(n, ctx, k)
	}
	var xs []terminal.Expr
	whole := r.l.plain(n)
	for i, g := range groups {
		if values[i] == terminal.Empty {
			continue
		}
		ends := r.leadsTo(g, reached, alphabet, n)
		xs = append(xs, r.l.st.Concat(r.l.st.And(whole, ends), values[i]))
	}
	return r.l.st.Or(xs...)
}

// reach lists the contexts that n leads to from ctx, and the atoms of n. The first is ctx, which comes again if
// characters lead back to it.
func (r *resolver) reach(n *Node, ctx int) (reached, alphabet []int) {
	takes := make([]bool, len(r.atoms))
	r.consumes(n, takes)
	for i, t := range takes {
		if t {
			alphabet = append(alphabet, i)
		}
	}
	seen := map[int]bool{}
	reached = []int{ctx}
	for i := 0; i < len(reached) && !r.spent(n); i++ {
		for _, a := range alphabet {
			if to := r.after(reached[i], a); !seen[to] {
				seen[to] = true
				reached = append(reached, to)
			}
		}
	}
	return reached, alphabet
}

func (r *resolver) consumes(n *Node, takes []bool) {
	switch n.Op {
	case OpLiteral:
		for _, c := range n.Text {
			takes[r.atomOf(c)] = true
		}
	case OpClass:
		for i, a := range r.atoms {
			takes[i] = takes[i] || len(charclass.Intersect(a, n.Ranges)) > 0
		}
	default:
		for _, s := range n.Subs {
			r.consumes(s, takes)
		}
	}
}

// lastDecides reports whether the context after each atom does not depend on the context before.
func (r *resolver) lastDecides(reached, alphabet []int) bool {
	return !slices.ContainsFunc(alphabet, func(a int) bool {
		return slices.ContainsFunc(reached, func(c int) bool { return r.after(c, a) != r.after(reached[0], a) })
	})
}

// peelLoop lowers a loop over one class, whose last round alone decides the context.
func (r *resolver) peelLoop(n *Node, ctx int, k *rest) terminal.Expr {
	before := n.Max
	if before != Unbounded {
		before--
	}
	x := n.Subs[0]
	most := r.l.loop(x, max(n.Min, 1)-1, before)
	var xs []terminal.Expr
	if n.Min == 0 {
		xs = append(xs, k.at(ctx))
	}
	r.eachTarget(x.Ranges, ctx, func(target int, part []rune) {
		if after := k.at(target); after != terminal.Empty {
			xs = append(xs, r.l.st.Concat(most, r.l.class(part), after))
		}
	})
	return r.l.st.Or(xs...)
}

func (r *resolver) leadsTo(targets, reached, alphabet []int, n *Node) terminal.Expr {
	number := map[int]int{}
	for _, c := range reached {
		if _, ok := number[c]; !ok {
			number[c] = len(number)
		}
	}
	g := r.newEquations(len(number), n)
	for c, i := range number { // each context fills its own row, so the order does not matter
		parts := make([][]rune, len(number))
		for _, a := range alphabet {
			to := number[r.after(c, a)]
			parts[to] = append(parts[to], r.atoms[a]...)
		}
		for to, p := range parts {
			if p != nil {
				g.edges[i][to] = r.l.class(charclass.Normalize(p))
			}
		}
	}
	for _, t := range targets {
		g.values[number[t]] = terminal.Epsilon
	}
	return g.solve(r)
}

// assertingLoop lowers a loop whose body asserts. Rounds differ, so bounded ones are written out, and unbounded ones
// become the solution of equations.
func (r *resolver) assertingLoop(n *Node, ctx int, k *rest) terminal.Expr {
	x := n.Subs[0]
	if x.longest == 0 { // an empty body that asserts holds any number of times
		if n.Min == 0 {
			return k.at(ctx)
		}
		return r.node(x, ctx, k)
	}
	copies := n.Min
	if n.Max != Unbounded {
		copies = n.Max
	}
	if looks, char, ok := r.temperedBefore(x, k); ok && copies > limits.RegexUnroll {
		return r.temperedLoop(looks, char, bounds{n.Min, n.Max}, ctx, k)
	}
	if copies > limits.RegexUnroll {
		return r.l.fail(n, diag.Unsupported, "look-around", "a repetition with an assertion inside may count to at "+
			"most %d, unless it repeats one character before other text; use * or +, or move the assertion "+
			"out", limits.RegexUnroll)
	}
	if r.unrolled += int(copies); r.unrolled > limits.RegexUnrollTotal {
		return r.l.fail(n, diag.Limit, "look-around", "repetitions with assertions inside come to more than %d "+
			"rounds; use * or +, or move the assertions out", limits.RegexUnrollTotal)
	}
	if x.shortest == 0 {
		// Rounds that may be empty share their rest along exponentially many paths.
		if r.empties += int(copies); r.empties > limits.RegexUnrollEmpty {
			return r.l.fail(n, diag.Unsupported, "look-around", "a counted repetition of something that contains an "+
				"assertion and may be empty is supported up to %d rounds; use * or +", limits.RegexUnrollEmpty)
		}
	}
	next := k
	if n.Max == Unbounded {
		next = &rest{shortest: k.shortest, longest: Unbounded, make: func(c int) terminal.Expr {
			return r.star(x, c,
				k)
		}}
	}
	for i := uint32(0); i < copies; i++ {
		after := next
		optional := n.Max != Unbounded && i < n.Max-n.Min
		next = &rest{shortest: after.shortest, longest: addLength(after.longest, x.longest)}
		if !optional {
			next.shortest = addLength(after.shortest, x.shortest)
		}
		next.make = func(c int) terminal.Expr {
			e := r.node(x, c, after)
			if optional {
				e = r.l.st.Or(e, k.at(c))
			}
			return e
		}
	}
	return next.at(ctx)
}

func (r *resolver) star(x *Node, ctx int, k *rest) terminal.Expr {
	if looks, char, ok := r.temperedBefore(x, k); ok {
		return r.temperedLoop(looks, char, bounds{0, Unbounded}, ctx, k)
	}
	return r.solveLoop(x, ctx, k)
}

// temperedBefore returns the parts of x by tempered if temperedLoop can lower it before k.
func (r *resolver) temperedBefore(x *Node, k *rest) (looks []*Node, char *Node, ok bool) {
	looks, char, ok = tempered(x)
	ok = ok && (k.uniform || len(r.behinds) == 0) && k.shortest == k.longest && k.longest != Unbounded
	return looks, char, ok
}

// tempered recognises the body of ((?!looks)char)*.
func tempered(x *Node) (looks []*Node, char *Node, ok bool) {
	if x.Op != OpConcat || x.back {
		return nil, nil, false
	}
	last := len(x.Subs) - 1
	for _, s := range x.Subs[:last] {
		if s.Op != OpLook || s.Behind {
			return nil, nil, false
		}
	}
	return x.Subs[:last], x.Subs[last], x.Subs[last].Op == OpClass
}

// temperedLoop lowers such a loop before a rest k of one length. It is the ordinary loop without the texts in which a
// condition fails inside the loop (Lemma 4).
func (r *resolver) temperedLoop(looks []*Node, char *Node, rounds bounds, ctx int, k *rest) terminal.Expr {
	st := r.l.st
	var bad []terminal.Expr
	for _, look := range looks {
		allowed := r.lookAhead(look, ctx)
		bad = append(bad, st.Not(allowed))
	}
	any := st.AnyRune(r.l.enc)
	inside := st.Concat(st.Repeat(any, addLength(k.shortest, 1), addLength(k.shortest, 1)), r.anyStar)
	fails := st.Concat(r.anyStar, st.And(inside, st.Or(bad...)))
	loop := func(b bounds) terminal.Expr {
		return st.And(st.Concat(st.Repeat(r.l.class(char.Ranges), b.min, b.max), k.at(ctx)), st.Not(fails))
	}
	most := rounds.max
	if most == Unbounded {
		most = rounds.min
	}
	if r.l.counted || !worthCounter(1, most) {
		return loop(rounds)
	}
	r.l.counted = true
	body := loop(bounds{0, Unbounded})
	r.l.counted = false
	return st.Counted(body, r.l.enc, addLength(rounds.min, k.shortest), addLength(rounds.max, k.shortest))
}

// beforeLiteral reports whether loop n, which looks ahead, looks no further than the literal after it.
func beforeLiteral(n *Node, after []*Node) bool {
	if n.Op != OpRepeat || !n.asserts || len(after) == 0 || after[0].Op != OpLiteral ||
		n.Min <= limits.RegexUnroll && (n.Max == Unbounded || n.Max <= limits.RegexUnroll) {
		return false
	}
	looks, _, ok := tempered(n.Subs[0])
	for _, look := range looks {
		x := look.Subs[0]
		ok = ok && !x.asserts && x.longest <= addLength(after[0].longest, 1)
	}
	return ok
}
