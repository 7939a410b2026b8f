package matcher

import (
	"math"
	"slices"

	"github.com/sluice-engine/sluice/core/internal/pushdown"
)

// Rows is memory for masks: row r begins at Words[r*Stride] and has Width words. Temperatures is nil, or has an element
// for each row, which is written if the grammar sets a temperature for the token that the row is for.
type Rows struct {
	Words        []uint32
	Stride       int
	Width        int
	Temperatures []float32
}

func (r Rows) row(i int) []uint32 { return r.Words[i*r.Stride:][:r.Width:r.Width] }

// Tree is a tree of draft tokens: three arrays with an element for each node. Node 0 is the root, the last accepted
// token; its element of Tokens is not read. −1 means no node.
type Tree struct {
	Next    []int64 // the first child of each node
	Sibling []int64 // the next child of the same parent
	Tokens  []int64
}

// nodes is a set of a tree's nodes.
type nodes []uint64

func (s nodes) has(i int) bool { return s[i/64]>>(i%64)&1 != 0 }
func (s nodes) add(i int)      { s[i/64] |= 1 << (i % 64) }

// check returns an error if an index is no node, or if two links lead to one node. Without an error, the nodes that the
// root leads to are a tree. seen is empty at first.
func (t Tree) check(seen nodes) error {
	n := len(t.Next)
	seen.add(0)
	for _, links := range [2][]int64{t.Next, t.Sibling} {
		for node, to := range links {
			switch {
			case to == -1:
			case to < 0 || to >= int64(n):
				return argument("node %d of the draft tree leads to node %d of %d", node, to, n)
			case seen.has(int(to)):
				return argument("node %d of the draft tree leads to node %d, which has another way to it or is the "+
					"root", node, to)
			default:
				seen.add(int(to))
			}
		}
	}
	return nil
}

// drafts bounds a call for drafts. Its masks and transitions share one budget. Each mask is charged once, at its price
// without caches.
type drafts struct {
	tally
	masks   int
	records []uint32 // of the masks that are charged
}

func (m *Matcher) drafts() drafts {
	return drafts{tally: m.tally(), records: m.records[:0]}
}

// fill is fillLimited for row i of rows, and charges for the mask.
func (d *drafts) fill(h uint32, steps int, rows Rows, i int, stop Stop) error {
	if _, err := d.m.fillLimited(h, steps, rows.row(i), stop); err != nil || h&(ended|gated) != 0 {
		return err
	}
	if rows.Temperatures != nil {
		if t, ok := d.m.temperatureAt(h); ok {
			rows.Temperatures[i] = float32(t)
		}
	}
	if r := d.m.masks.Automaton().Aux(pushdown.StateID(h)); !slices.Contains(d.records, r) {
		d.records = append(d.records, r)
		d.m.records = d.records
		d.masks += d.m.masks.Cost(pushdown.StateID(h))
	}
	return nil
}

// token returns the point after a draft, and whether it is allowed. The error is Limit if the call's budget is
// spent.
func (d *drafts) token(p point, id int64, steps int, stop Stop) (point, bool, error) {
	most := d.m.g.Budgets().Drafts()
	if d.paid+d.masks > most && !d.exact {
		d.recount()
		if err := d.settle(d.m.masks.Automaton(), d.next, stop); err != nil {
			return p, false, err
		}
	}
	if d.exact && d.cost+d.masks > most {
		return p, false, d.m.tooHard("finding the masks of so many drafts in one call", most)
	}
	if id < 0 || id > math.MaxInt32 {
		return p, false, nil
	}
	d.later = d.next > 0
	return d.m.step(p, int32(id), steps, &d.tally, stop)
}

func (m *Matcher) fillChain(ids []int32, rows Rows, stop Stop) (done int, err error) {
	d, p, steps := m.drafts(), m.here(), len(m.history)-1
	for i := 0; ; i++ {
		if err := d.fill(p.h, steps+i, rows, i, stop); err != nil {
			return i, d.ending(err)
		}
		if i == len(ids) {
			break
		}
		next, ok, err := d.token(p, int64(ids[i]), steps+i, stop)
		if err != nil {
			return i + 1, d.ending(err)
		}
		if !ok {
			for k := i + 1; k <= len(ids); k++ {
				m.allowAll(rows.row(k))
			}
			m.countMasks(i + 1)
			return i, nil
		}
		p = next
	}
	m.countMasks(len(ids) + 1)
	return len(ids), nil
}

func (m *Matcher) fillTree(t Tree, rows Rows, stop Stop) (done int, err error) {
	n := len(t.Next)
	if n == 0 || len(t.Sibling) != n || len(t.Tokens) != n {
		return 0, argument("a draft tree has a root and three arrays of one length: these have %d, %d and %d elements",
			n, len(t.Sibling), len(t.Tokens))
	}
	var few [16]uint64 // of most trees all nodes
	reached := nodes(few[:])
	if n > 64*len(few) {
		reached = make(nodes, (n+63)/64)
	}
	if err := t.check(reached); err != nil {
		return 0, err
	}
	clear(reached)
	d, steps := m.drafts(), len(m.history)-1
	if err := d.fill(m.top(), steps, rows, 0, stop); err != nil {
		return 0, d.ending(err)
	}
	reached.add(0)
	type place struct {
		node  int64
		p     point // before the node's token
		steps int
	}
	var room [64]place
	for worklist := append(room[:0], place{t.Next[0], m.here(), steps}); len(worklist) > 0; {
		at := worklist[len(worklist)-1]
		worklist = worklist[:len(worklist)-1]
		if at.node < 0 {
			continue
		}
		worklist = append(worklist, place{t.Sibling[at.node], at.p, at.steps})
		p, ok, err := d.token(at.p, t.Tokens[at.node], at.steps, stop)
		if ok {
			err = d.fill(p.h, at.steps+1, rows, int(at.node), stop)
		}
		if err != nil {
			return 0, d.ending(err)
		}
		if ok {
			reached.add(int(at.node))
			worklist = append(worklist, place{t.Next[at.node], p, at.steps + 1})
		}
	}
	for k := range n {
		if reached.has(k) {
			done++
		} else {
			m.allowAll(rows.row(k))
		}
	}
	m.countMasks(done)
	return done, nil
}
