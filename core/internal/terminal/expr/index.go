package expr

// index finds nodes by content: open addressing, 0 = free. An entry is a node's id and, above it, the upper half of its
// hash, so that neither looking for a node nor moving one touches another node: nearly each is a miss of the caches. It
// grows while it is used: what has not moved yet is found in the old table, since moving millions of entries at once
// would hold up a mask by hundreds of milliseconds.
type index struct {
	table []uint64
	old   []uint64 // the table before; nil once everything has moved
	moved int      // entries of old before this one are in table
	below []uint64 // of the store below
}

const (
	indexGrowth = 2
	// indexStep is how many entries move with each new node. The old table is empty long before the new one is full.
	indexStep = 16
)

func hashNode(k Kind, a, b, c uint32, list []Expr) uint64 {
	h := mix(uint64(k)+1, uint64(a)|uint64(b)<<32)
	h = mix(h, uint64(c))
	for _, x := range list {
		h = mix(h, uint64(x))
	}
	return h ^ h>>32
}

// place returns where in a table of m+1 entries a node is looked for first, by the half of its hash that an entry
// holds.
func place(h, m uint64) uint64 { return h >> 32 & m }
