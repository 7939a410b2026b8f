package number

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/limits"
)

// Decimal is an exact number: 0.digits × 10^exp, without zeros at either end of digits. Zero has no digits. It shares
// the digits of its text, so it costs no memory and comparisons compare strings. Immutable.
type Decimal struct {
	Digits   string
	Exponent int
	Negative bool
}

// Parse reads a JSON number. It returns false for exponents beyond limits.SchemaBoundExponent.
func Parse(text string) (Decimal, bool) {
	var d Decimal
	s := text
	if s[0] == '-' {
		d.Negative, s = true, s[1:]
	}
	exp := 0
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		e, err := strconv.Atoi(strings.TrimPrefix(s[i+1:], "+"))
		if err != nil || e > limits.SchemaBoundExponent || e < -limits.SchemaBoundExponent {
			return Decimal{}, strings.Trim(s[:i], "0.") == "" // zero with any exponent is zero
		}
		exp, s = e, s[:i]
	}
	whole := len(s)
	if i := strings.IndexByte(s, '.'); i >= 0 {
		whole = i
		if i == 1 && s[0] == '0' {
			s, whole = s[2:], 0
		} else {
			s = s[:i] + s[i+1:]
		}
	}
	trimmed := strings.TrimLeft(s, "0")
	whole -= len(s) - len(trimmed)
	d.Digits = strings.TrimRight(trimmed, "0")
	if d.Digits == "" {
		return Decimal{}, true
	}
	d.Exponent = whole + exp
	return d, true
}

// IsZero reports whether d is zero.
func (d Decimal) IsZero() bool { return d.Digits == "" }

// IsInteger reports whether d is integral.
func (d Decimal) IsInteger() bool { return len(d.Digits) <= d.Exponent || d.Digits == "" }

func (d Decimal) negated() Decimal {
	if d.Digits != "" {
		d.Negative = !d.Negative
	}
	return d
}

func (d Decimal) compareAbs(e Decimal) int {
	switch {
	case d.IsZero() || e.IsZero():
		return min(len(d.Digits), 1) - min(len(e.Digits), 1)
	case d.Exponent != e.Exponent:
		if d.Exponent < e.Exponent {
			return -1
		}
		return 1
	}
	return strings.Compare(d.Digits, e.Digits)
}

// Compare returns a number below, equal to or above zero if d is less than, equal to or greater than e.
func (d Decimal) Compare(e Decimal) int {
	if d.Negative != e.Negative {
		if d.Negative {
			return -1
		}
		return 1
	}
	if d.Negative {
		return e.compareAbs(d)
	}
	return d.compareAbs(e)
}

// scaled returns d × 10^places as an integer; d must have at most that many decimal places.
func (d Decimal) scaled(places int) *big.Int {
	n := new(big.Int)
	if d.IsZero() {
		return n
	}
	n.SetString(d.Digits+strings.Repeat("0", d.Exponent+places-len(d.Digits)), 10)
	if d.Negative {
		n.Neg(n)
	}
	return n
}

func (d Decimal) places() int { return max(len(d.Digits)-d.Exponent, 0) }

func decimalOf(n *big.Int, places int) Decimal {
	if n.Sign() == 0 {
		return Decimal{}
	}
	s := new(big.Int).Abs(n).String()
	return Decimal{Digits: strings.TrimRight(s, "0"), Exponent: len(s) - places, Negative: n.Sign() < 0}
}

func (d Decimal) floor() Decimal {
	if d.IsInteger() {
		return d
	}
	n := new(big.Int)
	if d.Exponent > 0 {
		n.SetString(d.Digits[:d.Exponent], 10)
	}
	if d.Negative {
		n.Neg(n.Add(n, big.NewInt(1)))
	}
	return decimalOf(n, 0)
}

func (d Decimal) ceil() Decimal { return d.negated().floor().negated() }

// Plus returns the integer d + delta.
func (d Decimal) Plus(delta int64) Decimal {
	n := d.scaled(0)
	return decimalOf(n.Add(n, big.NewInt(delta)), 0)
}

// isMultipleOf reports whether d is an integral multiple of m, which must not be zero.
func (d Decimal) isMultipleOf(m Decimal) bool {
	if d.IsZero() {
		return true
	}
	places := max(d.places(), m.places())
	return new(big.Int).Rem(d.scaled(places), m.scaled(places)).Sign() == 0
}

// String writes d without an exponent.
func (d Decimal) String() string {
	sign := ""
	if d.Negative {
		sign = "-"
	}
	switch {
	case d.IsZero():
		return "0"
	case d.Exponent <= 0:
		return sign + "0." + strings.Repeat("0", -d.Exponent) + d.Digits
	case len(d.Digits) <= d.Exponent:
		return sign + d.Digits + strings.Repeat("0", d.Exponent-len(d.Digits))
	}
	return sign + d.Digits[:d.Exponent] + "." + d.Digits[d.Exponent:]
}

// Key returns a short exact name of d, for memo keys and messages.
func (d Decimal) Key() string {
	if d.IsZero() {
		return "0"
	}
	sign := ""
	if d.Negative {
		sign = "-"
	}
	return sign + d.Digits + "e" + strconv.Itoa(d.Exponent)
}

func lcm(a, b *big.Int) *big.Int {
	g := new(big.Int).GCD(nil, nil, a, b)
	return new(big.Int).Mul(a, new(big.Int).Div(b, g))
}
