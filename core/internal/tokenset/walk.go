package tokenset

import (
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/tokentrie"
)

// Visitor decides how a Walk goes on.
type Visitor interface {
	// Visit gathers the tokens of node i, after whose byte the terminal's state is t. It reports whether the walk
	// visits the nodes below i. The walk ends if Visit sets Scratch.Over.
	Visit(i uint32, t *ItemFrame) (below bool)
	// Opens reports whether the walk follows sprawling state f with readers, which make no states, instead of
	// transitions.
	Opens(f *ItemFrame) bool
	// Ends looks at nodes[i:end], below a node at which the reader of a sprawling state accepts. tail is the state
	// behind that end.
	Ends(i, end uint32, tail terminal.Expr)
}

// Walk is a preorder walk of a trie along the states of one terminal. One goroutine at a time.
type Walk struct {
	*Scratch
	Trie    *tokentrie.Trie
	Visitor Visitor
	Node    int  // cost of a node beyond the 1 in Visited
	free    bool // bounds of counted states are ignored
}

// From visits the subtrees nodes[i:end], which have one parent, in preorder. start is the state at the parent.
//
// PERF: moves along known links are inlined here, and a local variable counts the nodes: 12 ns a node instead of 40.
func (v *Walk) From(i, end uint32, start ItemFrame) {
	w, nodes, frames, visited := v.Scratch, v.Trie.Nodes, v.frames, 0
	w.Meet(start.Facts)
	frames[nodes[i].Depth-1] = start
	var f *ItemFrame // above nodes of this depth
	var alive *terminal.ByteSet
	for depth := uint16(0); i < end; {
		n := &nodes[i]
		visited++
		if n.Depth != depth {
			depth = n.Depth
			f = &frames[depth-1]
			alive = f.Alive
		}
		if !alive.Has(n.Byte) {
			i = n.End
			continue
		}
		t := &frames[n.Depth]
		switch next := f.link(n.Byte, v.free); {
		case next != nil:
			w.Meet(next)
			*t = ItemFrame{next, next.counter}
		case f.sprawls && v.Visitor.Opens(f):
			v.open(i, f.Expr)
			i = n.End
			continue
		default:
			v.count(visited)
			visited = 0
			if !v.move(f, n.Byte, t) {
				i = n.End
				continue
			}
		}
		below := v.Visitor.Visit(i, t)
		if w.Over {
			break
		}
		if i++; !below {
			i = n.End
		}
	}
	v.count(visited)
}

// count charges for nodes.
func (v *Walk) count(visited int) {
	v.Visited += visited
	v.Cost += visited * v.Node
	v.Spent()
}

// link returns the state after f and byte b, nil if that is not known. A free walk ignores the count.
//
// INVARIANT: a link holds for all bytes that lead to one state. In a backslash sequence and at its start, such bytes
// may lead to different counters, so a counted state has no link there.
func (f *Facts) link(b byte, free bool) *Facts {
	if f.links == nil || !f.plain && (!free || f.apart || b == '\\') {
		return nil
	}
	return f.links[f.to.Class(b)]
}

// move sets t to the frame after byte b. It returns false if there is none, or if the budget is spent.
func (v *Walk) move(f *ItemFrame, b byte, t *ItemFrame) (ok bool) {
	if v.free {
		*t, ok = v.moveFree(f.Facts, b)
	} else {
		*t, ok = v.Move(f, b)
	}
	return !v.Spent() && ok
}

// within is From with state x, in the middle of a walk.
func (v *Walk) within(x terminal.Expr, i, end uint32) {
	if i == end {
		return
	}
	above := &v.frames[v.Trie.Nodes[i].Depth-1]
	frame := *above
	v.From(i, end, v.FrameOf(x, 0))
	*above = frame
}

// open walks the subtree of node i along sprawling state x. With transitions, each token would make a state of its own,
// so readers follow the tokens without making states.
func (v *Walk) open(i uint32, x terminal.Expr) {
	end := v.Trie.Nodes[i].End
	parts, rest := v.Store.SprawlParts(x)
	v.within(rest, i, end)
	for k := range parts {
		if parts[k].Reader.Accepts(0) {
			v.within(parts[k].Tail, i, end)
		}
		v.read(i, &parts[k])
	}
}

// read walks the subtree of node i along one machine.
func (v *Walk) read(i uint32, o *terminal.SprawlPart) {
	nodes := v.Trie.Nodes
	above := int(nodes[i].Depth) - 1
	for end := nodes[i].End; i < end && !v.Over; {
		n := &nodes[i]
		v.Visited++
		depth := int(n.Depth) - above
		if !o.Reader.Step(depth-1, n.Byte) {
			i = n.End
			continue
		}
		v.Ranges.Add(n.Token, nodes[i+1].Token)
		if n.End > i+1 && o.Reader.Accepts(depth) {
			tail := o.End(v.Store, depth)
			v.within(tail, i+1, n.End)
			v.Visitor.Ends(i+1, n.End, tail)
			v.Spent()
		}
		if n.Big >= 0 && passes(o.Reader, depth, &v.Trie.Bigs[n.Big]) {
			v.Ranges.Add(nodes[i+1].Token, nodes[n.End].Token)
			i = n.End
			continue
		}
		i++
	}
}

// passes reports whether the state at a depth goes on with all of a subtree.
func passes(r terminal.Reader, depth int, b *tokentrie.Big) bool {
	bytes, room := r.Room(depth)
	return int(b.MaxRunes) <= room && b.Leads == 0 && b.WellFormed && b.ASCII[0]&^bytes[0]|b.ASCII[1]&^bytes[1] == 0
}
