package expr

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/arena"
)

// Constants interns the data that nodes name by number: sets of bytes, texts, bounds, scanners and machines.
type Constants struct {
	Sets     arena.Table[ByteSet]
	setOf    Dict[ByteSet, uint32]
	Texts    arena.Table[Text]
	textOf   Dict[string, uint32]
	Bounds   arena.Table[Bounds]
	boundsOf Dict[Bounds, uint32]
	Scans    arena.Table[*Scanner]
	machines machines
	bytes    int64 // of texts, scanners and machines
}

// init interns the empty set as 0.
func (c *Constants) init() {
	c.Sets.Append(ByteSet{})
	c.setOf.Put(ByteSet{}, 0)
}

// initOver begins with the constants of below.
func (c *Constants) initOver(below *Constants) {
	c.Sets, c.setOf = arena.Over(&below.Sets), Over(&below.setOf)
	c.Texts, c.textOf = arena.Over(&below.Texts), Over(&below.textOf)
	c.Bounds, c.boundsOf = arena.Over(&below.Bounds), Over(&below.boundsOf)
	c.Scans = arena.Over(&below.Scans)
	c.machines.below, c.machines.from = &below.machines, uint32(len(below.machines.list))
}

// size returns about how many bytes of memory the constants take.
func (c *Constants) size() int {
	return c.Sets.Cap()*32 + c.Texts.Cap()*32 + c.Bounds.Cap()*12 + len(c.setOf.Own)*2*(32+4) +
		len(c.textOf.Own)*2*(16+4) + len(c.boundsOf.Own)*2*16 + int(c.bytes)
}

// InternSet returns the number of a set of bytes.
func (s *Constants) InternSet(set ByteSet) uint32 {
	id, ok := s.setOf.Get(set)
	if !ok {
		id = s.Sets.Append(set)
		s.setOf.Put(set, id)
	}
	return id
}

// InternText returns the number of a text.
func (s *Constants) InternText(t string) uint32 {
	id, ok := s.textOf.Get(t)
	if !ok {
		id = s.Texts.Append(NewText(t))
		s.textOf.Put(t, id)
		s.bytes += int64(len(t))
	}
	return id
}

// InternBounds returns the number of bounds.
func (s *Constants) InternBounds(bd Bounds) uint32 {
	id, ok := s.boundsOf.Get(bd)
	if !ok {
		id = s.Bounds.Append(bd)
		s.boundsOf.Put(bd, id)
	}
	return id
}

// FindScan returns the number of the automaton of these patterns, and whether there is one.
func (s *Constants) FindScan(patterns []ScanPattern) (uint32, bool) {
	for i := uint32(0); i < s.Scans.Len(); i++ {
		if slices.Equal((*s.Scans.At(i)).Patterns, patterns) {
			return i, true
		}
	}
	return 0, false
}

// InternScan returns the number of an automaton.
func (s *Constants) InternScan(sc *Scanner) uint32 {
	if i, found := s.FindScan(sc.Patterns); found {
		return i
	}
	s.bytes += int64(len(sc.Next) * scanStateBytes)
	return s.Scans.Append(sc)
}

// scanSignature mixes into sig[b] the states of the automaton and the UTF-8 check after b.
func (s *Constants) scanSignature(n *Node, sig *[256]uint64) {
	var to [256]uint32
	(*s.Scans.At(n.A)).steps(n.B, &to)
	for b := range sig {
		u8 := UTF8Step(n.C, byte(b))
		at := uint32(0)
		if u8 != U8Bad {
			at = to[b]
		}
		sig[b] = mix(sig[b], uint64(at)<<8|uint64(u8)|uint64(n.A)<<40)
	}
}

// InternMachine returns the number of a machine.
func (s *Constants) InternMachine(m NamedMachine) uint32 {
	for list := &s.machines; list != nil; list = list.below {
		if i := slices.IndexFunc(list.list, func(x NamedMachine) bool { return x.Text == m.Text }); i >= 0 {
			return list.from + uint32(i)
		}
	}
	s.machines.mu.Lock()
	defer s.machines.mu.Unlock()
	s.machines.list = append(s.machines.list, m)
	if sized, ok := m.Machine.(interface{ Size() int }); ok {
		s.bytes += int64(sized.Size())
	}
	return s.machines.from + uint32(len(s.machines.list)) - 1
}

// MachineOf returns machine id.
func (s *Constants) MachineOf(id uint32) Machine { return s.NamedMachine(id).Machine }

// NamedMachine returns machine id with its name.
func (s *Constants) NamedMachine(id uint32) NamedMachine {
	list := &s.machines
	if id < list.from {
		list = list.below
	}
	list.mu.RLock()
	defer list.mu.RUnlock()
	return list.list[id-list.from]
}

// machineSignature mixes into sig[b] the machine's state after b.
func (s *Constants) machineSignature(n *Node, sig *[256]uint64) {
	m, state := s.MachineOf(n.A), s.Texts.At(n.B).Str
	if measured, ok := m.(Measured); ok {
		measured.Sign(state, func(b byte, next uint64) { sig[b] = mix(mix(sig[b], next), uint64(n.A)) })
		return
	}
	set := m.Bytes()
	for b := set.Next(0); b < 256; b = set.Next(b + 1) {
		if next, ok := m.Step(state, byte(b)); ok {
			sig[b] = mix(sig[b], uint64(s.InternText(next))+1|uint64(n.A)<<40)
		}
	}
}

// wordsOf returns machine id if it is a list of words, or nil.
func (s *Constants) wordsOf(id uint32) *Words {
	w, _ := s.MachineOf(id).(*Words)
	return w
}

// WordTags returns the sorted tags of the texts that continue from a state of a list of words with tags.
func (s *Constants) WordTags(n *Node) []uint32 {
	at := wordStateOf(s.Texts.At(n.B).Str)
	tags := s.wordsOf(n.A).tagsBelow(at.at, nil)
	slices.Sort(tags)
	return tags
}
