package regex

import (
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/charclass"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// A loop whose body asserts is a small automaton. Its states are the context and the open demands of look-aheads;
// rounds are edges between them. Arden's rule solves the equations of this graph (Lemma 6).

// ahead is a look-ahead that occurs inside a loop. Both polarities share the automaton of the body.
type ahead struct {
	key       *Node
	automaton *automaton
	err       error // why the body has no automaton; reported when it is needed
	left      map[int]terminal.Expr
}

// demand is an open look-ahead: from state on, its automaton must, or must not, accept later.
type demand struct {
	ahead, state int
	negative     bool
}

type loopState struct {
	ctx     int
	demands []demand
}

type loopStates struct {
	all   []loopState
	index map[string]int
	moves map[moveKey][]move
}

type moveKey struct {
	n     *Node
	state int
}

type move struct {
	to int
	e  terminal.Expr
}

func (r *resolver) collectAheads(n *Node, inLoop bool) {
	if !n.asserts {
		return
	}
	if key := aheadKey(n); key != nil {
		if inLoop && r.aheadOf(key) < 0 {
			a := ahead{key: key, left: map[int]terminal.Expr{}}
			a.automaton = r.newAutomaton(key, false)
			a.err, r.l.err = r.l.err, nil
			r.aheads = append(r.aheads, a)
		}
		if n.Op != OpLook {
			return
		}
		inLoop = false // the look-ahead's own loops are lowered separately
	}
	for _, s := range n.Subs {
		r.collectAheads(s, inLoop || n.Op == OpRepeat && n.Max == Unbounded)
	}
}

// aheadKey returns the body of the look-ahead that n is or stands for, or nil.
func aheadKey(n *Node) *Node {
	switch n.Op {
	case OpEnd:
		return behindAny
	case OpLineEnd:
		return behindNotLine
	case OpWord, OpNotWord:
		return behindWord
	case OpLook:
		if !n.Behind {
			return n.Subs[0]
		}
	}
	return nil
}

func (r *resolver) aheadOf(key *Node) int {
	for i := range r.aheads {
		if r.aheads[i].key == key {
			return i
		}
	}
	return -1
}

func (r *resolver) stateOf(s loopState) int {
	if r.loop.index == nil {
		r.loop.index, r.loop.moves = map[string]int{}, map[moveKey][]move{}
	}
	key := []byte{byte(s.ctx), byte(s.ctx >> 8)}
	for _, d := range s.demands {
		negative := byte(0)
		if d.negative {
			negative = 1
		}
		key = append(key, byte(d.ahead), byte(d.ahead>>8), byte(d.state), byte(d.state>>8), negative)
	}
	id, ok := r.loop.index[string(key)]
	if !ok {
		id = len(r.loop.all)
		r.loop.index[string(key)] = id
		r.loop.all = append(r.loop.all, s)
	}
	return id
}

func (r *resolver) solveLoop(x *Node, ctx int, k *rest) terminal.Expr {
	counted := r.l.counted
	r.l.counted = true
	defer func() { r.l.counted = counted }()
	if r.solved++; r.solved > limits.RegexLookLoops {
		return r.l.fail(x, diag.Limit, "look-around", "more than %d loops with assertions inside follow one "+
			"another here, counts expanded; use * or + on the outermost loop", limits.RegexLookLoops)
	}
	states, g := r.graph(x, r.stateOf(loopState{ctx: ctx}))
	if r.l.err != nil {
		return terminal.Empty
	}
	for i, s := range states {
		g.values[i] = r.leave(r.loop.all[s], k)
	}
	return g.solve(r)
}

func (r *resolver) graph(x *Node, from int) ([]int, *equations) {
	states := []int{from}
	number := map[int]int{from: 0}
	var rows [][]move
	for i := 0; i < len(states) && r.l.err == nil; i++ {
		moves := r.moves(x, states[i])
		for _, m := range moves {
			if _, ok := number[m.to]; !ok {
				number[m.to] = len(states)
				states = append(states, m.to)
			}
		}
		rows = append(rows, moves)
		if len(states) > limits.RegexLookStates {
			r.l.fail(x, diag.Limit, "look-around", "a loop with look-arounds inside may have at most %d states; make "+
				"the look-arounds shorter", limits.RegexLookStates)
		}
	}
	g := r.newEquations(len(states), x)
	for i, row := range rows {
		for _, m := range row {
			g.edges[i][number[m.to]] = m.e
		}
	}
	return states, g
}

func (r *resolver) leave(s loopState, k *rest) terminal.Expr {
	e := k.at(s.ctx)
	for _, d := range s.demands {
		left := r.left(d.ahead, d.state)
		if d.negative {
			left = r.l.st.Not(left)
		}
		e = r.l.st.And(e, left)
	}
	return e
}

// left returns the texts that complete a look-ahead from a state of its automaton on, with any continuation.
func (r *resolver) left(at, state int) terminal.Expr {
	h := &r.aheads[at]
	if e, ok := h.left[state]; ok {
		return e
	}
	a := h.automaton
	states := []int{state}
	number := map[int]int{state: 0}
	var rows []map[int][]rune
	for i := 0; i < len(states); i++ {
		row := map[int][]rune{}
		rows = append(rows, row)
		if a.sets[states[i]].accept {
			continue
		}
		for j, atom := range r.atoms {
			to := a.step(states[i], j, len(r.atoms))
			if a.dead(to) {
				continue
			}
			if _, ok := number[to]; !ok {
				number[to] = len(states)
				states = append(states, to)
			}
			row[number[to]] = append(row[number[to]], atom...)
		}
		if len(states) > limits.RegexLookStates {
			return r.l.fail(h.key, diag.Limit, "look-around", "a look-ahead inside a loop may have at most %d states; "+
				"make it shorter", limits.RegexLookStates)
		}
	}
	g := r.newEquations(len(states), h.key)
	for i, row := range rows {
		for to, chars := range row { // each target has its own cell, so the order does not matter
			g.edges[i][to] = r.l.class(charclass.Normalize(chars))
		}
		switch s := states[i]; {
		case a.sets[s].accept:
			g.values[i] = r.anyStar
		case a.acceptsAtEnd(s):
			g.values[i] = terminal.Epsilon
		}
	}
	e := g.solve(r)
	h.left[state] = e
	return e
}

// equations are E[i] = values[i] | edges[i][j]·E[j].
type equations struct {
	edges  [][]terminal.Expr
	values []terminal.Expr
}

func (r *resolver) newEquations(n int, at *Node) *equations {
	g := &equations{edges: make([][]terminal.Expr, n), values: make([]terminal.Expr, n)}
	for i := range g.edges {
		g.edges[i] = make([]terminal.Expr, n)
	}
	if n > limits.RegexLookStates && r.l.err == nil {
		r.l.fail(at, diag.Limit, "look-around", "the look-arounds here have more than %d states; make them shorter",
			limits.RegexLookStates)
	}
	return g
}

// solve returns E[0] of the least solution. It eliminates the least connected unknown first.
func (g *equations) solve(r *resolver) terminal.Expr {
	st := r.l.st
	live := make([]int, len(g.values))
	for i := range live {
		live[i] = i
	}
	for len(live) > 1 && r.l.err == nil {
		pick := g.leastConnected(live)
		v := live[pick]
		live = append(live[:pick], live[pick+1:]...)
		again := st.Star(g.edges[v][v])
		for _, i := range live {
			if g.edges[i][v] == terminal.Empty {
				continue
			}
			through := st.Concat(g.edges[i][v], again)
			for _, j := range live {
				if g.edges[v][j] != terminal.Empty {
					g.edges[i][j] = st.Or(g.edges[i][j], st.Concat(through, g.edges[v][j]))
				}
			}
			g.values[i] = st.Or(g.values[i], st.Concat(through, g.values[v]))
		}
	}
	if r.l.err != nil {
		return terminal.Empty
	}
	return st.Concat(st.Star(g.edges[0][0]), g.values[0])
}

// leastConnected returns the index in live with the fewest paths through its state, which is not state 0.
func (g *equations) leastConnected(live []int) int {
	best, cost := 1, int(^uint(0)>>1)
	for at, v := range live {
		if v == 0 {
			continue
		}
		in, out := 0, 0
		for _, i := range live {
			if i != v && g.edges[i][v] != terminal.Empty {
				in++
			}
			if i != v && g.edges[v][i] != terminal.Empty {
				out++
			}
		}
		if in*out < cost {
			best, cost = at, in*out
		}
	}
	return best
}
