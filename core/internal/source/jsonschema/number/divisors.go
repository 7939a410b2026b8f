package number

import (
	"fmt"
	"math/big"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/grid"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
)

type numberDivisors struct {
	all  []divisor // the first must divide the number if must is set; the others must not
	must bool
}

// divisorsOf returns the divisors of a spec, for numbers of those types, written with digits only if digits is set. It
// fails if arithmetic on them exceeds a machine word.
func divisorsOf(types jsontype.Set, s *Spec, digits bool) (d numberDivisors, err error) {
	add := func(all []Decimal, integral bool) {
		n, ok := leastCommonDivisor(all, integral)
		if !ok || n.places > limits.JSONDigits {
			err = errDivisor
		}
		d.all = append(d.all, n)
	}
	if types == jsontype.Integer && !digits || len(s.Multiples) > 0 {
		d.must = true
		add(s.Multiples, types == jsontype.Integer)
	}
	for _, n := range s.NotMultiples {
		add([]Decimal{n}, false)
	}
	if types == jsontype.Fraction {
		add(nil, true)
	}
	return d, err
}

var errDivisor = fmt.Errorf("a divisor, or the least common multiple of several, has more than 18 digits, or more "+
	"than %d after the point; use a smaller one, or check the number after generation", limits.JSONDigits)

// sparse reports whether arithmetic is needed to find multiples.
func (d *numberDivisors) sparse() bool {
	return d.must && (d.all[0].p > 1 || d.all[0].places > 0 && len(d.all) > 1)
}

// onGrid reports whether numbers are written without an optional exponent, because finding multiples would take a
// search over exponents and bounds.
func (d *numberDivisors) onGrid(s *Spec) bool {
	return d.sparse() && (!s.signOnly() || len(d.all) > 1)
}

func (d *numberDivisors) many(s *Spec) bool {
	for i := range d.all {
		if d.all[i].p > 1 {
			return true
		}
	}
	return d.must && d.all[0].places > 0 && (s.Low.Set || s.High.Set)
}

// gridOf returns the numbers of a spec without exponent as multiples of a least step. point allows digits after the
// point.
func gridOf(s *Spec, d *numberDivisors, point bool) *grid.Spec {
	g := &grid.Spec{Digits: limits.JSONDigits, Step: big.NewInt(1), Point: point}
	others := d.all
	if d.must {
		g.Step, g.Places = new(big.Int).SetUint64(d.all[0].p), d.all[0].places
		others = others[1:]
	}
	if s.Low.Set {
		g.Low = scaledUp(s.Low, g.Places)
	}
	if s.High.Set {
		opposite := Bound{Value: s.High.Value.negated(), Set: true, Exclusive: s.High.Exclusive}
		g.High = scaledUp(opposite, g.Places)
		g.High.Neg(g.High)
	}
	for _, n := range s.NotEqual {
		if n.places() <= g.Places {
			g.NotEqual = append(g.NotEqual, n.scaled(g.Places))
		}
	}
	for i := range others {
		n := grid.Multiple{Places: others[i].places, Of: new(big.Int).SetUint64(others[i].p)}
		if more := n.Places - g.Places; more > 0 {
			// Numbers on the grid are multiples of the divisor without the factors of their zeros.
			zeros := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(more)), nil)
			n.Of.Quo(n.Of, zeros.GCD(nil, nil, zeros, n.Of))
			n.Places = g.Places
		}
		g.Not = append(g.Not, n)
	}
	return g
}

// scaledUp returns the least integer that, divided by 10^places, is within a lower bound.
func scaledUp(b Bound, places int) *big.Int {
	v := b.Value
	if !v.IsZero() {
		v.Exponent += places
	}
	n := v.ceil().scaled(0)
	if b.Exclusive && v.IsInteger() {
		n.Add(n, big.NewInt(1))
	}
	return n
}
