package analysis

import (
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// Delta returns the state after byte b, Empty if there is none, TooHard if it exceeds a limit.
func (s *States) Delta(e expr.Expr, b byte) expr.Expr {
	n := s.Node(e)
	r := s.Fact(e, expr.FactRow)
	if r == 0 {
		if t, ok := s.Direct(n, b); ok {
			return t
		}
		if n.Kind == expr.KConcat {
			if m := s.Node(n.Head()); m.Kind == expr.KSpelled {
				return s.Concat(m.Tail(), n.Tail()) // cheaper than a row
			}
		}
		r = s.fillRow(e)
	}
	if t := s.Lookup(r, b); t != expr.Unresolved {
		return t
	}
	return s.resolve(e, b)
}

// resolve returns the target of e for byte b if the row has it unresolved. It keeps the target unless e sprawls.
func (s *States) resolve(e expr.Expr, b byte) expr.Expr {
	if n := s.Node(e); s.Sprawls(n) {
		return s.Derive(e, b)
	}
	at := transition{e, b}
	t, ok := s.resolved.Get(at)
	if !ok {
		tally := s.Count(expr.NoBudget)
		t = s.target(s.Derive(e, b))
		tally.Close()
		s.resolved.Put(at, t)
	}
	return t
}

// AliveIn returns the bytes with a transition from e.
func (s *States) AliveIn(e expr.Expr) *expr.ByteSet {
	if set := s.AliveKnown(e); set != nil {
		return set
	}
	return s.Sets.At(s.Rows.At(s.fillRow(e)).Alive)
}

// fillRow makes the row of e, with one derivative for each class of bytes that e does not distinguish. Rows need
// verdicts of emptiness, and these need rows of parts, so the functions of this file call each other.
func (s *States) fillRow(e expr.Expr) uint32 {
	if r, ok := s.fillTextRow(e); ok {
		return r
	}
	if r, ok := s.fillExclusionRow(e); ok {
		return r
	}
	if r, ok := s.fillSprawlingRow(e); ok {
		return r
	}
	switch n := s.Node(e); {
	case n.Kind == expr.KAnd, n.Kind == expr.KNot:
		s.explore(e)
		if r := s.Fact(e, expr.FactRow); r != 0 {
			return r
		}
		s.makePartRows(e)
	case n.Flags&expr.FBoolean != 0:
		s.makePartRows(e)
	}
	tally := s.Count(s.rowBudget(e))
	defer tally.Close()
	var signed classes
	s.classify(e, &signed)
	var room [256]expr.Expr
	targets, alive := room[:0], expr.ByteSet{}
	for _, b := range signed.first[:signed.n] {
		s.Work.Spend(4 + 3*s.Weight(e))
		targets = append(targets, s.rowTarget(e, b))
	}
	for b, c := range signed.of {
		if targets[c] != expr.Empty {
			alive.Add(byte(b))
		}
	}
	return s.keepRow(e, s.InternClasses(&signed.of), targets, s.InternSet(alive), s.rowCost(e, &tally, signed.n))
}

// classes are the classes of bytes that an expression does not distinguish.
type classes struct {
	of    [256]uint8 // the class of each byte
	first [256]byte  // the first byte of each class
	n     int
}

// classify finds the classes of e.
func (s *States) classify(e expr.Expr, c *classes) {
	var sig [256]uint64
	s.Sign(e, &sig)
	for b := range 256 {
		k := c.n - 1
		for k >= 0 && sig[c.first[k]] != sig[b] {
			k--
		}
		if k < 0 {
			k = c.n
			c.first[k] = byte(b)
			c.n++
		}
		c.of[b] = uint8(k)
	}
}

// rowTarget returns the target of e for byte b, the first of its class.
func (s *States) rowTarget(e expr.Expr, b byte) expr.Expr {
	if looks := beginLooks; b == '\\' && s.beginsText(e, &looks) {
		return expr.Unresolved
	}
	if s.Spent() {
		return expr.TooHard
	}
	t := s.Derive(e, b)
	if s.Spent() {
		return expr.TooHard
	}
	return s.target(t)
}

// target returns the target for derivative t: Empty if t matches nothing, TooHard if that is unknown or t is too heavy.
func (s *States) target(t expr.Expr) expr.Expr {
	n := s.Node(t)
	if int(n.Weight) > s.Budgets.Expression {
		return expr.TooHard
	}
	if n.Flags&expr.FBoolean == 0 {
		return t
	}
	aside := s.Count(expr.NoBudget)
	v := s.Emptiness(t)
	aside.Close()
	switch v {
	case expr.Nothing:
		return expr.Empty
	case expr.GivenUp:
		return expr.TooHard
	}
	return t
}

// fillExclusionRow makes the row of e = (B ∧ ¬T)·tail, and reports whether e is one. Bytes with which T does not begin
// have the targets of B·tail (Lemma 121). Undeclared keys of objects are such states, one for each place within a
// declared key.
//
// PERF: 400 schemas of MaskBench without it: p99 of masks 1.13 times as much.
func (s *States) fillExclusionRow(e expr.Expr) (uint32, bool) {
	text, excluded, tail, ok := s.Exclusion(e)
	if !ok {
		return 0, false
	}
	base := s.Concat(text, tail)
	differs := s.First(excluded)
	if s.Nullable(excluded) {
		t := s.First(tail)
		differs.Union(&t)
	}
	if differs.Len() > 64 {
		return 0, false
	}
	r := s.Fact(base, expr.FactRow)
	if r == 0 {
		r = s.fillRow(base)
	}
	rw := *s.Rows.At(r)
	classes := *s.ClassMaps.At(rw.Classes)
	n := int(rw.N)
	if n+differs.Len() > 256 {
		return 0, false
	}
	tally := s.Count(expr.NoBudget)
	defer tally.Close()
	row := append(make([]expr.Expr, 0, n+differs.Len()), s.Targets.Slice(rw.Targets, n)...)
	alive := *s.Sets.At(rw.Alive)
	// Escapes are rare: the state after a backslash is made on demand if it is sure to be alive.
	open, afterTail := alive.Has('\\') && s.Outlasts(text, excluded), s.First(tail)
	open = open && !afterTail.Has('\\')
	for b := differs.Next(0); b < 256; b = differs.Next(b + 1) {
		t := expr.Unresolved
		if b != '\\' || !open {
			t = s.target(s.Derive(e, byte(b)))
		}
		classes[b] = uint8(len(row))
		row = append(row, t)
		alive[b>>6] &^= 1 << (b & 63)
		if t != expr.Empty {
			alive.Add(byte(b))
		}
	}
	return s.keepRow(e, s.InternClasses(&classes), row, s.InternSet(alive), s.estimate(e)), true
}

// fillSprawlingRow makes the row of a sprawling state, and reports whether e is one. It knows the live bytes and leaves
// the targets unresolved.
func (s *States) fillSprawlingRow(e expr.Expr) (uint32, bool) {
	n := s.Node(e)
	if !s.Sprawls(n) {
		return 0, false
	}
	parts, rest := s.SprawlParts(n)
	alive := *s.AliveIn(rest)
	for _, o := range parts {
		bytes := o.M.Alive(o.State)
		alive.Union(&bytes)
		if o.M.Accepts(o.State) {
			bytes = s.First(o.Tail)
			alive.Union(&bytes)
		}
	}
	if r, ok := s.sprawlingRows.Get(alive); ok {
		s.SetFact(e, expr.FactRow, r)
		return r, true
	}
	var classes [256]uint8
	for b := alive.Next(0); b < 256; b = alive.Next(b + 1) {
		classes[b] = 1
	}
	r := s.keepRow(e, s.InternClasses(&classes), []expr.Expr{expr.Empty, expr.Unresolved}, s.InternSet(alive), 0)
	s.sprawlingRows.Put(alive, r)
	return r, true
}

// makePartRows makes the rows of the largest parts of e that a transition looks at and that contain no And or Not: many
// combinations share them.
func (s *States) makePartRows(e expr.Expr) {
	seen := map[expr.Expr]bool{}
	for left := []expr.Expr{e}; len(left) > 0; {
		x := left[len(left)-1]
		left = left[:len(left)-1]
		if seen[x] {
			continue
		}
		seen[x] = true
		n := s.Node(x)
		if n.Flags&expr.FBoolean == 0 {
			if _, direct := s.Direct(n, 0); !direct && s.Fact(x, expr.FactRow) == 0 {
				s.fillRow(x)
			}
			continue
		}
		switch n.Kind {
		case expr.KConcat:
			left = append(left, n.Head())
			if s.Maybe(n.Head()) {
				left = append(left, n.Tail())
			}
		case expr.KOr, expr.KAnd:
			left = append(left, s.List(n)...)
		case expr.KNot, expr.KStar, expr.KRepeat, expr.KCount:
			left = append(left, n.Body())
		}
	}
}

// Emptiness returns whether e matches anything. It explores the graph of e unless the structure of e decides. GivenUp
// says that the graph exceeds limits.GraphStates or Budgets.Search.
func (s *States) Emptiness(e expr.Expr) expr.Verdict {
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

// explore decides all nodes on which root depends, and makes the rows of the intersections and complements among them.
// The verdict depends on root alone (Lemma 118).
func (s *States) explore(root expr.Expr) expr.Verdict {
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

// lifeNode returns the node of e, nil if a derivative exceeds a budget.
func (s *States) lifeNode(e expr.Expr) *lifeNode {
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
	remember(s.Store, &s.life, e, x)
	return x
}

// dependOn adds y to the parts of x unless the structure of y decides, and returns that decision.
func (s *States) dependOn(x *lifeNode, y expr.Expr) expr.Verdict {
	v := s.decided(y, s.Node(y))
	switch {
	case v == expr.Unasked:
		x.parts = append(x.parts, y)
	case v == expr.Something && !x.all:
		x.some = true
	}
	return v
}

// deriveAll finds the transitions of e, an intersection or complement, and reports whether they are within the budget.
func (s *States) deriveAll(e expr.Expr, x *lifeNode) bool {
	s.makePartRows(e)
	tally := s.Count(s.Budgets.Search)
	defer tally.Close()
	x.some = s.Maybe(e)
	var signed classes
	s.classify(e, &signed)
	seen := map[expr.Expr]bool{}
	for _, b := range signed.first[:signed.n] {
		t := s.Derive(e, b)
		if s.Spent() || s.Weight(t) > s.Budgets.Expression {
			return false
		}
		if !seen[t] {
			seen[t] = true
			s.dependOn(x, t)
		}
		x.targets = append(x.targets, t)
	}
	x.classes = s.InternClasses(&signed.of)
	x.price += graphTarget*len(x.targets) + s.Weight(e) + tally.Searched()
	s.Work.Spend(x.price)
	return true
}

// lifeRow makes the row of x from its node, whose targets are decided.
func (s *States) lifeRow(x expr.Expr, n *lifeNode) {
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
