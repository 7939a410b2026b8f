package pushdown

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// An object's register holds the index of the first declared key that may still come and, if the grammar bounds the
// members, their number. All declared keys are one terminal. Its tag tells which key was read, and mayTake decides by
// the register whether that key may come. So an object with thousands of optional keys is one item. In an object in any
// order the register holds the set of unordered keys that have come, and the index of the first ordered key that may
// come.

// startRegister returns the register of an object without members.
func (p *Program) startRegister(o *object) uint32 {
	if o.anyOrder {
		return p.pair(pair{owed: o.requiredFrom[0]})
	}
	return p.register(o, 0, 0)
}

func (p *Program) register(o *object, index, members uint32) uint32 {
	index = min(index, uint32(len(o.values)))
	if !o.counts {
		return index
	}
	return p.pair(pair{index: index, members: o.counted(members)})
}

// counted returns the number of members that the register holds: 0 if the grammar does not bound it, and at most the
// minimum if there is no maximum.
func (o *object) counted(members uint32) uint32 {
	switch {
	case !o.counts:
		return 0
	case o.maxMembers == terminal.Unbounded:
		return min(members, o.minMembers)
	}
	return members
}

// afterKey returns the register after declared key j and its value.
func (p *Program) afterKey(o *object, m pair, j uint32) uint32 {
	if !o.anyOrder {
		return p.register(o, j+1, m.members+1)
	}
	if j < o.ordered {
		m.from = j + 1
	} else {
		m.index = p.with(m.index, j, len(o.values))
		m.taken++
	}
	m.members = o.counted(m.members + 1)
	if o.required(j) {
		m.owed--
	}
	return p.pair(m)
}

// afterExtra returns the register after an undeclared key and its value.
func (p *Program) afterExtra(o *object, m pair) uint32 {
	if !o.anyOrder {
		return p.register(o, uint32(len(o.values)), m.members+1)
	}
	m.from = o.ordered
	m.members = o.counted(m.members + 1)
	return p.pair(m)
}

// reaches reports whether an object in any order may pass over its ordered keys from m.from up to key j: none of them
// is required. It is false if j is before m.from.
func (o *object) reaches(m pair, j uint32) bool {
	return m.from <= j && o.requiredFrom[m.from] == o.requiredFrom[j]
}

// leavesEnough reports whether an object in any order can reach its least number of members after key j.
func (o *object) leavesEnough(m pair, j uint32) bool {
	if m.members+1 >= o.minMembers || len(o.extras) > 0 {
		return true
	}
	left, next := m.members+1+o.available-m.taken, j+1
	if j >= o.ordered {
		left, next = left-1, m.from
	}
	for k := next; k < o.ordered; k++ {
		if o.values[k] != 0 {
			left++
		}
	}
	return left >= o.minMembers
}

func (o *object) required(j uint32) bool { return o.requiredFrom[j] != o.requiredFrom[j+1] }

func (p *Program) members(o *object, reg uint32) pair {
	if !o.counts && !o.anyOrder {
		return pair{index: reg}
	}
	return *p.pairs.At(reg)
}

// owes returns how many required keys must still come.
func (o *object) owes(m pair) uint32 {
	if o.anyOrder {
		return m.owed
	}
	return o.requiredFrom[m.index]
}

// window returns the range of declared keys that register m permits, empty if from > to. mayTake decides about each key
// of the range.
func (o *object) window(m pair) (from, to int) {
	n := len(o.values)
	from, to = int(m.index), n-1
	if n > 0 && m.index < uint32(n) {
		to = min(to, int(o.nextRequired[m.index])) // a required key cannot be passed over
	}
	if !o.counts {
		return from, to
	}
	if m.members >= o.maxMembers {
		return from, -1
	}
	if len(o.extras) == 0 && m.members < o.minMembers {
		to = min(to, o.fromEnd(int(o.minMembers-m.members)))
	}
	return from, to
}

// fromEnd returns the n-th last of the properties that have a value, a negative number if they are fewer.
func (o *object) fromEnd(n int) int {
	if o.valued == nil {
		return len(o.values) - n
	}
	if n > len(o.valued) {
		return -1
	}
	return int(o.valued[len(o.valued)-n])
}

// mayTake reports whether declared key j may come next.
func (p *Program) mayTake(o *object, m pair, j uint32) bool {
	if o.anyOrder {
		if o.values[j] == 0 || !o.leavesEnough(m, j) || j < o.ordered && !o.reaches(m, j) ||
			j >= o.ordered && p.setHas(m.index, j, setHeight(len(o.values))) {
			return false
		}
		room := m.owed
		if !o.required(j) {
			room++
		}
		return o.maxMembers == terminal.Unbounded || m.members+room <= o.maxMembers
	}
	from, to := o.window(m)
	if int(j) < from || int(j) > to || o.values[j] == 0 {
		return false
	}
	if o.counts && o.maxMembers != terminal.Unbounded {
		// the required keys after j must fit as well
		return m.members+1+o.requiredFrom[j+1] <= o.maxMembers
	}
	return true
}

// property returns the property whose key has the tag.
func (o *object) property(tag uint32) uint32 {
	if o.place == nil {
		return tag
	}
	return o.place[tag]
}

// mayTakeAny reports whether a key with one of the sorted tags may come next.
func (p *Program) mayTakeAny(o *object, m pair, keys []uint32) bool {
	if o.anyOrder || o.place != nil {
		return slices.ContainsFunc(keys, func(tag uint32) bool { return p.mayTake(o, m, o.property(tag)) })
	}
	from, to := o.window(m)
	i, _ := slices.BinarySearch(keys, uint32(from))
	for ; i < len(keys) && int(keys[i]) <= to; i++ {
		if p.mayTake(o, m, keys[i]) {
			return true
		}
	}
	return false
}

// extrasAllowed reports whether an undeclared key may come next.
func (o *object) extrasAllowed(m pair) bool {
	if len(o.extras) == 0 {
		return false
	}
	if o.anyOrder {
		return o.reaches(m, o.ordered) && (o.maxMembers == terminal.Unbounded || m.members+m.owed < o.maxMembers)
	}
	return o.requiredFrom[m.index] == 0 && (!o.counts || m.members < o.maxMembers)
}

// declaredLeft reports whether some declared key may come next.
func (p *Program) declaredLeft(o *object, m pair) bool {
	if o.anyOrder {
		left := m.taken < o.available
		for k := m.from; k < o.ordered && !left; k++ {
			left = o.values[k] != 0
		}
		return m.owed > 0 || left && (o.maxMembers == terminal.Unbounded || m.members < o.maxMembers)
	}
	from, to := o.window(m)
	for j := from; j <= to; j++ {
		if p.mayTake(o, m, uint32(j)) {
			return true
		}
	}
	return false
}
