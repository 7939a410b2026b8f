package analysis

import (
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// Counter is the number of code points begun in a counted state, and for JSON the phase within an escape. It is zero at
// the start, and in every state that counts nothing.
type Counter uint32

const phaseBits = 4

// CounterMax keeps count<<phaseBits within 32 bits.
const CounterMax = 1<<(32-phaseBits) - 1

// Count returns the number of code points begun.
func (c Counter) Count() uint32 { return uint32(c) >> phaseBits }

// Phase returns the phase within a code point.
func (c Counter) Phase() uint8 { return uint8(c & (1<<phaseBits - 1)) }

// MakeCounter returns the counter after count whole code points.
func MakeCounter(count uint32) Counter { return Counter(count << phaseBits) }

// CounterAt returns the counter in a phase, with n code points begun.
func CounterAt(n uint32, phase uint8) Counter { return Counter(n<<phaseBits) | Counter(phase) }

// WithCount returns the counter with another count in the same phase.
func (c Counter) WithCount(count uint32) Counter {
	return Counter(count<<phaseBits) | c&(1<<phaseBits-1)
}

// Phases of an escape in a JSON string. A surrogate pair is one code point: phases from 9 on belong to its second half
// and begin none.
const (
	PhaseBetween = 0
	phBackslash  = 1
	phHex1       = 2
	phHex2AftD   = 3
	phHigh3      = 4
	phHigh4      = 5
	phHex2       = 6
	phHex3       = 7
	phHex4       = 8
	phLowSlash   = 9
	phLow4       = 14
)

// Advance returns the phase after byte b and whether b begins a code point.
func Advance(enc expr.Encoding, phase uint8, b byte) (uint8, bool) {
	if !enc.HasEscapes() || phase == PhaseBetween {
		if enc.HasEscapes() && b == '\\' {
			return phBackslash, true
		}
		return PhaseBetween, b&0xC0 != 0x80
	}
	switch phase {
	case phBackslash:
		if b == 'u' {
			return phHex1, false
		}
		return PhaseBetween, false
	case phHex1:
		if b|0x20 == 'd' {
			return phHex2AftD, false
		}
		return phHex2, false
	case phHex2AftD:
		if b == '8' || b == '9' || b|0x20 == 'a' || b|0x20 == 'b' {
			return phHigh3, false
		}
		return phHex3, false
	case phHigh4:
		return phLowSlash, false
	case phHex4, phLow4:
		return PhaseBetween, false
	}
	return phase + 1, false
}

// Between reports whether the counter is between code points.
func (c Counter) Between() bool { return c.Phase() == PhaseBetween }

// spectrumKey is a body state and the phase of its counter.
type spectrumKey struct {
	p     expr.Expr
	phase uint8
}
