package expr

// index finds nodes by content: open addressing, 0 = free. An entry is a node's id and, above it, the upper half of its
// hash, so that a search touches no other node, nearly each of which would be a cache miss. It grows gradually: entries
// that have not moved are found in the old table. Moving millions of entries at once would delay a mask by hundreds of
// milliseconds.
type index struct {
	table []uint64
	old   []uint64 // the table before; nil once all entries have moved
	moved int      // entries of old that are in table
	below []uint64 // of the store below
}

const (
	indexGrowth = 2
	// indexStep is the number of entries that move with each new node. The old table is empty long before the new one
	// is full.
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

// place returns the first slot, in a table of m+1 entries, of a node with hash h.
func place(h, m uint64) uint64 { return h >> 32 & m }
