package number

import (
	"math/big"
	"math/bits"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/grid"
)

// divisor is p / 10^places, with precomputed numbers for division digit by digit. Immutable.
type divisor struct {
	p      uint64
	places int
	q      uint64   // p without its factors two and five, which powers of ten supply
	digits int      // of p: any 10^digits consecutive numbers contain a multiple
	pow    []uint64 // 10^i modulo p
}

// newDivisor returns the divisor n / 10^places, false if n has more than 62 bits.
func newDivisor(n *big.Int, places int) (divisor, bool) {
	n = new(big.Int).Set(n)
	ten, rest := big.NewInt(10), new(big.Int)
	for places > 0 {
		quotient := new(big.Int)
		if quotient.QuoRem(n, ten, rest); rest.Sign() != 0 {
			break
		}
		n, places = quotient, places-1
	}
	if !grid.Fits(n) {
		return divisor{}, false
	}
	d := divisor{p: n.Uint64(), places: places, digits: len(n.String())}
	d.q = d.p
	for _, prime := range [...]uint64{2, 5} {
		for d.q%prime == 0 {
			d.q /= prime
		}
	}
	d.pow = make([]uint64, 2*limits.JSONDigits+2)
	d.pow[0] = 1 % d.p
	for i := 1; i < len(d.pow); i++ {
		d.pow[i] = d.times(d.pow[i-1], 10)
	}
	return d, true
}

func (d *divisor) value() Decimal { return decimalOf(new(big.Int).SetUint64(d.p), d.places) }

func (d *divisor) times(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return bits.Rem64(hi, lo, d.p)
}

// next returns the remainder after the digits so far, zeros zeros and one more digit.
func (d *divisor) next(remainder uint64, zeros int, digit byte) uint64 {
	return (d.times(remainder, d.pow[zeros+1]) + uint64(digit-'0')) % d.p
}

// tens returns the least k such that digits with that remainder, of which the last is not zero, are a multiple of p if
// k zeros follow. It returns false if there is none.
func (d *divisor) tens(remainder uint64) (int, bool) {
	if remainder%d.q != 0 {
		return 0, false
	}
	n := 0
	for ; remainder != 0; n++ {
		remainder = d.times(remainder, 10)
	}
	return n, true
}

// missing returns the least x to be added to digits of that remainder, followed by k zeros, for a multiple of p.
func (d *divisor) missing(remainder uint64, k int) uint64 {
	r := remainder
	for ; k > 0; k -= min(k, len(d.pow)-1) {
		r = d.times(r, d.pow[min(k, len(d.pow)-1)])
	}
	return (d.p - r) % d.p
}

// leastCommonDivisor returns the divisor whose multiples are the common multiples of all, or the integral ones.
func leastCommonDivisor(all []Decimal, integral bool) (divisor, bool) {
	places := 0
	for _, m := range all {
		places = max(places, m.places())
	}
	n := big.NewInt(1)
	if integral {
		n.Exp(big.NewInt(10), big.NewInt(int64(places)), nil)
	} else {
		n.Set(all[0].scaled(places))
	}
	for _, m := range all {
		n = lcm(n, m.scaled(places))
	}
	return newDivisor(n, places)
}

// CanDivide reports whether exact arithmetic exists for a divisor of numbers, or of integers only.
func CanDivide(d Decimal, integral bool) bool {
	n, small := leastCommonDivisor([]Decimal{d}, integral)
	return small && n.places <= limits.JSONDigits
}
