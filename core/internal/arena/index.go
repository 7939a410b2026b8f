package arena

// Index finds elements by their content: a set of ids other than 0, in an open-addressed table. The zero Index is
// empty. Whoever guards the elements guards it, too.
type Index struct {
	slots []uint32
	n     int
}

// Find returns the id of the element with that hash of which same holds, 0 if there is none.
func (x *Index) Find(hash uint64, same func(id uint32) bool) uint32 {
	m := uint64(len(x.slots) - 1)
	for i := hash & m; i < uint64(len(x.slots)) && x.slots[i] != 0; i = (i + 1) & m {
		if same(x.slots[i]) {
			return x.slots[i]
		}
	}
	return 0
}

// Add puts in an element that is not there. hashOf returns the hash of one that is.
func (x *Index) Add(hash uint64, id uint32, hashOf func(id uint32) uint64) {
	if x.n*2 >= len(x.slots) {
		*x = x.moved(max(32, 2*len(x.slots)), hashOf)
	}
	x.put(hash, id)
}

func (x *Index) put(hash uint64, id uint32) {
	m := uint64(len(x.slots) - 1)
	i := hash & m
	for x.slots[i] != 0 {
		i = (i + 1) & m
	}
	x.slots[i] = id
	x.n++
}

// Rehashed returns the same elements under other hashes.
func (x *Index) Rehashed(hashOf func(id uint32) uint64) Index { return x.moved(len(x.slots), hashOf) }

func (x *Index) moved(room int, hashOf func(id uint32) uint64) Index {
	to := Index{slots: make([]uint32, room)}
	for _, id := range x.slots {
		if id != 0 {
			to.put(hashOf(id), id)
		}
	}
	return to
}

// Size returns how many bytes the index holds.
func (x *Index) Size() int { return len(x.slots) * 4 }

// Mix returns hash h with v in it.
func Mix(h, v uint64) uint64 {
	h ^= v
	h *= 0x9E3779B97F4A7C15
	return h ^ h>>29
}
