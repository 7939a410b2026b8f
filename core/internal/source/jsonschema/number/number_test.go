package number

import (
	"fmt"
	"math/rand"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/testkit"

	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/jsontype"
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

func decimalOfText(t *testing.T, text string) Decimal {
	d, ok := Parse(text)
	require.True(t, ok)
	return d
}

// randomSpec returns a spec of what schemas ask of numbers.
func randomSpec(t *testing.T, r *rand.Rand) Spec {
	var s Spec
	if r.Intn(3) > 0 {
		s.Low = Bound{Value: decimalOfText(t, randomNumber(r)), Set: true, Exclusive: r.Intn(2) == 0}
	}
	if r.Intn(3) > 0 {
		s.High = Bound{Value: decimalOfText(t, randomNumber(r)), Set: true, Exclusive: r.Intn(2) == 0}
	}
	for range [...]int{0, 0, 0, 1, 1, 2}[r.Intn(6)] {
		s.Multiples = append(s.Multiples, decimalOfText(t,
			[...]string{
				"0.01", "3", "2.5", "100", "0.3", "12", "7e-2", "123456789", "1e-30", "0.123456789",
			}[r.Intn(10)]))
	}
	for range [...]int{0, 0, 0, 1, 2}[r.Intn(5)] {
		s.NotMultiples = append(s.NotMultiples, decimalOfText(t, [...]string{"5", "0.5", "3"}[r.Intn(3)]))
	}
	for range [...]int{0, 0, 0, 1, 3}[r.Intn(5)] {
		s.NotEqual = append(s.NotEqual, decimalOfText(t, randomNumber(r)))
	}
	return s
}

// Random specs against exact arithmetic: no number outside is accepted, and every number inside is, in all spellings
// but those that a note leaves out.
func TestNumbersAgreeWithArithmetic(t *testing.T) {
	const seed = 7
	r := rand.New(rand.NewSource(seed))
	rounds := 1500
	if testing.Short() {
		rounds = 200
	}
	for round := range rounds {
		st := terminal.NewStore()
		s := randomSpec(t, r)
		types := [...]jsontype.Set{jsontype.Number, jsontype.Integer, jsontype.Fraction}[r.Intn(3)]
		all := r.Intn(2) == 0
		n := numbers{st: st, as: Spelling{Pointed: round%2 != 0, Short: round%4 < 2 && s.moderate()}}
		n.prepare()
		possible := types&s.Possible() != 0
		e, err := n.build(types, &s, all)
		require.NoError(t, err)
		for range 200 {
			text := randomNumber(r)
			if r.Intn(4) == 0 && !strings.ContainsAny(text, "eE") {
				text += fmt.Sprintf("e%d", r.Intn(300)-150)
			}
			if r.Intn(4) == 0 && s.Low.Set {
				text = s.Low.Value.String()
			}
			if r.Intn(8) == 0 && s.High.Set {
				text = s.High.Value.String()
				if more := [...]string{"", "0", ".0", ".01"}[r.Intn(4)]; !strings.Contains(text, ".") &&
					(more != "0" || text != "0") {
					text += more
				}
			}
			d := decimalOfText(t, text)
			kind := jsontype.Fraction
			if d.IsInteger() {
				kind = jsontype.Integer
			}
			inside := kind&types != 0 && s.Contains(d)
			what := fmt.Sprintf("seed %d round %d: %s in %s", seed, round, text, numberKey(types, &s, all))
			got := counters.Match(st, e, []byte(text))
			if got {
				require.True(t, inside, what)
				require.True(t, possible, what)
				require.False(t, n.as.Pointed && unpointed(text), what)
				require.False(t, n.as.Short && exponentDigits(text, true) > 2, what)
			}
			switch {
			case !inside || got:
			case n.as.Pointed && unpointed(text), n.as.Short && exponentDigits(text, false) > 2:
			case types == jsontype.Integer && !all && strings.ContainsAny(text, ".eE"):
			case SpellingNote(types, &s, all) != "" && strings.ContainsAny(text, "eE"):
			default:
				require.True(t, got, what)
			}
		}
		walkNumbers(t, r, st, e, fmt.Sprintf("seed %d round %d: %s", seed, round, numberKey(types, &s, all)))
	}
}

// unpointed says whether a number has an exponent and no decimal point.
// exponentDigits returns how many digits the exponent of a number has; significant: without zeros before them.
func exponentDigits(text string, significant bool) int {
	_, e, _ := strings.Cut(strings.ToLower(text), "e")
	if e = strings.TrimLeft(e, "+-"); significant {
		e = strings.TrimLeft(e, "0")
	}
	return len(e)
}

func unpointed(text string) bool {
	return strings.ContainsAny(text, "eE") && !strings.Contains(text, ".")
}

// walkNumbers follows random texts of the language and checks that none has a dead end.
func walkNumbers(t *testing.T, r *rand.Rand, st *terminal.Store, e terminal.Expr, what string) {
	for range 10 {
		text := []byte{}
		for x := e; x != terminal.Empty; {
			alive := st.Alive(x)
			var bytes []byte
			for b := alive.Next(0); b < 256; b = alive.Next(b + 1) {
				bytes = append(bytes, byte(b))
			}
			if len(bytes) == 0 || st.View().Nullable(x) && r.Intn(4) == 0 {
				require.True(t, st.View().Nullable(x), "%s: nothing follows %s", what, text)
				break
			}
			b := bytes[r.Intn(len(bytes))]
			text = append(text, b)
			x = st.Delta(x, b)
		}
	}
}

func TestDecimals(t *testing.T) {
	for _, c := range [...][2]string{
		{"0", "0"},
		{"-0.0", "0"},
		{"1e2", "100"},
		{"12.50", "12.5"},
		{"0.00120", "0.0012"},
		{"-1200e-5", "-0.012"},
		{"100", "100"},
		{"1.5e1", "15"},
	} {
		require.Equal(t, c[1], decimalOfText(t, c[0]).String())
	}
	require.Equal(t, "-2", decimalOfText(t, "-1.5").floor().String())
	require.Equal(t, "-1", decimalOfText(t, "-1.5").ceil().String())
	require.Equal(t, "0", decimalOfText(t, "-0.5").ceil().String())
	require.True(t, decimalOfText(t, "0.3").isMultipleOf(decimalOfText(t, "0.1")))
	require.False(t, decimalOfText(t, "1e300").isMultipleOf(decimalOfText(t, "7")))
	_, ok := Parse("1e999999999")
	require.False(t, ok)
	zero, ok := Parse("-0.0e999999999")
	require.True(t, ok)
	require.Zero(t, zero.Compare(Decimal{}))
}

// The states of machines that read numbers by remainder agree with their steps, and have no dead ends.
func TestNumbersByRemainderHoldTogether(t *testing.T) {
	const seed = 11
	r := rand.New(rand.NewSource(seed))
	read := 0
	for round := range 200 {
		s := randomSpec(t, r)
		if len(s.Multiples)+len(s.NotMultiples) == 0 {
			s.NotMultiples = append(s.NotMultiples, decimalOfText(t, "982451653"))
		}
		types := [...]jsontype.Set{jsontype.Number, jsontype.Integer, jsontype.Fraction}[r.Intn(3)]
		d, err := divisorsOf(types, &s, false)
		require.NoError(t, err)
		m := newNumberMachine(types, &s, &d, Spelling{Pointed: round%2 != 0, Short: round%4 < 2 && s.moderate()})
		first := m.First()
		if d.onGrid(&s) || !d.many(&s) || types&s.Possible() == 0 || !m.alive(&first) {
			continue // of the package grid, or not read by remainders
		}
		read++
		few := "0123456789.eE+-"[r.Intn(5):][:5+r.Intn(6)]
		testkit.WalkMachine(t, terminal.NewSprawling(m), "", func(set terminal.ByteSet) byte {
			for range 20 {
				if b := few[r.Intn(len(few))]; set.Has(b) {
					return b
				}
			}
			return testkit.AnyByte(set, r.Intn(16))
		}, func(text string) {
			n, ok := Parse(text)
			if !ok {
				return // an exponent that no schema has
			}
			kind := jsontype.Fraction
			if n.IsInteger() {
				kind = jsontype.Integer
			}
			what := fmt.Sprintf("seed %d round %d: %s in %s", seed, round, text, numberKey(types, &s, true))
			require.True(t, kind&types != 0 && s.Contains(n), what)
			require.False(t, m.pointed && unpointed(text), what)
			require.LessOrEqual(t, exponentDigits(text, true), len(strconv.Itoa(m.greatest)), what)
		})
	}
	require.Greater(t, read, 30)
}

// feasibleByTrying is the definition of feasible: it tries each number of further digits.
func feasibleByTrying(m *numberMachine, s *numberState) bool {
	excludes := len(m.divisors) > 1 || len(m.divisors) == 1 && !m.must
	for t, more := *s, 0; ; more++ {
		e := m.within(&t)
		if m.must && !excludes {
			e.atLeast(int(s.fraction) - int(s.zeros) - more - m.divisors[0].places)
		}
		if e.from <= e.to && (!excludes || m.escapes(s, &e, more)) {
			return true
		}
		if s.at != inWhole || t.whole == limits.JSONDigits {
			return false
		}
		t.whole++
	}
}

// feasible equals its definition. Checks Lemma 44.
func TestFeasibleIsAsTrying(t *testing.T) {
	r := testkit.Seeded(t, 5)
	yes, no := 0, 0
	for range testkit.Rounds(1500, 20_000) {
		spec := randomSpec(t, r)
		for i, exponent := range []string{"", "e4990", "e-4990", "e60", "e-70"} {
			if b := &spec.Low; i > 0 && r.Intn(3) == 0 {
				b.Value = decimalOfText(t, fmt.Sprint(1+r.Intn(99))+exponent)
			}
			if b := &spec.High; i > 0 && r.Intn(3) == 0 {
				b.Value = decimalOfText(t, fmt.Sprint(1+r.Intn(99))+exponent)
			}
			types := [...]jsontype.Set{jsontype.Integer, jsontype.Number}[r.Intn(2)]
			d, err := divisorsOf(types, &spec, false)
			if err != nil {
				continue
			}
			m := newNumberMachine(types, &spec, &d, Spelling{Short: r.Intn(2) == 0})
			s := m.First()
			for _, b := range []byte(randomNumber(r)) {
				if !m.read(&s, b) {
					break
				}
				if s.at != afterZero && s.at != inWhole && s.at != inFraction {
					continue
				}
				got := m.feasible(&s)
				require.Equal(t, feasibleByTrying(m, &s), got, "%+v %+v", spec, s)
				if got {
					yes++
				} else {
					no++
				}
			}
		}
	}
	require.Greater(t, yes, 500)
	require.Greater(t, no, 500)
}
