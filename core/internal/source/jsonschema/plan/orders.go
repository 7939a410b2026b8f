package plan

import "slices"

// Names have an order if an enforced schema declares or requires them. Names that are only tested, by if, by not or
// another opposite, and by dependencies, have none.

// isTested reports whether a path is only tested: within the condition of an if, or an opposite.
func (p *Planner) isTested(at int32) bool {
	for ; at != noPath; at = p.paths[at].up {
		x := &p.paths[at]
		n := p.Tree.Node(x.atom.Node())
		if x.atom.negated() || x.up != noPath && n.Key == "if" && n.Parent == p.paths[x.up].atom.Node() {
			return true
		}
	}
	return false
}

// planOrders plans the further orders of properties: required properties first, as required lists them; and, if several
// schemas declare properties, first those of the schemas that were applied later, since alternatives and extensions are
// applied after the schema they extend.
func (b *objectPlanner) planOrders(required []int) {
	o := b.o
	b.addOrder(required)
	declaring := 0
	for i := range b.f.facets {
		if b.f.facets[i].properties != 0 && !b.f.facets[i].tested {
			declaring++
		}
	}
	if declaring < 2 {
		return
	}
	t := b.p.Tree
	var later []int
	planned := make([]bool, o.Ordered)
	for i := len(b.f.facets) - 1; i >= 0; i-- {
		c := b.f.facets[i].properties
		if c == 0 || b.f.facets[i].tested {
			continue
		}
		for d := range t.Children(c) {
			if k := o.find(t.Node(d).Key); !planned[k] {
				planned[k] = true
				later = append(later, k)
			}
		}
	}
	b.addOrder(later)
}

// addOrder adds the order in which the properties at the given places come first, unless it exists already. The others
// follow in the order of properties.
func (b *objectPlanner) addOrder(first []int) {
	o := b.o
	same := true
	for k, i := range first {
		same = same && k == i
	}
	if same {
		return
	}
	placed := make([]bool, len(o.Properties))
	order := make([]int, 0, len(o.Properties))
	for _, i := range first {
		placed[i] = true
		order = append(order, i)
	}
	for i := range o.Properties {
		if !placed[i] {
			order = append(order, i)
		}
	}
	if !slices.ContainsFunc(o.Orders, func(other []int) bool { return slices.Equal(other, order) }) {
		o.Orders = append(o.Orders, order)
	}
}
