package pushdown

// Counted names a charge that a text pays once.
type Counted struct {
	what counted
	id   uint32
}

type counted uint8

const (
	countedPart counted = iota
	countedStep
	countedRow
	countedSide
	countedFact // and all numbers from it on
)

// FactOf names the charge for a fact about state s. Kinds number the facts of a package that keeps them.
func FactOf(kind uint8, s StateID) Counted { return Counted{countedFact + counted(kind), uint32(s)} }

// CountedSet is a set of charges. Parts, whose numbers are dense, are bits; the rest is a hash table. The zero value is
// empty. One goroutine.
type CountedSet struct {
	parts []uint64 // one bit a part
	rest  []uint64 // open-addressed, at most half full: what<<32 | id; 0 is free
	n     int      // in rest
}

// Reset empties the set. It keeps memory that is quickly cleared.
func (c *CountedSet) Reset() {
	if len(c.rest) > 1<<12 {
		c.rest = nil
	}
	clear(c.rest)
	clear(c.parts)
	c.n = 0
}

// Add adds x, and reports whether it is new.
func (c *CountedSet) Add(x Counted) bool {
	if x.what == countedPart {
		word, bit := int(x.id/64), uint64(1)<<(x.id%64)
		if word >= len(c.parts) {
			c.parts = append(c.parts, make([]uint64, word+1-len(c.parts))...)
		}
		known := c.parts[word]&bit != 0
		c.parts[word] |= bit
		return !known
	}
	if 2*c.n >= len(c.rest) {
		c.grow()
	}
	key := uint64(x.what)<<32 | uint64(x.id)
	at := c.place(key)
	if c.rest[at] == key {
		return false
	}
	c.rest[at] = key
	c.n++
	return true
}

// clear empties a set without parts.
func (c *CountedSet) clear() {
	clear(c.rest)
	c.n = 0
}

// place returns the index of key in rest, or of the free place for it.
func (c *CountedSet) place(key uint64) uint64 {
	m := uint64(len(c.rest) - 1)
	h := key * 0x9E3779B97F4A7C15
	i := (h ^ h>>32) & m
	for c.rest[i] != 0 && c.rest[i] != key {
		i = (i + 1) & m
	}
	return i
}

func (c *CountedSet) grow() {
	old := c.rest
	c.rest = make([]uint64, max(64, 2*len(old)))
	for _, key := range old {
		if key != 0 {
			c.rest[c.place(key)] = key
		}
	}
}
