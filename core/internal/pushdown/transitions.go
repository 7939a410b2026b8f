package pushdown

import "sync/atomic"

// transitions maps (state, byte) to the next state. Readers take no lock: an entry is one word, whose price alone may
// be set later, and a bigger table is filled before it is published.
type transitions struct {
	table atomic.Pointer[[]atomic.Uint64] // key<<32 | price and effort (price.go) | state; 0: no entry
	n     int
}

func (t *transitions) init(size int) {
	table := make([]atomic.Uint64, size)
	t.table.Store(&table)
}

func (t *transitions) size() int { return len(*t.table.Load()) * 8 }

func transitionKey(s StateID, b byte) uint32 { return uint32(s)<<(32-StateBits) | uint32(b) }

func slot(key uint32) uint32 { x := key * 0x9E3779B1; return x ^ x>>15 }

func (t *transitions) get(key uint32) (StateID, bool) {
	e := t.entry(key)
	return StateID(e & stateMask), e != 0
}

// priced is get for transitions whose price is known.
func (t *transitions) priced(key uint32) (StateID, bool) {
	e := t.entry(key)
	return StateID(e & stateMask), e != 0 && uint32(e)>>(StateBits+effortBits) != unpriced
}

// effort returns the effort of a known transition.
func (t *transitions) effort(key uint32) effort {
	return effort(t.entry(key) >> StateBits & (1<<effortBits - 1))
}

// entry returns the entry of a key, 0 if there is none.
func (t *transitions) entry(key uint32) uint64 {
	table := *t.table.Load()
	m := uint32(len(table) - 1)
	for i := slot(key) & m; ; i = (i + 1) & m {
		if e := table[i].Load(); e == 0 || uint32(e>>32) == key {
			return e
		}
	}
}

// follow follows text from s along known transitions. It stops at Dead, at Over, and before a transition without a
// price. With free set, it also stops before the first price that is not 0. paid is the sum of the prices.
func (t *transitions) follow(s StateID, text []byte, free bool) (to StateID, n, paid int) {
	// PERF: loads the table once for the whole text. A transition that only a newer, bigger table has counts as new.
	table := *t.table.Load()
	m := uint32(len(table) - 1)
	for n, b := range text {
		if s <= Over {
			return s, n, paid
		}
		key := transitionKey(s, b)
		i := slot(key) & m
		e := table[i].Load()
		for uint32(e>>32) != key {
			if e == 0 {
				return s, n, paid
			}
			i = (i + 1) & m
			e = table[i].Load()
		}
		if p := uint32(e) >> (StateBits + effortBits); p != 0 {
			if free || p == unpriced {
				return s, n, paid
			}
			paid += priceBound(p)
		}
		s = StateID(uint32(e) & stateMask)
	}
	return s, len(text), paid
}

// put adds a transition with its effort and price; the automaton's lock is held.
func (t *transitions) put(key uint32, s StateID, about uint32) {
	table := *t.table.Load()
	if t.n*4 >= len(table)*3 {
		bigger := make([]atomic.Uint64, len(table)*2)
		for i := range table {
			if e := table[i].Load(); e != 0 {
				insert(bigger, uint32(e>>32), e)
			}
		}
		t.table.Store(&bigger)
		table = bigger
	}
	t.n++
	insert(table, key, uint64(key)<<32|uint64(about)<<StateBits|uint64(s))
}

// setPrice sets the price of a transition in the table; the automaton's lock is held.
func (t *transitions) setPrice(key, price uint32) {
	table := *t.table.Load()
	m := uint32(len(table) - 1)
	i := slot(key) & m
	for uint32(table[i].Load()>>32) != key {
		i = (i + 1) & m
	}
	e := table[i].Load()
	table[i].Store(e&^(unpriced<<(StateBits+effortBits)) | uint64(price)<<(StateBits+effortBits))
}

func insert(table []atomic.Uint64, key uint32, e uint64) {
	m := uint32(len(table) - 1)
	i := slot(key) & m
	for table[i].Load() != 0 {
		i = (i + 1) & m
	}
	table[i].Store(e)
}
