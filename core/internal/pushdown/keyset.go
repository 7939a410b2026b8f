package pushdown

// setNode is an inner node's two halves, or a leaf's 64 bits; the height tells which.
//
// A set of declared keys is a binary tree of fixed height over 64-bit words, interned node by node. Equal sets are
// equal numbers, adding a key makes a few nodes, and zero is the empty set of any height.
type setNode struct{ low, high uint32 }

// setHeight returns how many levels of inner nodes a set of n keys needs.
func setHeight(n int) (height uint32) {
	for ; n > 64; n = (n + 1) / 2 {
		height++
	}
	return height
}

func (p *Program) setHas(set, key, height uint32) bool {
	for h := height; h > 0 && set != 0; h-- {
		n := p.sets.At(set)
		if key>>(5+h)&1 == 0 {
			set = n.low
		} else {
			set = n.high
		}
	}
	n := p.sets.At(set)
	if key&32 == 0 {
		return n.low>>(key&31)&1 == 1
	}
	return n.high>>(key&31)&1 == 1
}

// setWith returns set with key in it. The lock of registers is held.
func (p *Program) setWith(set, key, height uint32) uint32 {
	n := *p.sets.At(set)
	switch {
	case height == 0 && key&32 == 0:
		n.low |= 1 << (key & 31)
	case height == 0:
		n.high |= 1 << (key & 31)
	case key>>(5+height)&1 == 0:
		n.low = p.setWith(n.low, key, height-1)
	default:
		n.high = p.setWith(n.high, key, height-1)
	}
	id, ok := p.setOf[n]
	if !ok {
		id = p.sets.Append(n)
		p.setOf[n] = id
		p.grown.Add(setBytes)
	}
	return id
}
