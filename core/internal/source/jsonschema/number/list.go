package number

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// listMachine reads numbers of a long list, in any spelling. The digits of all numbers, without zeros at either end,
// are a trie, whose nodes tell the possible exponents.
type listMachine struct {
	reader numberMachine // reads digits, without bounds
	nodes  []listNode
	roots  [2]uint32 // by sign: 0, or 1 for negative
	zero   bool
}

// listNode is a common prefix of some listed numbers. Node 0 is none.
type listNode struct {
	next  [10]uint32
	exps  []int // of the numbers that end here, as 0.digits times ten to that power
	least int   // digits to the end of the shortest number below
}

type listState struct {
	numberState
	node uint32 // after the last non-zero digit
}

func newListMachine(list []Decimal) *listMachine {
	m := &listMachine{nodes: make([]listNode, 3), roots: [2]uint32{1, 2}}
	for _, d := range list {
		if d.IsZero() {
			m.zero = true
			continue
		}
		at := m.roots[0]
		if d.Negative {
			at = m.roots[1]
		}
		for i := range len(d.Digits) {
			next := m.nodes[at].next[d.Digits[i]-'0']
			if next == 0 {
				next = uint32(len(m.nodes))
				m.nodes[at].next[d.Digits[i]-'0'] = next
				m.nodes = append(m.nodes, listNode{})
			}
			at = next
		}
		if n := &m.nodes[at]; !slices.Contains(n.exps, d.Exponent) {
			n.exps = append(n.exps, d.Exponent)
		}
	}
	for i := len(m.nodes) - 1; i > 0; i-- { // children have larger indices than their node
		n := &m.nodes[i]
		n.least = noDigits
		if len(n.exps) > 0 {
			n.least = 0
		}
		for _, next := range n.next {
			if next != 0 {
				n.least = min(n.least, m.nodes[next].least+1)
			}
		}
	}
	return m
}

const noDigits = 1 << 20

func (m *listMachine) First() listState { return listState{} }

func (m *listMachine) Copy(to, from *listState) { *to = *from }

func (m *listMachine) Name(s *listState) string {
	return string(binary.LittleEndian.AppendUint32([]byte(m.reader.Name(&s.numberState)), s.node))
}

func (m *listMachine) Named(name string) listState {
	at := len(name) - 4
	return listState{m.reader.Named(name[:at]), binary.LittleEndian.Uint32([]byte(name[at:]))}
}

func (m *listMachine) Bytes() terminal.ByteSet { return m.reader.Bytes() }

func (m *listMachine) Room(*listState) (terminal.ByteSet, int) { return terminal.ByteSet{}, 0 }

func (m *listMachine) Ends(s *listState) bool {
	switch s.at {
	case afterZero, inWhole, inFraction:
		return m.fits(s, 0, 0)
	case inExponent:
		return m.fits(s, s.power(), s.power())
	}
	return false
}

func (m *listMachine) Next(s *listState, b byte) bool {
	from := *s
	if !m.reader.read(&s.numberState, b) {
		return false
	}
	if s.at <= afterMinus || s.node == 0 && from.at <= afterMinus {
		s.node = m.roots[bit(s.negative)]
	}
	if b >= '0' && b <= '9' && s.at <= inFraction {
		switch {
		case b != '0':
			s.node = m.nodes[m.walk(s.node, int(from.zeros))].next[b-'0']
			s.zeros = 0
		case from.nonzero:
			s.zeros = from.zeros + 1
		}
	}
	return m.alive(s)
}

func (m *listMachine) walk(node uint32, zeros int) uint32 {
	for ; node != 0 && zeros > 0; zeros-- {
		node = m.nodes[node].next[0]
	}
	return node
}

// fits reports whether an exponent from a to b makes the digits a listed number.
func (m *listMachine) fits(s *listState, a, b int) bool {
	if !s.nonzero {
		return m.zero
	}
	order := s.order()
	return slices.ContainsFunc(m.nodes[s.node].exps, func(exp int) bool { return exp-order >= a && exp-order <= b })
}

func (m *listMachine) alive(s *listState) bool {
	left := limits.JSONDigits - int(s.fraction)
	switch s.at {
	case atStart, afterMinus:
		return m.zero || m.nodes[m.roots[bit(s.negative)]].least <= limits.JSONDigits
	case afterE, afterSign, inExponent:
		return m.exponentAlive(s)
	case inWhole:
		left += limits.JSONDigits - int(s.whole)
	case afterZero, afterPoint, inFraction:
	}
	whole := s.at != afterPoint || left > 0 // the digits are a number, perhaps with a zero behind the point
	if whole && m.fits(s, -greatestExponent, greatestExponent) {
		return true
	}
	node := m.walk(s.node, int(s.zeros))
	return node != 0 && m.nodes[node].least <= left && m.nodes[node].least > 0
}

func (m *listMachine) exponentAlive(s *listState) bool {
	least, most := int(s.exponent), int(s.exponent)
	if s.digits == 0 {
		least, most = 0, greatestExponent
	}
	for left := limits.JSONExponent - int(s.digits); ; left-- {
		if s.at == afterE && m.fits(s, -greatestExponent, greatestExponent) {
			return true
		}
		a, b := least, most
		if s.minus {
			a, b = -most, -least
		}
		if m.fits(s, a, b) {
			return true
		}
		if left <= 0 || s.digits == 0 {
			return false
		}
		least, most = least*10, most*10+9
	}
}

// List returns all spellings of many listed numbers; pointed as for Write.
func List(st *terminal.Store, list []Decimal, pointed bool) (terminal.Expr, error) {
	var key strings.Builder
	key.WriteString("json numbers")
	for i := range list {
		key.WriteByte(' ')
		key.WriteString(list[i].Key())
	}
	if pointed {
		key.WriteString(" pointed")
	}
	return st.Memo(key.String(), func() (terminal.Expr, error) {
		m := newListMachine(list)
		m.reader.pointed = pointed
		return st.Machine(key.String(), terminal.NewMachine(m)), nil
	})
}
