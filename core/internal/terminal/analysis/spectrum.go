package analysis

import (
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// Spectrum holds the numbers of code points that complete a body state: every number from Min to Max, except those with
// a zero bit in Gaps. Immutable.
type Spectrum struct {
	Min, Max uint32   // Max: Unbounded if there is no longest; Min: Unbounded if nothing completes the state
	Gaps     []uint64 // nil: no gaps; otherwise bit n is set if n is possible, for n < spectrumCap
	least    bool     // only Min is exact; Max and Gaps exclude nothing
	TooHard  bool     // the graph exceeds a limit
	phase    uint8
	enc      expr.Encoding
}

// spectrumCap bounds the lengths that a Spectrum with gaps distinguishes. It allows every greater length.
const spectrumCap = 4096

// Shortest is the least number of code points that complete a counted state.
type Shortest struct {
	N       uint32 // Unbounded: none
	Regular bool   // every greater number does too
	Known   bool   // false: the graph exceeds a limit
}

// Shortest returns the least length and whether all greater ones are possible.
func (sp *Spectrum) Shortest() Shortest {
	return Shortest{N: sp.Min, Regular: sp.Regular(), Known: !sp.TooHard}
}

// Regular reports whether every length from the least one on is possible.
func (sp *Spectrum) Regular() bool {
	return !sp.least && !sp.TooHard && sp.Gaps == nil && sp.Max == expr.Unbounded
}

// of reports whether the lengths are for a counter of enc in phase.
func (sp *Spectrum) of(phase uint8, enc expr.Encoding) bool {
	return sp.phase == phase && sp.enc == enc
}

// undecided reports whether the lengths do not decide about the bounds: only the least one is exact, it is below the
// minimum, and a longer one may satisfy the bounds.
func (sp *Spectrum) undecided(count uint32, bd expr.Bounds) bool {
	return sp.least && sp.Min != expr.Unbounded && bd.Min > count && bd.Min-count > sp.Min
}

// Decides reports whether, after count code points, some length satisfies bounds. known is false if the lengths do not
// decide it.
func (sp *Spectrum) Decides(count uint32, bd expr.Bounds) (fits, known bool) {
	if sp.undecided(count, bd) {
		return false, false
	}
	return sp.Allows(count, bd), true
}

// Allows reports whether, after count code points, some length satisfies bounds.
func (sp *Spectrum) Allows(count uint32, bd expr.Bounds) bool {
	if count > bd.Max || sp.Min == expr.Unbounded {
		return false
	}
	lo, hi := uint32(0), bd.Max
	if bd.Min > count {
		lo = bd.Min - count
	}
	if hi != expr.Unbounded {
		hi -= count
	}
	lo, hi = max(lo, sp.Min), min(hi, sp.Max)
	if lo > hi || sp.Gaps == nil {
		return lo <= hi
	}
	for n := lo; n <= hi && n < spectrumCap; n++ {
		if sp.Gaps[n>>6]>>(n&63)&1 != 0 {
			return true
		}
	}
	return hi >= spectrumCap
}

// lengthKey names the lengths of a body state in a phase and an encoding.
type lengthKey struct {
	p     expr.Expr
	phase uint8
	enc   expr.Encoding
}
