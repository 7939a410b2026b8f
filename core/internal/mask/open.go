package mask

import "github.com/sluice-engine/sluice/core/internal/terminal"

// passOpen adds the tokens in the subtree of node i that keep alive the state above it, of which o is known. It reports
// false, having added nothing, if that does not decide them all.
//
// A state whose transitions are not made at once has a new successor for each token, which is a state that hardly
// anybody comes to. Most tokens are decided without them.
func (e *Engine) passOpen(i uint32, o *terminal.Open, w *scratch) bool {
	nodes := e.tokens.Trie.Nodes
	above, end := int(nodes[i].Depth)-1, nodes[i].End
	for k := i; k < end; {
		switch n := &nodes[k]; {
		case o.Sure.Has(n.Byte) && int(n.Depth)-above <= o.Within:
			k++
		case o.Bytes.Has(n.Byte):
			return false
		default:
			k = n.End
		}
	}
	for k := i; k < end; {
		n := &nodes[k]
		w.visited++
		if !o.Sure.Has(n.Byte) {
			k = n.End
			continue
		}
		w.ranges.add(n.Token, nodes[k+1].Token)
		k++
	}
	return true
}
