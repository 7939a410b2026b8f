package jsonschema

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// randomNumber writes a number near zero in one of JSON's spellings.
func randomNumber(r *rand.Rand) string {
	var b strings.Builder
	if r.Intn(3) == 0 {
		b.WriteByte('-')
	}
	if r.Intn(3) == 0 {
		b.WriteByte('0')
	} else {
		fmt.Fprint(&b, 1+r.Intn([...]int{9, 99, 2000}[r.Intn(3)]))
	}
	if r.Intn(2) == 0 {
		b.WriteByte('.')
		for range 1 + r.Intn(4) {
			b.WriteByte("0000123456789995"[r.Intn(16)])
		}
	}
	if r.Intn(3) == 0 {
		fmt.Fprintf(&b, "%c%s%d", "eE"[r.Intn(2)], [...]string{"", "+", "-", "-0"}[r.Intn(4)], r.Intn(5))
	}
	return b.String()
}

// scientific says whether a spelling with an exponent has one digit before the point, which is not zero unless the
// number is.
func scientific(text string) bool {
	text = strings.TrimPrefix(text, "-")
	digits, _, found := strings.Cut(strings.ToLower(text), "e")
	whole, _, _ := strings.Cut(digits, ".")
	return !found || len(whole) == 1 && (whole != "0" || strings.Trim(digits, "0.") == "")
}

func decimalOfText(t *testing.T, text string) decimal {
	d, ok := parseDecimal(text)
	require.True(t, ok)
	return d
}

// Random bounds against exact arithmetic: no number outside is accepted, and every number inside is, in the spellings
// that are promised.
func TestNumbersAgreeWithArithmetic(t *testing.T) {
	const seed = 7
	r := rand.New(rand.NewSource(seed))
	for round := range 600 {
		if round%100 == 0 && testing.Short() && round > 200 {
			break
		}
		st := terminal.NewStore()
		var s numberSpec
		if r.Intn(4) > 0 {
			s.low = bound{value: decimalOfText(t, randomNumber(r)), set: true, excl: r.Intn(2) == 0}
		}
		if r.Intn(4) > 0 {
			s.high = bound{value: decimalOfText(t, randomNumber(r)), set: true, excl: r.Intn(2) == 0}
		}
		if r.Intn(4) == 0 {
			s.multiples = append(s.multiples, decimalOfText(t, [...]string{"0.01", "3", "2.5", "100", "0.3", "12", "7e-2"}[r.Intn(7)]))
		}
		if r.Intn(6) == 0 {
			s.notMultiples = append(s.notMultiples, decimalOfText(t, [...]string{"5", "0.5", "3"}[r.Intn(3)]))
		}
		if r.Intn(6) == 0 {
			s.notEqual = append(s.notEqual, decimalOfText(t, randomNumber(r)))
		}
		types := [...]typeMask{tNumber, tInteger, tFraction}[r.Intn(3)]
		all := r.Intn(2) == 0
		n := numbers{st: st, all: all}
		n.prepare()
		possible := types&s.possible() != 0
		e, err := n.build(types, &s)
		require.NoError(t, err)
		for range 300 {
			text := randomNumber(r)
			if r.Intn(4) == 0 && s.low.set {
				text = s.low.value.String()
			}
			if r.Intn(8) == 0 && s.high.set {
				text = s.high.value.String()
				if more := [...]string{"", "0", ".0", ".01"}[r.Intn(4)]; !strings.Contains(text, ".") && (more != "0" || text != "0") {
					text = text + more
				}
			}
			d := decimalOfText(t, text)
			kind := tFraction
			if d.isInteger() {
				kind = tInteger
			}
			inside := kind&types != 0 && s.contains(d)
			what := fmt.Sprintf("seed %d round %d: %s in %s", seed, round, text, numberKey(types, &s, all))
			got := st.Match(e, []byte(text))
			if got {
				require.True(t, inside, what)
				require.True(t, possible, what)
			}
			plainOnly := len(s.multiples)+len(s.notMultiples) > 0 || types == tFraction
			exponent := strings.ContainsAny(text, "eE")
			switch {
			case !inside || got:
			case types == tInteger && !all && strings.ContainsAny(text, ".eE"):
			case exponent && (plainOnly || !s.signOnly() && !scientific(text) || types == tInteger && strings.Contains(text, "-")):
			default:
				require.True(t, got, what)
			}
		}
	}
}

func TestDecimals(t *testing.T) {
	for _, c := range [...][2]string{{"0", "0"}, {"-0.0", "0"}, {"1e2", "100"}, {"12.50", "12.5"}, {"0.00120", "0.0012"}, {"-1200e-5", "-0.012"}, {"100", "100"}, {"1.5e1", "15"}} {
		require.Equal(t, c[1], decimalOfText(t, c[0]).String())
	}
	require.Equal(t, "-2", decimalOfText(t, "-1.5").floor().String())
	require.Equal(t, "-1", decimalOfText(t, "-1.5").ceil().String())
	require.Equal(t, "0", decimalOfText(t, "-0.5").ceil().String())
	require.True(t, decimalOfText(t, "0.3").isMultipleOf(decimalOfText(t, "0.1")))
	require.False(t, decimalOfText(t, "1e300").isMultipleOf(decimalOfText(t, "7")))
	_, ok := parseDecimal("1e999999999")
	require.False(t, ok)
}
