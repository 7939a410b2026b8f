package regex

import (
	"slices"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/source/charclass"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
)

// automaton recognises the body of a look-around: a Thompson automaton of the tree, determinised on demand. For a
// look-behind it runs from the start of the text and accepts if a match has just ended. For a look-ahead it runs from
// the place of the assertion until a match is complete. One lowering.
type automaton struct {
	nodes  []position
	start  int
	behind bool // matches may begin anywhere: every step adds the start
	sets   []stateSet
	index  map[string]int
}

// position is a Thompson node: a character class, or an edge that consumes nothing.
type position struct {
	kind      posKind
	next, alt int
	ranges    []rune
	atoms     []bool // the atoms in ranges; set once all automata of a pattern are known
}

type posKind uint8

const (
	posChar   posKind = iota
	posSplit          // edge to next and to alt
	posBegin          // edge to next, at the start of the text
	posEnd            // edge to next, at the end of the text
	posAccept         // a match is complete
)

type stateSet struct {
	positions []int // posChar, posEnd and posAccept only; sorted
	accept    bool
	next      []int // by atom; -1: not computed
}

// newAutomaton builds the automaton of n. It returns nil and fails the lowering if n has an unsupported part.
func (r *resolver) newAutomaton(n *Node, behind bool) *automaton {
	a := &automaton{behind: behind, index: map[string]int{}}
	accept := a.add(position{kind: posAccept})
	a.start = r.build(a, n, accept)
	return a
}

func (a *automaton) add(p position) int {
	a.nodes = append(a.nodes, p)
	return len(a.nodes) - 1
}

// build adds n in front of position next and returns the first position.
func (r *resolver) build(a *automaton, n *Node, next int) int {
	if r.l.err != nil {
		return next
	}
	if len(a.nodes) > limits.RegexLookNodes {
		r.l.fail(n, diag.Limit, "look-around", "a look-around here may have at most %d characters, counts "+
			"expanded; shorten it, or use * or + instead of counts", limits.RegexLookNodes)
		return next
	}
	switch n.Op {
	case OpEmpty:
		return next
	case OpLiteral:
		for s := n.Text; s != ""; {
			c, size := utf8.DecodeLastRuneInString(s)
			next = a.add(position{kind: posChar, next: next, ranges: []rune{c, c}})
			s = s[:len(s)-size]
		}
		return next
	case OpClass:
		return a.add(position{kind: posChar, next: next, ranges: n.Ranges})
	case OpConcat:
		for i := len(n.Subs) - 1; i >= 0; i-- {
			next = r.build(a, n.Subs[i], next)
		}
		return next
	case OpAlternate:
		at := r.build(a, n.Subs[len(n.Subs)-1], next)
		for i := len(n.Subs) - 2; i >= 0; i-- {
			at = a.add(position{kind: posSplit, next: r.build(a, n.Subs[i], next), alt: at})
		}
		return at
	case OpRepeat:
		return r.buildLoop(a, n, next)
	case OpBegin:
		if a.behind {
			return a.add(position{kind: posBegin, next: next})
		}
	case OpEnd:
		if !a.behind {
			return a.add(position{kind: posEnd, next: next})
		}
	}
	r.l.fail(n, diag.Unsupported, "look-around", "an assertion inside a look-behind, or inside a look-around in a "+
		"loop, is not supported; move it out of the look-around")
	return next
}

func (r *resolver) buildLoop(a *automaton, n *Node, next int) int {
	x := n.Subs[0]
	if n.Max == Unbounded {
		loop := a.add(position{kind: posSplit, alt: next})
		a.nodes[loop].next = r.build(a, x, loop)
		next = loop
	} else {
		end := next
		for i := n.Min; i < n.Max && r.l.err == nil; i++ {
			next = a.add(position{kind: posSplit, next: r.build(a, x, next), alt: end})
		}
	}
	for i := uint32(0); i < n.Min && r.l.err == nil; i++ {
		at := r.build(a, x, next)
		if at == next { // one round of an empty body equals any number
			break
		}
		next = at
	}
	return next
}

// state interns the closure of the positions. begin says that the place is the start of the text.
func (a *automaton) state(from []int, begin bool) int {
	set, accept := a.closure(from, begin, false)
	key := make([]byte, 0, 4*len(set))
	for _, p := range set {
		key = append(key, byte(p), byte(p>>8), byte(p>>16))
	}
	id, ok := a.index[string(key)]
	if !ok {
		id = len(a.sets)
		a.index[string(key)] = id
		a.sets = append(a.sets, stateSet{positions: set, accept: accept})
	}
	return id
}

func (a *automaton) closure(from []int, begin, end bool) (set []int, accept bool) {
	seen := make([]bool, len(a.nodes))
	stack := slices.Clone(from)
	for len(stack) > 0 {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[p] {
			continue
		}
		seen[p] = true
		n := &a.nodes[p]
		switch n.kind {
		case posSplit:
			stack = append(stack, n.alt, n.next)
		case posBegin:
			if begin {
				stack = append(stack, n.next)
			}
		case posEnd:
			set = append(set, p)
			if end {
				stack = append(stack, n.next)
			}
		case posAccept:
			accept = true
			set = append(set, p)
		default:
			set = append(set, p)
		}
	}
	slices.Sort(set)
	return set, accept
}

// initial returns the state before the first character; begin says that the place is the start of the text.
func (a *automaton) initial(begin bool) int { return a.state([]int{a.start}, begin) }

func (a *automaton) step(state, atom, atoms int) int {
	if a.sets[state].next == nil {
		a.sets[state].next = slices.Repeat([]int{-1}, atoms)
	}
	if to := a.sets[state].next[atom]; to >= 0 {
		return to
	}
	var moved []int
	for _, p := range a.sets[state].positions {
		if n := &a.nodes[p]; n.kind == posChar && n.atoms[atom] {
			moved = append(moved, n.next)
		}
	}
	if a.behind {
		moved = append(moved, a.start)
	}
	to := a.state(moved, false)
	a.sets[state].next[atom] = to
	return to
}

func (a *automaton) dead(state int) bool { return len(a.sets[state].positions) == 0 }

func (a *automaton) acceptsAtEnd(state int) bool {
	_, accept := a.closure(a.sets[state].positions, false, true)
	return accept
}

// partition splits all code points into the coarsest classes that the automata do not distinguish, and sets the atoms
// of each position.
func partition(automata []*automaton) [][]rune {
	var classes [][]rune
	var members [][]*position
	cuts := []rune{0}
	for _, a := range automata {
		for i := range a.nodes {
			p := &a.nodes[i]
			if p.kind != posChar {
				continue
			}
			at := slices.IndexFunc(classes, func(c []rune) bool { return slices.Equal(c, p.ranges) })
			if at < 0 {
				at = len(classes)
				classes, members = append(classes, p.ranges), append(members, nil)
				for j := 0; j < len(p.ranges); j += 2 {
					cuts = append(cuts, p.ranges[j], p.ranges[j+1]+1)
				}
			}
			members[at] = append(members[at], p)
		}
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	var atoms [][]rune
	bySignature := map[string]int{}
	signature := make([]byte, len(classes))
	for i, lo := range cuts {
		hi := rune(utf8.MaxRune)
		if i+1 < len(cuts) {
			hi = cuts[i+1] - 1
		}
		if lo > hi {
			continue
		}
		for j, c := range classes {
			signature[j] = 0
			if charclass.Has(c, lo) {
				signature[j] = 1
			}
		}
		id, ok := bySignature[string(signature)]
		if !ok {
			id = len(atoms)
			bySignature[string(signature)] = id
			atoms = append(atoms, nil)
		}
		atoms[id] = charclass.Normalize(append(atoms[id], lo, hi))
	}
	for i, c := range classes {
		takes := make([]bool, len(atoms))
		for j, atom := range atoms {
			takes[j] = charclass.Has(c, atom[0])
		}
		for _, p := range members[i] {
			p.atoms = takes
		}
	}
	return atoms
}
