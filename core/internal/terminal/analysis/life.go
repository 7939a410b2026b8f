package analysis

import (
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// lifeNode is a node of the graph that decides whether expressions match anything. Its expression contains an
// intersection or a complement.
type lifeNode struct {
	parts []expr.Expr // nodes on which it depends
	all   bool        // every part must match something; otherwise one is enough
	some  bool        // matches something whatever its parts match
	price int         // of deriving it, in the unit of Budgets.Search

	// The transitions of an intersection or complement, dead ends included, until its row is made.
	classes uint32
	targets []expr.Expr
}

// Prices of a node of the graph beside its weight and its derivatives, in the unit of Budgets.Search, about 25 ns:
// graphNode once, graphTarget for each target.
const (
	graphNode   = 60
	graphTarget = 15
)

// Emptiness reports whether e matches anything. It explores the graph of e unless the structure of e decides. GivenUp
// means that the graph exceeds limits.GraphStates or Budgets.Search.
func (s *Analysis) Emptiness(e expr.Expr) expr.Verdict {
	n := s.Node(e)
	if v := s.decided(e, n); v != expr.Unasked {
		return v
	}
	if n.Subset&expr.ExtentInfinite != 0 || n.Kind == expr.KStar || n.Kind == expr.KRepeat && n.B == 0 {
		return expr.Something
	}
	v := s.FoundEmptiness(e)
	if v != expr.Unasked {
		return v
	}
	switch n.Kind {
	case expr.KConcat:
		if v = s.Emptiness(n.Head()); v == expr.Something {
			v = s.Emptiness(n.Tail())
		}
	case expr.KOr:
		v = expr.Nothing
		for _, x := range s.List(n) {
			if w := s.Emptiness(x); w == expr.Something {
				v = w
				break
			} else if w == expr.GivenUp {
				v = w
			}
		}
	case expr.KRepeat, expr.KCount:
		v = s.Emptiness(n.Body())
	default:
		v = s.explore(e)
	}
	s.SetEmptiness(e, v)
	return v
}

// decided reports whether e matches anything if its structure decides that for e and all its derivatives; Unasked
// otherwise.
func (s *Analysis) decided(e expr.Expr, n *expr.Node) expr.Verdict {
	switch {
	case e == expr.Empty:
		return expr.Nothing
	case n.Flags&expr.FBoolean == 0:
		return expr.Something
	case n.Kind == expr.KAnd:
		if text, excluded, _, ok := s.Exclusion(e); ok && s.Outlasts(text, excluded) {
			return expr.Something
		}
	}
	return expr.Unasked
}

// Explore explores the graphs of all intersections and complements in e, so that no state of e has to be explored
// later, and the lengths of counted bodies. ok is false if a graph exceeds a limit.
func (s *Analysis) Explore(e expr.Expr) (ok bool) {
	seen := map[expr.Expr]bool{}
	for left := []expr.Expr{e}; len(left) > 0; {
		x := left[len(left)-1]
		left = left[:len(left)-1]
		n := s.Node(x)
		if n.Flags&expr.FBoolean == 0 || seen[x] {
			continue
		}
		seen[x] = true
		switch n.Kind {
		case expr.KConcat, expr.KSpelled:
			left = append(left, n.Head(), n.Tail())
		case expr.KOr:
			left = append(left, s.List(n)...)
		case expr.KStar, expr.KRepeat:
			left = append(left, n.Body())
		case expr.KCount:
			left = append(left, n.Body())
			if sp := s.Spectrum(n.Body(), PhaseBetween, s.Bounds.At(n.B).Enc); sp.TooHard {
				return false
			}
		default:
			if s.decided(x, n) == expr.Unasked && s.explore(x) == expr.GivenUp {
				return false
			}
		}
	}
	return true
}

// explore decides all nodes that root depends on, and makes the rows of the intersections and complements among them.
//
// Lemma: the verdict depends on root alone. The graph of a node is part of each graph that contains the node, so a graph
// within the limits contains only graphs within the limits. Nodes that an earlier exploration made are visited and
// priced again, so it changes no verdict. ∎
func (s *Analysis) explore(root expr.Expr) expr.Verdict {
	price := 0
	at := map[expr.Expr]int{root: 0}
	order := []expr.Expr{root}
	nodes := []*lifeNode{}
	for i := 0; i < len(order); i++ {
		n := s.lifeNode(order[i])
		if n == nil || len(order) > limits.GraphStates || price > s.Budgets.Search {
			return expr.GivenUp
		}
		price += n.price
		nodes = append(nodes, n)
		for _, x := range n.parts {
			if _, ok := at[x]; !ok {
				at[x] = len(order)
				order = append(order, x)
			}
		}
	}
	if v := s.FoundEmptiness(root); v != expr.Unasked {
		return v
	}
	some := live(nodes, at)
	for i, x := range order {
		v := expr.Nothing
		if some[i] {
			v = expr.Something
		}
		s.SetEmptiness(x, v)
	}
	for i, x := range order {
		s.lifeRow(x, nodes[i])
	}
	return s.FoundEmptiness(root)
}

// live returns which nodes match something: the least set that contains every node of which some is set, every node
// with a part in it, and every all-node with all parts in it.
func live(nodes []*lifeNode, at map[expr.Expr]int) []bool {
	some := make([]bool, len(nodes))
	missing := make([]int, len(nodes)) // parts that are not known to match something
	dependants := make([][]int32, len(nodes))
	var queue []int32
	for i, n := range nodes {
		missing[i] = 1
		if n.all {
			missing[i] = len(n.parts)
		}
		for _, x := range n.parts {
			dependants[at[x]] = append(dependants[at[x]], int32(i))
		}
		if n.some {
			some[i], queue = true, append(queue, int32(i))
		}
	}
	for len(queue) > 0 {
		i := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, k := range dependants[i] {
			if missing[k]--; missing[k] == 0 && !some[k] {
				some[k], queue = true, append(queue, k)
			}
		}
	}
	return some
}

// lifeNode returns the node of e, nil if a derivative exceeds a budget.
func (s *Analysis) lifeNode(e expr.Expr) *lifeNode {
	if n, ok := s.life[e]; ok {
		return n
	}
	x := &lifeNode{price: graphNode}
	n := s.Node(e)
	switch n.Kind {
	case expr.KConcat:
		x.all = true
		if s.dependOn(x, n.Head()) == expr.Nothing || s.dependOn(x, n.Tail()) == expr.Nothing {
			x.parts = nil
		} else if len(x.parts) == 0 {
			x.some = true
		}
	case expr.KOr:
		for _, y := range s.List(n) {
			s.dependOn(x, y)
		}
	case expr.KStar, expr.KRepeat, expr.KCount:
		x.some = n.Kind == expr.KStar || n.Kind == expr.KRepeat && n.B == 0
		s.dependOn(x, n.Body())
	default:
		if !s.deriveAll(e, x) {
			return nil
		}
	}
	if x.some {
		x.all = false
	}
	s.Extra.Add(int64(len(x.parts)+len(x.targets)) * 4)
	remember(s, &s.life, e, x)
	return x
}

// dependOn notes that x depends on y, unless the structure of y decides.
func (s *Analysis) dependOn(x *lifeNode, y expr.Expr) expr.Verdict {
	v := s.decided(y, s.Node(y))
	switch {
	case v == expr.Unasked:
		x.parts = append(x.parts, y)
	case v == expr.Something && !x.all:
		x.some = true
	}
	return v
}

// deriveAll finds the transitions of e, an intersection or complement.
func (s *Analysis) deriveAll(e expr.Expr, x *lifeNode) bool {
	s.partRows(e)
	tally := s.Count(s.Budgets.Search)
	defer tally.Close()
	x.some = s.Maybe(e)
	var sig [256]uint64
	s.Sign(e, &sig)
	var classes [256]uint8
	var keys [256]uint64
	seen := map[expr.Expr]bool{}
	for b := range 256 {
		k := len(x.targets)
		j := k - 1
		for j >= 0 && keys[j] != sig[b] {
			j--
		}
		if j < 0 {
			t := s.Derive(e, byte(b))
			if s.Spent() || s.Weight(t) > s.Budgets.Expression {
				return false
			}
			if keys[k] = sig[b]; !seen[t] {
				seen[t] = true
				s.dependOn(x, t)
			}
			x.targets = append(x.targets, t)
			j = k
		}
		classes[b] = uint8(j)
	}
	x.classes = s.internClasses(&classes)
	x.price += graphTarget*len(x.targets) + s.Weight(e) + tally.Searched()
	s.Work.Spend(x.price)
	return true
}

// lifeRow makes the row of x from its node, in which every target is decided.
func (s *Analysis) lifeRow(x expr.Expr, n *lifeNode) {
	if n.targets == nil || s.Fact(x, expr.FactRow) != 0 {
		return
	}
	for i, t := range n.targets {
		if s.Emptiness(t) == expr.Nothing {
			n.targets[i] = expr.Empty
		}
	}
	var alive expr.ByteSet
	for b, c := range s.ClassMaps.At(n.classes) {
		if n.targets[c] != expr.Empty {
			alive.Add(byte(b))
		}
	}
	s.keepRow(x, n.classes, n.targets, s.InternSet(alive), len(n.targets))
	n.targets = nil
}
