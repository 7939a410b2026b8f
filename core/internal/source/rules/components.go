package rules

// components returns the components of mutually recursive rules, each after the components it refers to (Tarjan's
// algorithm). Chains of rules may be as long as the text, so the search keeps its own stack.
func (t *Tree) components() [][]int { return components(t.references()) }

// components is Tree.components for rules with references refs.
func components(refs [][]int) [][]int {
	n := len(refs)
	s := &search{
		refs: refs, index: make([]int, n), low: make([]int, n), open: make([]bool, n),
	}
	for r := range refs {
		if s.index[r] == 0 {
			s.from(r)
		}
	}
	return s.out
}

func (t *Tree) references() [][]int {
	refs := make([][]int, len(t.Rules))
	last := make([]int, len(t.Rules)) // by rule: the last rule that names it, counted from 1
	for r := range t.Rules {
		var walk func(n *Node) // recursion as deep as parentheses nest
		walk = func(n *Node) {
			if n.Kind == Ref && last[n.Rule] != r+1 {
				last[n.Rule] = r + 1
				refs[r] = append(refs[r], n.Rule)
			}
			for _, sub := range n.Subs {
				walk(sub)
			}
		}
		walk(t.Rules[r].Body)
	}
	return refs
}

// uses returns the number of elements that refer to each rule, and counts the start as one.
func (t *Tree) uses() []int {
	n := make([]int, len(t.Rules))
	n[t.Start]++
	var walk func(x *Node) // recursion as deep as parentheses nest
	walk = func(x *Node) {
		if x.Kind == Ref {
			n[x.Rule]++
		}
		for _, sub := range x.Subs {
			walk(sub)
		}
	}
	for r := range t.Rules {
		walk(t.Rules[r].Body)
	}
	return n
}

type search struct {
	refs  [][]int
	index []int // order of discovery from 1; 0: not seen
	low   []int
	open  []bool
	next  int
	path  []int
	// Every rule is in one component, so all components share one list.
	groups []int
	out    [][]int
}

type visit struct{ rule, edge int }

func (s *search) from(root int) {
	stack := []visit{s.enter(root)}
	for len(stack) > 0 {
		v := &stack[len(stack)-1]
		if v.edge < len(s.refs[v.rule]) {
			to := s.refs[v.rule][v.edge]
			v.edge++
			switch {
			case s.index[to] == 0:
				stack = append(stack, s.enter(to))
			case s.open[to]:
				s.low[v.rule] = min(s.low[v.rule], s.index[to])
			}
			continue
		}
		r := v.rule
		stack = stack[:len(stack)-1]
		if len(stack) > 0 {
			above := stack[len(stack)-1].rule
			s.low[above] = min(s.low[above], s.low[r])
		}
		if s.low[r] == s.index[r] {
			s.leave(r)
		}
	}
}

func (s *search) enter(r int) visit {
	s.next++
	s.index[r], s.low[r], s.open[r] = s.next, s.next, true
	s.path = append(s.path, r)
	return visit{rule: r}
}

func (s *search) leave(r int) {
	n := len(s.path)
	for {
		n--
		s.open[s.path[n]] = false
		if s.path[n] == r {
			break
		}
	}
	from := len(s.groups)
	s.groups = append(s.groups, s.path[n:]...)
	s.out = append(s.out, s.groups[from:len(s.groups):len(s.groups)])
	s.path = s.path[:n]
}
