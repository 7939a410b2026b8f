package terminal

import (
	"slices"
	"sync"
)

// Machine is a language that is given by what reading it means, as a deterministic automaton whose states are made when
// somebody comes to them: numbers that are multiples of a large one, for example, of which no expression is small. Safe
// for concurrent use.
type Machine interface {
	// Start returns the state before the first byte.
	Start() uint32
	// Step returns the state after byte b. It reports false if no string of the language goes on like that: a state that
	// is returned can be completed.
	Step(state uint32, b byte) (next uint32, ok bool)
	// Accepts reports whether a string of the language may end in the state.
	Accepts(state uint32) bool
	// Bytes returns the bytes that occur in strings of the language.
	Bytes() ByteSet
}

// Sprawling is a Machine whose states have many different successors of which few are ever asked for, because hardly two
// texts lead to the same one. Transitions are made one by one then.
type Sprawling interface {
	Machine
	// Alive returns the bytes that Step goes on with.
	Alive(state uint32) ByteSet
	// Room returns bytes, and how long a text of them can be with which the machine is sure to go on.
	Room(state uint32) (bytes ByteSet, n int)
}

// machines keeps the machines of a store.
type machines struct {
	mu    sync.RWMutex // the oracle and printers inspect beside the store's lock
	list  []Machine
	below *machines // of the store below
	from  uint32    // number of the first of its own
}

// Machine returns the language of m. Two machines are never the same expression: keep the expression in Memo.
func (s *Store) Machine(m Machine) Expr {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.machineState(s.internMachine(m), m.Start())
}

// internMachine returns the number of a machine.
func (s *Store) internMachine(m Machine) uint32 {
	for list := &s.machines; list != nil; list = list.below {
		if i := slices.Index(list.list, m); i >= 0 {
			return list.from + uint32(i)
		}
	}
	s.machines.mu.Lock()
	defer s.machines.mu.Unlock()
	s.machines.list = append(s.machines.list, m)
	return s.machines.from + uint32(len(s.machines.list)) - 1
}

func (s *Store) machineState(id, state uint32) Expr {
	final := uint32(0)
	if s.machine(id).Accepts(state) {
		final = 1
	}
	return s.intern(kMachine, id, state, final, nil)
}

func (s *Store) machine(id uint32) Machine {
	list := &s.machines
	if id < list.from {
		list = list.below
	}
	list.mu.RLock()
	defer list.mu.RUnlock()
	return list.list[id-list.from]
}

func (s *Store) machineDerivative(n *node, b byte) Expr {
	next, ok := s.machine(n.a).Step(n.b, b)
	if !ok {
		return Empty
	}
	return s.machineState(n.a, next)
}

// machineSignature tells bytes apart by where the machine goes.
func (s *Store) machineSignature(n *node, sig *[256]uint64) {
	m := s.machine(n.a)
	set := m.Bytes()
	for b := set.Next(0); b < 256; b = set.Next(b + 1) {
		if next, ok := m.Step(n.b, byte(b)); ok {
			sig[b] = mix(sig[b], uint64(next)+1|uint64(n.a)<<40)
		}
	}
}

// sprawling returns the machine that e, or what e begins with, is a state of, if that is one whose transitions are made one
// by one; and what follows it.
func (s *Store) sprawling(n *node) (m Sprawling, state uint32, tail Expr) {
	tail = Epsilon
	if n.kind == kConcat && n.flags&(fBoolean|fCount) == 0 {
		tail = Expr(n.b)
		n = s.node(Expr(n.a))
	}
	if n.kind != kMachine {
		return nil, 0, tail
	}
	m, _ = s.machine(n.a).(Sprawling)
	return m, n.b, tail
}

func (s *Store) sprawls(n *node) bool {
	m, _, _ := s.sprawling(n)
	return m != nil
}

// fillSprawlingRow is fillRow for a state of a sprawling machine: which bytes go on is known, and where they lead is left
// open.
func (s *Store) fillSprawlingRow(e Expr) (uint32, bool) {
	m, state, tail := s.sprawling(s.node(e))
	if m == nil {
		return 0, false
	}
	alive := m.Alive(state)
	if m.Accepts(state) {
		first := s.first(tail)
		alive.Union(&first)
	}
	shape, ok := s.openRows.get(alive)
	if !ok {
		var classes [256]uint8
		for b := alive.Next(0); b < 256; b = alive.Next(b + 1) {
			classes[b] = 1
		}
		shape = textRow{s.internClasses(&classes), s.internSet(alive)}
		s.openRows.put(alive, shape)
	}
	return s.keepRow(e, shape.classes, []Expr{Empty, unresolved}, shape.alive, 0), true
}

// Open is what is known of a state without making those that follow it.
type Open struct {
	Sure   ByteSet // any text of these bytes keeps the state alive and incomplete
	Within int     // if it is no longer than that
	Bytes  ByteSet // no other bytes occur in what can follow the state up to the end of the machine, and one beyond
}

// Open returns what is known of e, nil where its transitions are made at once.
func (s *Store) Open(e Expr) *Open {
	m, state, tail := s.sprawling(s.node(e))
	if m == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	o := &Open{Bytes: m.Bytes()}
	first := s.first(tail)
	o.Bytes.Union(&first)
	if !s.maybe(tail) {
		o.Sure, o.Within = m.Room(state)
	}
	return o
}
