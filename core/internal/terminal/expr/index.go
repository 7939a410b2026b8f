package expr

// index finds nodes by content: open addressing, 0 = free. An entry is the upper half of a node's hash, and below it
// the node's id. A search compares hashes before it fetches a node, since a fetch is mostly a cache miss.
type index struct{ table, below []uint64 } // below: of the store below

// grow doubles the table.
func (x *index) grow() {
	old := x.table
	x.table = make([]uint64, 2*len(old))
	m := uint64(len(x.table) - 1)
	for _, entry := range old {
		if entry == 0 {
			continue
		}
		at := entry >> 32 & m
		for x.table[at] != 0 {
			at = (at + 1) & m
		}
		x.table[at] = entry
	}
}

func hashNode(k Kind, a, b, c uint32, list []Expr) uint64 {
	h := mix(uint64(k)+1, uint64(a)|uint64(b)<<32)
	h = mix(h, uint64(c))
	for _, x := range list {
		h = mix(h, uint64(x))
	}
	return h ^ h>>32
}
