package arena

// Set is a set of numbers below 1<<40 that takes no time to empty. The zero Set is empty. One goroutine.
type Set struct {
	slots []uint64 // round<<numberBits | number; other rounds are free
	round uint64   // from 1 on, if there are slots
	n     int
}

const (
	numberBits = 40
	// keptSlots bounds the memory of an empty set.
	keptSlots = 1 << 13
)

// Clear empties the set.
func (s *Set) Clear() {
	if s.round++; s.round == 1<<(64-numberBits) || len(s.slots) > keptSlots {
		s.slots = nil
	}
	s.n = 0
}

// Add puts x into the set, and reports whether it was not there.
func (s *Set) Add(x uint64) bool {
	if 2*s.n >= len(s.slots) {
		s.grow()
	}
	i, found := s.find(x)
	if found {
		return false
	}
	s.slots[i] = s.round<<numberBits | x
	s.n++
	return true
}

// Has reports whether x is in the set.
func (s *Set) Has(x uint64) bool {
	if s.n == 0 {
		return false
	}
	_, found := s.find(x)
	return found
}

// find returns the slot of x, a free one if x is not in the set. There is a free slot.
func (s *Set) find(x uint64) (i uint64, found bool) {
	entry, last := s.round<<numberBits|x, uint64(len(s.slots)-1)
	h := x * 0x9E3779B97F4A7C15
	for i = (h ^ h>>32) & last; s.slots[i]>>numberBits == s.round; i = (i + 1) & last {
		if s.slots[i] == entry {
			return i, true
		}
	}
	return i, false
}

func (s *Set) grow() {
	old := *s
	*s = Set{slots: make([]uint64, max(64, 2*len(old.slots))), round: 1}
	for _, entry := range old.slots {
		if entry>>numberBits == old.round {
			s.Add(entry & (1<<numberBits - 1))
		}
	}
}

// Len returns the number of elements.
func (s *Set) Len() int { return s.n }

// Size returns how many bytes the set holds.
func (s *Set) Size() int { return len(s.slots) * 8 }
