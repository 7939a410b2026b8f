package grid_test

import (
	"fmt"
	"math/big"
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/grid"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

func pow10(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

// contains reports whether a number, in units of the last place, is one of a spec's, by the definition.
func contains(s *grid.Spec, n *big.Int) bool {
	multiple := func(of *big.Int) bool { return new(big.Int).Rem(n, of).Sign() == 0 }
	if !multiple(s.Step) || s.Low != nil && n.Cmp(s.Low) < 0 || s.High != nil && n.Cmp(s.High) > 0 {
		return false
	}
	for _, e := range s.NotEqual {
		if n.Cmp(e) == 0 {
			return false
		}
	}
	for _, d := range s.Not {
		if multiple(new(big.Int).Mul(d.Of, pow10(s.Places-d.Places))) {
			return false
		}
	}
	return true
}

// valueOf returns a number in units of the last place, and false if it has digits after that.
func valueOf(s *grid.Spec, text string) (*big.Int, bool) {
	whole, fraction, _ := strings.Cut(text, ".")
	for len(fraction) < s.Places {
		fraction += "0"
	}
	n, ok := new(big.Int).SetString(whole+fraction[:s.Places], 10)
	if strings.HasPrefix(text, "-") && n.Sign() > 0 {
		n.Neg(n)
	}
	return n, ok && strings.Trim(fraction[s.Places:], "0") == ""
}

func describe(s *grid.Spec) string {
	return fmt.Sprintf("digits %d places %d step %v from %v to %v not %v, multiples of %v, point %v",
		s.Digits, s.Places, s.Step, s.Low, s.High, s.NotEqual, s.Not, s.Point)
}

// reader reads texts with a machine, nil if there are no numbers.
type reader struct{ m terminal.Sprawling }

func (r reader) read(text string) (alive, accepted bool) {
	if r.m == nil {
		return false, false
	}
	state := r.m.Start()
	for i := range len(text) {
		next, ok := r.m.Step(state, text[i])
		if !ok {
			return false, false
		}
		state = next
	}
	return true, r.m.Accepts(state)
}

// randomSpec returns a spec of numbers of about so many digits.
func randomSpec(r *rand.Rand, digits, magnitude int) *grid.Spec {
	near := func(most int) *big.Int { return new(big.Int).Rand(r, pow10(1+r.Intn(most))) }
	s := &grid.Spec{Digits: digits, Places: r.Intn(min(digits, 4) + 1), Point: true}
	if s.Places == 0 {
		s.Point = r.Intn(2) == 0
	}
	s.Step = near(min(magnitude, 18))
	if r.Intn(4) == 0 {
		s.Step = pow10(r.Intn(min(magnitude, 18)))
	}
	s.Step.Add(s.Step, big.NewInt(1))
	bound := func() *big.Int {
		n := near(magnitude)
		if r.Intn(3) == 0 {
			n.Mul(n, s.Step)
		}
		if r.Intn(3) == 0 {
			n.Neg(n)
		}
		return n
	}
	if r.Intn(2) == 0 {
		s.Low = bound()
	}
	switch r.Intn(4) {
	case 0, 1:
		s.High = bound()
	case 2:
		if s.Low != nil { // few numbers are between
			s.High = new(big.Int).Add(s.Low, new(big.Int).Mul(s.Step, big.NewInt(int64(r.Intn(20)))))
		}
	}
	for range r.Intn(8) * r.Intn(2) {
		n := new(big.Int).Mul(s.Step, big.NewInt(int64(r.Intn(30)-8)))
		if s.Low != nil && r.Intn(2) == 0 {
			n.Add(n, new(big.Int).Sub(s.Low, new(big.Int).Mod(s.Low, s.Step)))
		}
		s.NotEqual = append(s.NotEqual, n)
	}
	if r.Intn(10) == 0 { // many in a row, of which some are missing
		first := near(magnitude)
		for first.Sub(first, new(big.Int).Mod(first, s.Step)); len(s.NotEqual) < 150; {
			first.Add(first, new(big.Int).Mul(s.Step, big.NewInt(1+int64(r.Intn(40)/39))))
			s.NotEqual = append(s.NotEqual, new(big.Int).Set(first))
		}
		if r.Intn(2) == 0 {
			s.Low, s.High = s.NotEqual[2], s.NotEqual[148]
		}
	}
	for range r.Intn(4) * r.Intn(2) {
		d := grid.Multiple{Places: r.Intn(s.Places + 1), Of: big.NewInt(int64(2 + r.Intn(40)))}
		if r.Intn(2) == 0 && d.Places == s.Places {
			d.Of.Mul(d.Of, s.Step)
		}
		if grid.Fits(d.Of) {
			s.Not = append(s.Not, d)
		}
	}
	return s
}

// Numbers with few digits: all texts are tried. Checks Lemmas 40 and 41.
func TestSmallNumbers(t *testing.T) {
	r := testkit.Seeded(t, 1)
	for round := range testkit.Rounds(80, 4_000) {
		s := randomSpec(r, 1+truth(round%8 == 0), 4)
		in := reader{grid.New(s)}
		accepted, alive := map[string]bool{}, map[string]bool{}
		var texts []string
		numbers(s, func(text string) {
			texts = append(texts, text)
			if n, ok := valueOf(s, text); ok && contains(s, n) {
				accepted[text] = true
				for i := range len(text) + 1 {
					alive[text[:i]] = true
				}
			}
		})
		for _, text := range texts {
			for _, more := range []string{"", ".", "-", "0"} {
				text := text + more
				if a, ok := in.read(text); alive[text] != a || accepted[text] != ok {
					t.Fatalf("%q: alive %v, accepted %v: %s", text, a, ok, describe(s))
				}
			}
		}
		require.Equal(t, len(alive) == 0, in.m == nil, describe(s))
	}
}

// numbers calls f for every number with the digits of a spec.
func numbers(s *grid.Spec, f func(text string)) {
	most := int(pow10(s.Digits).Int64())
	for _, sign := range []string{"", "-"} {
		for whole := range most {
			f(fmt.Sprintf("%s%d", sign, whole))
			for places, values := 1, 10; s.Point && places <= s.Digits; places, values = places+1, values*10 {
				for fraction := range values {
					f(fmt.Sprintf("%s%d.%0*d", sign, whole, places, fraction))
				}
			}
		}
	}
}

// completes tries every number of digits to complete an unfinished number.
func completes(s *grid.Spec, text string) bool {
	within := func(digits *big.Int, negative bool, k int) bool {
		from := new(big.Int).Mul(digits, pow10(k))
		to := new(big.Int).Add(from, pow10(k))
		to.Sub(to, big.NewInt(1))
		if negative {
			from, to = to.Neg(to), from.Neg(from)
		}
		if s.Low != nil && s.Low.Cmp(from) > 0 {
			from = s.Low
		}
		if s.High != nil && s.High.Cmp(to) < 0 {
			to = s.High
		}
		n := new(big.Int).Sub(from, new(big.Int).Mod(from, s.Step))
		for range 2_000 {
			if n.Cmp(to) > 0 {
				return false
			}
			if n.Cmp(from) >= 0 && contains(s, n) {
				return true
			}
			n.Add(n, s.Step)
		}
		return false // three divisors and some numbers exclude so many in a row only if they exclude all
	}
	digits := strings.TrimPrefix(text, "-")
	negative := digits != text
	whole, fraction, point := strings.Cut(digits, ".")
	n, _ := new(big.Int).SetString("0"+whole+fraction, 10)
	switch {
	case text == "":
		return within(n, false, s.Digits+s.Places) || within(n, true, s.Digits+s.Places)
	case digits == "":
		return within(n, true, s.Digits+s.Places)
	case len(whole) > 1 && whole[0] == '0' || len(whole) > s.Digits || len(fraction) > s.Digits || point && !s.Point:
		return false
	case point && len(fraction) > s.Places:
		n, ok := valueOf(s, text)
		return ok && contains(s, n)
	case point || whole == "0":
		return within(n, negative, s.Places-len(fraction))
	}
	for more := range s.Digits - len(whole) + 1 {
		if within(n, negative, more+s.Places) {
			return true
		}
	}
	return false
}

// Walks that stay close to the bounds are compared with arithmetic on the whole text. Checks Lemma 42 too.
func TestLargeNumbers(t *testing.T) {
	r := testkit.Seeded(t, 2)
	for range testkit.Rounds(150, 20_000) {
		s := randomSpec(r, []int{20, 64}[r.Intn(2)], 24)
		m := grid.New(s)
		require.Equal(t, completes(s, ""), m != nil, describe(s))
		if m == nil {
			continue
		}
		for range 6 {
			walk(t, r, s, m)
		}
	}
}

func walk(t *testing.T, r *rand.Rand, s *grid.Spec, m terminal.Sprawling) {
	t.Helper()
	wanted := r.Perm(10)
	lead := ""
	for _, n := range []*big.Int{s.Low, s.High} {
		if n != nil && r.Intn(2) == 0 {
			lead = n.String()
		}
	}
	text, state := "", m.Start()
	from := m.Read(state)
	for depth := 0; ; depth++ {
		what := fmt.Sprintf("after %q: %s", text, describe(s))
		n, ok := valueOf(s, text+strings.Repeat("0", truth(text == "" || text == "-")))
		number := text != "" && text != "-" && !strings.HasSuffix(text, ".")
		require.Equal(t, number && ok && contains(s, n), m.Accepts(state), what)
		require.Equal(t, m.Accepts(state), from.Accepts(depth), what)
		alive := m.Alive(state)
		for _, b := range []byte("-.0123456789") {
			written := true // as numbers are
			switch b {
			case '-':
				written = text == ""
			case '.':
				written = number && !strings.Contains(text, ".")
			}
			possible := written && completes(s, text+string(b))
			require.Equal(t, possible, alive.Has(b), "%q %s", b, what)
		}
		if digits, room := from.Room(depth); room > 0 {
			next := state
			for range room {
				require.True(t, digits.Has('7'))
				next, ok = m.Step(next, '0'+byte(r.Intn(10)))
				require.True(t, ok, "room for %d digits %s", room, what)
			}
		}
		if alive.IsEmpty() {
			require.True(t, m.Accepts(state), "a dead end %s", what)
			return
		}
		b := byte('0' + wanted[r.Intn(10)])
		if depth < len(lead) && r.Intn(12) > 0 {
			b = lead[depth]
		}
		if !alive.Has(b) || r.Intn(12) == 0 {
			b = pick(r, alive)
		}
		require.True(t, from.Step(depth, b), what)
		state, ok = m.Step(state, b)
		require.True(t, ok, what)
		text += string(b)
	}
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

func pick(r *rand.Rand, set terminal.ByteSet) byte {
	var all []byte
	for b := set.Next(0); b < 256; b = set.Next(b + 1) {
		all = append(all, byte(b))
	}
	return all[r.Intn(len(all))]
}

// Equal futures are equal states: states do not contain the digits.
func TestStatesAreRemainders(t *testing.T) {
	m := grid.New(&grid.Spec{Digits: 64, Step: big.NewInt(60)})
	state := func(text string) string {
		s := m.Start()
		for i := range len(text) {
			s, _ = m.Step(s, text[i])
		}
		return s
	}
	require.Equal(t, state("1260"), state("9900"))
	require.NotEqual(t, state("1260"), state("1261"))
	require.NotEqual(t, state("1260"), state("12600"), "fewer digits can follow")
}

func ExampleNew() {
	m := grid.New(&grid.Spec{Digits: 64, Step: big.NewInt(86_400), Low: big.NewInt(1), High: big.NewInt(1_000_000)})
	for _, text := range []string{"8640", "86401", "864000"} {
		alive, accepted := reader{m}.read(text)
		fmt.Println(text, alive, accepted)
	}
	// Output:
	// 8640 true false
	// 86401 false false
	// 864000 true true
}
