package number

import (
	"math/big"
	"slices"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
)

// Bound is one end of a range.
type Bound struct {
	Value          Decimal
	Set, Exclusive bool
}

// TighterLow returns the stronger of two lower bounds.
func TighterLow(a, b Bound) Bound { return tighter(a, b, 1) }

// TighterHigh returns the stronger of two upper bounds.
func TighterHigh(a, b Bound) Bound { return tighter(a, b, -1) }

// tighter returns the stronger of two bounds; sign is 1 if greater bounds are stronger, else -1.
func tighter(a, b Bound, sign int) Bound {
	switch {
	case !a.Set:
		return b
	case !b.Set:
		return a
	}
	if c := sign * a.Value.Compare(b.Value); c > 0 || c == 0 && a.Exclusive {
		return a
	}
	return b
}

// Spec holds the keywords about a number. An absent bound is unset.
type Spec struct {
	Low, High    Bound
	Multiples    []Decimal
	NotMultiples []Decimal
	NotEqual     []Decimal
}

// IsFree reports whether all numbers are within the spec.
func (s *Spec) IsFree() bool {
	return !s.Low.Set && !s.High.Set && len(s.Multiples) == 0 && len(s.NotMultiples) == 0 && len(s.NotEqual) == 0
}

// Contains reports whether d satisfies the spec.
func (s *Spec) Contains(d Decimal) bool {
	if s.Low.Set {
		if c := d.Compare(s.Low.Value); c < 0 || c == 0 && s.Low.Exclusive {
			return false
		}
	}
	if s.High.Set {
		if c := d.Compare(s.High.Value); c > 0 || c == 0 && s.High.Exclusive {
			return false
		}
	}
	for _, m := range s.Multiples {
		if !d.isMultipleOf(m) {
			return false
		}
	}
	for _, m := range s.NotMultiples {
		if d.isMultipleOf(m) {
			return false
		}
	}
	for _, e := range s.NotEqual {
		if d.Compare(e) == 0 {
			return false
		}
	}
	return true
}

// IntegerRange returns the bounds as inclusive integers.
func (s *Spec) IntegerRange() (low, high Bound) {
	if s.Low.Set {
		low = Bound{Value: s.Low.Value.ceil(), Set: true}
		if s.Low.Exclusive && s.Low.Value.IsInteger() {
			low.Value = low.Value.Plus(1)
		}
	}
	if s.High.Set {
		high = Bound{Value: s.High.Value.floor(), Set: true}
		if s.High.Exclusive && s.High.Value.IsInteger() {
			high.Value = high.Value.Plus(-1)
		}
	}
	return low, high
}

// Possible returns the number types that have a number within the bounds.
func (s *Spec) Possible() jsontype.Set {
	if s.IsFree() {
		return jsontype.Number
	}
	types := jsontype.Number
	if s.Low.Set && s.High.Set {
		switch c := s.Low.Value.Compare(s.High.Value); {
		case c > 0 || c == 0 && (s.Low.Exclusive || s.High.Exclusive):
			return 0
		case c == 0 && s.Low.Value.IsInteger():
			types = jsontype.Integer
		case c == 0:
			types = jsontype.Fraction
		}
	}
	if low, high := s.IntegerRange(); low.Set && high.Set && !s.hasInteger(low.Value, high.Value) {
		types &^= jsontype.Integer
	}
	if types == jsontype.Fraction && s.Low.Set && s.High.Set && !s.Contains(s.Low.Value) &&
		s.Low.Value.Compare(s.High.Value) == 0 {
		types = 0
	}
	if len(s.Multiples) == 0 {
		return types
	}
	return types & s.possibleMultiples()
}

// hasInteger reports whether notEqual excludes not all integers from low to high. With fewer exclusions than integers
// some remain.
func (s *Spec) hasInteger(low, high Decimal) bool {
	d := low
	for range len(s.NotEqual) + 1 {
		if d.Compare(high) > 0 {
			return false
		}
		excluded := false
		for _, e := range s.NotEqual {
			excluded = excluded || e.Compare(d) == 0
		}
		if !excluded {
			return true
		}
		d = d.Plus(1)
	}
	return d.Compare(high) <= 0
}

// possibleMultiples returns the number types with a multiple of all divisors within the bounds.
func (s *Spec) possibleMultiples() jsontype.Set {
	places := 0
	for _, m := range s.Multiples {
		places = max(places, m.places())
	}
	if s.Low.Set {
		places = max(places, s.Low.Value.places())
	}
	if s.High.Set {
		places = max(places, s.High.Value.places())
	}
	step := s.leastCommon(places)
	types := s.hasMultiple(step, places, jsontype.Number)
	one := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(places)), nil)
	whole := lcm(step, one)
	types &= jsontype.Fraction | s.hasMultiple(whole, places, jsontype.Integer)
	if whole.Cmp(step) == 0 {
		types &^= jsontype.Fraction // every multiple is integral
	}
	return types
}

func (s *Spec) leastCommon(places int) *big.Int {
	step := s.Multiples[0].scaled(places)
	for _, m := range s.Multiples[1:] {
		step = lcm(step, m.scaled(places))
	}
	return step
}

// hasMultiple returns types if a multiple of step lies within the bounds (all scaled by 10^places), else nothing.
func (s *Spec) hasMultiple(step *big.Int, places int, types jsontype.Set) jsontype.Set {
	if !s.Low.Set || !s.High.Set {
		return types
	}
	low, high := s.Low.Value.scaled(places), s.High.Value.scaled(places)
	if s.Low.Exclusive {
		low.Add(low, big.NewInt(1))
	}
	if s.High.Exclusive {
		high.Sub(high, big.NewInt(1))
	}
	// The largest multiple ≤ high must not be below low.
	q := new(big.Int).Div(high, step) // rounds towards minus infinity for a positive step
	if q.Mul(q, step).Cmp(low) < 0 {
		return 0
	}
	return types
}

// signOnly reports whether the bounds are absent or about the sign alone.
func (s *Spec) signOnly() bool {
	return len(s.NotEqual) == 0 && (!s.Low.Set || s.Low.Value.IsZero()) && (!s.High.Set || s.High.Value.IsZero())
}

// Settled reports whether the spec has only bounds, none of which has more digits than numbers may have.
func (s *Spec) Settled() bool {
	return len(s.Multiples)+len(s.NotMultiples)+len(s.NotEqual) == 0 && s.moderate()
}

// moderate reports whether no bound or divisor has more digits than numbers may have.
func (s *Spec) moderate() bool {
	written := func(d Decimal) bool {
		return max(len(d.Digits), d.Exponent, len(d.Digits)-d.Exponent) < limits.JSONDigits
	}
	large := func(d Decimal) bool { return !written(d) }
	return (!s.Low.Set || written(s.Low.Value)) && (!s.High.Set || written(s.High.Value)) &&
		!slices.ContainsFunc(s.Multiples, large)
}
