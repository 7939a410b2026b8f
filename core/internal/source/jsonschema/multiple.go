package jsonschema

import (
	"fmt"
	"math/big"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// divisors intersects plain numbers with the multiples asked for, and excludes those that are ruled out.
func (n *numbers) divisors(e terminal.Expr, s *numberSpec) (terminal.Expr, error) {
	for _, m := range s.multiples {
		x, err := n.multiples(m)
		if err != nil {
			return terminal.Empty, err
		}
		e = n.st.And(e, x)
	}
	for _, m := range s.notMultiples {
		x, err := n.multiples(m)
		if err != nil {
			return terminal.Empty, err
		}
		e = n.st.And(e, n.st.Not(x))
	}
	return e, nil
}

// multiples returns the plain numbers that are multiples of m, of any length the digits limit allows. With m = M/10^s, a
// number is one if it has no digits but zeros after its first s decimals and M divides what remains without the point.
func (n *numbers) multiples(m decimal) (terminal.Expr, error) {
	st := n.st
	places := m.places()
	divisor := m.scaled(places)
	if !divisor.IsInt64() || divisor.Int64() > limits.MultipleStates || places > limits.JSONDigits {
		return terminal.Empty, fmt.Errorf("multiples of %s need an automaton of more than %d states", m.key(), limits.MultipleStates)
	}
	r := residues{n: n, modulus: int(divisor.Int64()), places: places, memo: map[int]terminal.Expr{}}
	// Only the remainder modulo M / gcd(M, 10^s) of the whole part matters, since 10^s times it is what M divides.
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(places)), nil)
	r.wholeModulus = int(new(big.Int).Div(divisor, new(big.Int).GCD(nil, nil, divisor, power)).Int64())
	r.scale = int(new(big.Int).Mod(power, divisor).Int64())
	if places == 0 {
		return r.integers(), nil
	}
	if states := r.wholeModulus * limits.JSONDigits; r.wholeModulus > 1 && states > limits.MultipleStates {
		return terminal.Empty, fmt.Errorf("multiples of %s need an automaton of %d states; the limit is %d", m.key(), states, limits.MultipleStates)
	}
	body := terminal.Empty
	if r.wholeModulus == 1 {
		body = st.Concat(st.Or(n.zero, st.Concat(n.nonzero, n.more)), r.afterWhole(0))
	} else {
		body = r.wholeStart()
	}
	return st.Concat(st.Optional(n.minus), body), nil
}

// residues builds the automaton that divides while it reads.
type residues struct {
	n            *numbers
	modulus      int
	wholeModulus int
	scale        int // 10^places modulo modulus
	places       int
	memo         map[int]terminal.Expr
}

// step groups the ten digits by what they lead to.
func (r *residues) step(lowest byte, next func(digit int) terminal.Expr) terminal.Expr {
	st := r.n.st
	var targets [10]terminal.Expr
	for d := int(lowest - '0'); d < 10; d++ {
		targets[d] = next(d)
	}
	var parts []terminal.Expr
	for d := int(lowest - '0'); d < 10; d++ {
		if targets[d] == terminal.Empty {
			continue
		}
		var set terminal.ByteSet
		for k := d; k < 10; k++ {
			if targets[k] == targets[d] {
				set.Add('0' + byte(k))
			}
		}
		target := targets[d]
		for k := d; k < 10; k++ {
			if targets[k] == target {
				targets[k] = terminal.Empty
			}
		}
		parts = append(parts, st.Concat(st.Bytes(set), target))
	}
	return st.Or(parts...)
}

// wholeStart reads the first digit of the whole part. The states after k digits are built from the last k to the first,
// so that nothing recurses.
func (r *residues) wholeStart() terminal.Expr {
	st := r.n.st
	end := make([]terminal.Expr, r.wholeModulus)
	for q := range end {
		end[q] = r.afterWhole(q)
	}
	next := append([]terminal.Expr(nil), end...)
	for k := limits.JSONDigits - 1; k >= 1; k-- {
		row := make([]terminal.Expr, r.wholeModulus)
		for q := range row {
			row[q] = st.Or(end[q], r.step('0', func(d int) terminal.Expr { return next[(10*q+d)%r.wholeModulus] }))
		}
		next = row
	}
	return st.Or(
		st.Concat(r.n.zero, end[0]),
		r.step('1', func(d int) terminal.Expr { return next[d%r.wholeModulus] }),
	)
}

// afterWhole is what follows a whole part with remainder q: nothing, or a fraction.
func (r *residues) afterWhole(q int) terminal.Expr {
	st := r.n.st
	start := q % r.modulus
	fraction := st.Concat(r.n.dot, r.digits(0, start))
	if q*r.scale%r.modulus == 0 {
		return st.Or(terminal.Epsilon, fraction)
	}
	return fraction
}

// digits is what follows i decimals when the number read so far, without its point, has that remainder. At least one
// decimal follows the point.
func (r *residues) digits(i, remainder int) terminal.Expr {
	st, n := r.n.st, r.n
	if i == r.places {
		least := uint32(0)
		if i == 0 {
			least = 1
		}
		if remainder != 0 {
			return terminal.Empty
		}
		return st.Repeat(n.zero, least, uint32(limits.JSONDigits-i))
	}
	key := i*r.modulus + remainder
	if e, ok := r.memo[key]; ok {
		return e
	}
	e := r.step('0', func(d int) terminal.Expr { return r.digits(i+1, (10*remainder+d)%r.modulus) })
	left := remainder
	for k := i; k < r.places; k++ {
		left = left * 10 % r.modulus
	}
	if left == 0 && i > 0 {
		e = st.Or(e, terminal.Epsilon)
	}
	r.memo[key] = e
	return e
}

// integers returns the multiples of an integer. Powers of two and five are told by the last digits alone; only the rest
// of the divisor needs an automaton that runs along.
func (r *residues) integers() terminal.Expr {
	st, n := r.n.st, r.n
	tail := st.Optional(st.Concat(n.dot, st.Repeat(n.zero, 1, limits.JSONDigits)))
	whole := st.Or(n.zero, st.Concat(n.nonzero, n.more))
	smooth, last := 1, 0
	rest := r.modulus
	for _, prime := range [...]int{2, 5} {
		k := 0
		for rest%prime == 0 {
			rest /= prime
			smooth *= prime
			k++
		}
		last = max(last, k)
	}
	xs := []terminal.Expr{whole}
	if smooth > 1 {
		xs = append(xs, r.ending(smooth, last))
	}
	if rest > 1 {
		s := residues{n: n, modulus: rest, wholeModulus: rest, scale: 1}
		xs = append(xs, s.wholeOnly())
	}
	return st.Concat(st.Optional(n.minus), st.And(xs...), tail)
}

// wholeOnly returns the whole numbers that the modulus divides.
func (r *residues) wholeOnly() terminal.Expr {
	st := r.n.st
	next := make([]terminal.Expr, r.modulus)
	next[0] = terminal.Epsilon
	for k := limits.JSONDigits - 1; k >= 1; k-- {
		row := make([]terminal.Expr, r.modulus)
		for q := range row {
			row[q] = r.step('0', func(d int) terminal.Expr { return next[(10*q+d)%r.modulus] })
		}
		row[0] = st.Or(row[0], terminal.Epsilon)
		next = row
	}
	return st.Or(r.n.zero, r.step('1', func(d int) terminal.Expr { return next[d%r.modulus] }))
}

// ending returns the digit strings whose last digits make a number that the modulus divides; it divides 10^last.
func (r *residues) ending(modulus, last int) terminal.Expr {
	st := r.n.st
	next := make([]terminal.Expr, modulus) // by remainder of the digits read
	next[0] = terminal.Epsilon
	short := []terminal.Expr{}
	for k := last - 1; k >= 0; k-- {
		row := make([]terminal.Expr, modulus)
		for q := range row {
			row[q] = r.step('0', func(d int) terminal.Expr { return next[(10*q+d)%modulus] })
		}
		next = row
		if k > 0 {
			short = append(short, next[0]) // a number of just last-k digits
		}
	}
	return st.Or(append(short, st.Concat(st.Star(r.n.digit), next[0]))...)
}
