package pushdown

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Declared keys with an index below ordered come in their order. The others come anywhere. Each comes at most once. All
// declared keys are one terminal. Its tag tells which key was read, and mayTake decides by the register whether that
// key may come. So an object with thousands of optional keys is one item.

// members returns the content of register reg of an object.
func (p *Program) members(o *object, reg uint32) pair {
	if o.plain() {
		return pair{from: reg, owed: o.requiredFrom[reg]}
	}
	return *p.pairs.At(reg)
}

// register is the inverse of members.
func (p *Program) register(o *object, m pair) uint32 {
	if o.plain() {
		return m.from
	}
	return p.pair(m)
}

// plain reports whether the register of o needs only from, the first key that may still come.
func (o *object) plain() bool { return !o.counts && int(o.ordered) == len(o.values) }

// none is the content of the register of an object without members.
func (o *object) none() pair { return pair{owed: o.requiredFrom[0]} }

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

// afterKey returns m after declared key j and its value.
func (p *Program) afterKey(o *object, m pair, j uint32) pair {
	if j < o.ordered {
		m.from = j + 1
	} else {
		m.set = p.with(m.set, j, len(o.values))
		m.taken++
	}
	m.members = o.counted(m.members + 1)
	if o.required(j) {
		m.owed--
	}
	return m
}

// afterExtra returns m after an undeclared key and its value.
func (o *object) afterExtra(m pair) pair {
	m.from = o.ordered
	m.members = o.counted(m.members + 1)
	return m
}

// passed reports whether declared key j has come. An ordered key has also passed when a member that must follow it has
// come.
func (p *Program) passed(o *object, m pair, j uint32) bool {
	if j < o.ordered {
		return j < m.from
	}
	return p.setHas(m.set, j, setHeight(len(o.values)))
}

// reaches reports whether the object may pass over its ordered keys from m.from up to key j: none of them is required.
func (o *object) reaches(m pair, j uint32) bool { return o.requiredFrom[m.from] == o.requiredFrom[j] }

// leavesEnough reports whether the object can reach its least number of members after key j.
func (o *object) leavesEnough(m pair, j uint32) bool {
	if m.members+1 >= o.minMembers || len(o.extras) > 0 {
		return true
	}
	left, next := m.members+1+o.available-m.taken, j+1
	if j >= o.ordered {
		left, next = left-1, m.from
	}
	for k := next; k < o.ordered && left < o.minMembers; k++ {
		if o.values[k] != 0 {
			left++
		}
	}
	return left >= o.minMembers
}

func (o *object) required(j uint32) bool { return o.requiredFrom[j] != o.requiredFrom[j+1] }

// mayTake reports whether declared key j may come next.
func (p *Program) mayTake(o *object, m pair, j uint32) bool {
	if o.values[j] == 0 || p.passed(o, m, j) || j < o.ordered && !o.reaches(m, j) || !o.leavesEnough(m, j) {
		return false
	}
	room := m.owed
	if !o.required(j) {
		room++
	}
	return o.maxMembers == terminal.Unbounded || m.members+room <= o.maxMembers
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
	if o.place == nil { // keys before m.from have passed
		i, _ := slices.BinarySearch(keys, m.from)
		keys = keys[i:]
	}
	return slices.ContainsFunc(keys, func(tag uint32) bool { return p.mayTake(o, m, o.property(tag)) })
}

// extrasAllowed reports whether an undeclared key may come next.
func (o *object) extrasAllowed(m pair) bool {
	return len(o.extras) > 0 && o.reaches(m, o.ordered) &&
		(o.maxMembers == terminal.Unbounded || m.members+m.owed < o.maxMembers)
}

// declaredLeft reports whether some declared key may come next.
func (o *object) declaredLeft(m pair) bool {
	left := m.taken < o.available
	for k := m.from; k < o.ordered && !left; k++ {
		left = o.values[k] != 0
	}
	return m.owed > 0 || left && (o.maxMembers == terminal.Unbounded || m.members < o.maxMembers)
}
