package arena

// Index finds elements by their content: an open-addressed set of ids other than 0. The zero Index is empty. The lock
// of the elements guards it too.
//
// A slot holds an id and half of its element's hash, so a search skips elements with other hashes without a cache
// miss, and the table grows without reading elements.
type Index struct {
	slots []slot
	n     int
}

// slot is the low half of a hash, which gives the slot's position, above an id. 0 is an empty slot.
type slot uint64

func slotOf(hash uint64, id uint32) slot { return slot(hash<<32 | uint64(id)) }

func (s slot) id() uint32 { return uint32(s) }

func (s slot) hash() uint32 { return uint32(s >> 32) }

// Find returns the id with this hash that same accepts, 0 if there is none.
func (x *Index) Find(hash uint64, same func(id uint32) bool) uint32 {
	m := uint32(len(x.slots) - 1)
	for i := uint32(hash) & m; int(i) < len(x.slots) && x.slots[i] != 0; i = (i + 1) & m {
		if s := x.slots[i]; s.hash() == uint32(hash) && same(s.id()) {
			return s.id()
		}
	}
	return 0
}

// Add adds an element that is not in the index.
func (x *Index) Add(hash uint64, id uint32) {
	if x.n*3 >= len(x.slots)*2 {
		grown := Index{slots: make([]slot, max(32, 2*len(x.slots)))}
		for _, s := range x.slots {
			if s != 0 {
				grown.put(s)
			}
		}
		*x = grown
	}
	x.put(slotOf(hash, id))
}

func (x *Index) put(s slot) {
	m := uint32(len(x.slots) - 1)
	i := s.hash() & m
	for x.slots[i] != 0 {
		i = (i + 1) & m
	}
	x.slots[i] = s
	x.n++
}

// Rehashed returns the same elements under other hashes.
func (x *Index) Rehashed(hashOf func(id uint32) uint64) Index {
	to := Index{slots: make([]slot, len(x.slots))}
	for _, s := range x.slots {
		if s != 0 {
			to.put(slotOf(hashOf(s.id()), s.id()))
		}
	}
	return to
}

// Size returns how many bytes the index holds.
func (x *Index) Size() int { return len(x.slots) * 8 }

// Mix returns hash h extended by v.
func Mix(h, v uint64) uint64 {
	h ^= v
	h *= 0x9E3779B97F4A7C15
	return h ^ h>>29
}
