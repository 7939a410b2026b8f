package regex

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// moves returns the ways through n from a loop state, one for each target state.
func (r *resolver) moves(n *Node, from int) []move {
	if r.spent(n) {
		return nil
	}
	if !n.asserts && len(r.behinds) == 0 && len(r.loop.all[from].demands) == 0 {
		return []move{{from, r.l.plain(n)}}
	}
	key := moveKey{n, from}
	if m, ok := r.loop.moves[key]; ok {
		return m
	}
	m := r.makeMoves(n, from)
	r.loop.moves[key] = m
	return m
}

func (r *resolver) makeMoves(n *Node, from int) []move {
	switch n.Op {
	case OpEmpty:
		return []move{{from, terminal.Epsilon}}
	case OpLiteral:
		for _, c := range n.Text {
			to, ok := r.advance(r.loop.all[from], r.atomOf(c))
			if !ok {
				return nil
			}
			from = to
		}
		return []move{{from, r.l.st.Text(n.Text, r.l.enc)}}
	case OpClass:
		return r.classMoves(n, from)
	case OpConcat:
		all := []move{{from, terminal.Epsilon}}
		for _, s := range n.Subs {
			all = r.then(all, s)
		}
		return all
	case OpAlternate:
		var all []move
		for _, s := range n.Subs {
			all = append(all, r.moves(s, from)...)
		}
		return r.merge(all)
	case OpRepeat:
		return r.loopMoves(n, from)
	}
	return r.assertionMoves(n, from)
}

func (r *resolver) then(moves []move, n *Node) []move {
	var all []move
	for _, m := range moves {
		for _, t := range r.moves(n, m.to) {
			all = append(all, move{t.to, r.l.st.Concat(m.e, t.e)})
		}
	}
	return r.merge(all)
}

func (r *resolver) merge(all []move) []move {
	out := all[:0]
	for _, m := range all {
		if m.e == terminal.Empty {
			continue
		}
		if i := slices.IndexFunc(out, func(o move) bool { return o.to == m.to }); i >= 0 {
			out[i].e = r.l.st.Or(out[i].e, m.e)
			continue
		}
		out = append(out, m)
	}
	return out
}

func (r *resolver) classMoves(n *Node, from int) []move {
	var out []move
	after := func(atom int) (int, bool) { return r.advance(r.loop.all[from], atom) }
	r.split(n.Ranges, after, func(to int, part []rune) { out = append(out, move{to, r.l.class(part)}) })
	return out
}

// advance returns the state after one character; ok is false if a demand fails.
func (r *resolver) advance(s loopState, atom int) (to int, ok bool) {
	next := loopState{ctx: r.after(s.ctx, atom)}
	for _, d := range s.demands {
		a := r.aheads[d.ahead].automaton
		d.state = a.step(d.state, atom, len(r.atoms))
		if done, holds := d.decided(a); !done {
			next.demands = append(next.demands, d)
		} else if !holds {
			return 0, false
		}
	}
	next.demands = sortDemands(next.demands)
	return r.stateOf(next), true
}

func (d demand) decided(a *automaton) (done, holds bool) {
	switch {
	case a.sets[d.state].accept:
		return true, !d.negative
	case a.dead(d.state):
		return true, d.negative
	}
	return false, false
}

func sortDemands(d []demand) []demand {
	rank := func(x demand) int {
		n := 0
		if x.negative {
			n = 1
		}
		return (x.ahead<<20|x.state)<<1 | n
	}
	slices.SortFunc(d, func(x, y demand) int { return rank(x) - rank(y) })
	return slices.Compact(d)
}

func (r *resolver) loopMoves(n *Node, from int) []move {
	x := n.Subs[0]
	if m := r.moves(x, from); len(m) == 1 && m[0].to == from {
		return []move{{from, r.l.st.Repeat(m[0].e, n.Min, n.Max)}}
	}
	rounds := n.Min
	if n.Max != Unbounded {
		rounds = n.Max
	}
	if rounds > limits.RegexUnroll {
		r.l.fail(n, diag.Unsupported, "look-around", "a repetition inside a loop with assertions may be counted up to "+
			"%d; use * or +, or move the assertion out of the loop", limits.RegexUnroll)
		return nil
	}
	now := []move{{from, terminal.Epsilon}}
	for i := uint32(0); i < n.Min; i++ {
		now = r.then(now, x)
	}
	if n.Max == Unbounded {
		var all []move
		for _, m := range now {
			for _, t := range r.starMoves(x, m.to) {
				all = append(all, move{t.to, r.l.st.Concat(m.e, t.e)})
			}
		}
		return r.merge(all)
	}
	all := slices.Clone(now)
	for i := n.Min; i < n.Max; i++ {
		now = r.then(now, x)
		all = append(all, now...)
	}
	return r.merge(all)
}

func (r *resolver) starMoves(x *Node, from int) []move {
	states, g := r.graph(x, from)
	var out []move
	for i, s := range states {
		if r.l.err != nil {
			return nil
		}
		one := r.newEquations(len(states), x)
		for j := range g.edges {
			copy(one.edges[j], g.edges[j])
		}
		one.values[i] = terminal.Epsilon
		out = append(out, move{s, one.solve(r)})
	}
	return r.merge(out)
}

// assertionMoves turns a look-ahead into a demand, and decides a look-behind.
func (r *resolver) assertionMoves(n *Node, from int) []move {
	s := r.loop.all[from]
	switch holds, known := r.decided(n, s.ctx); {
	case !known:
		return r.demandMoves(n, s, from)
	case holds:
		return []move{{from, terminal.Epsilon}}
	}
	return nil
}

func (r *resolver) demandMoves(n *Node, s loopState, from int) []move {
	at := r.aheadOf(aheadKey(n))
	if at < 0 {
		r.l.fail(n, diag.Internal, "look-around", "a look-ahead was not prepared; please report this pattern")
		return nil
	}
	if err := r.aheads[at].err; err != nil {
		if r.l.err == nil {
			r.l.err = err
		}
		return nil
	}
	a := r.aheads[at].automaton
	d := demand{ahead: at, state: a.initial(false), negative: n.Negative}
	switch n.Op {
	case OpEnd, OpLineEnd:
		d.negative = true
	case OpWord:
		d.negative = r.behind(behindWord, s.ctx)
	case OpNotWord:
		d.negative = !r.behind(behindWord, s.ctx)
	}
	done, holds := d.decided(a)
	switch {
	case done && !holds:
		return nil
	case done:
		return []move{{from, terminal.Epsilon}}
	}
	demands := sortDemands(append(slices.Clone(s.demands), d))
	return []move{{r.stateOf(loopState{ctx: s.ctx, demands: demands}), terminal.Epsilon}}
}
