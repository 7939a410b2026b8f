package number

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// A listed number is accepted in every spelling, nothing else is, and every accepted prefix can be completed.
func TestListMachine(t *testing.T) {
	r := rand.New(rand.NewSource(11))
	number := func() string {
		s := fmt.Sprint(r.Intn(200))
		if s != "0" {
			s += strings.Repeat("0", r.Intn(3))
		}
		if r.Intn(3) == 0 {
			s += "." + strings.Repeat("0", r.Intn(3)) + fmt.Sprint(r.Intn(100))
		}
		if r.Intn(3) == 0 {
			s = "-" + s
		}
		return s
	}
	for round := range 300 {
		var list []Decimal
		for range 1 + r.Intn(40) {
			d, ok := Parse(number())
			require.True(t, ok)
			list = append(list, d)
		}
		reading := newListMachine(list)
		reading.reader.pointed = round%2 != 0
		m := terminal.NewMachine(reading)
		listed := func(text string) bool {
			if reading.reader.pointed && unpointed(text) {
				return false
			}
			if strings.Trim(strings.FieldsFunc(text, func(r rune) bool { return r == 'e' || r == 'E' })[0],
				"-0.") == "" {
				text = "0"
			}
			d, ok := Parse(text)
			return ok && slices.ContainsFunc(list, func(x Decimal) bool { return x.Compare(d) == 0 })
		}
		run := func(text string) bool {
			s, ok := m.Start(), true
			for i := 0; i < len(text) && ok; i++ {
				s, ok = m.Step(s, text[i])
			}
			return ok && m.Accepts(s)
		}
		for range 50 {
			text := number()
			if r.Intn(2) == 0 {
				d := list[r.Intn(len(list))]
				text = d.String()
			}
			if r.Intn(2) == 0 {
				text += fmt.Sprintf("e%d", r.Intn(5)-2)
			}
			require.Equal(t, listed(text), run(text), "%s of %v", text, list)
		}
		for range 20 {
			text := walkNumber(t, r, m)
			require.True(t, listed(text), "%s of %v", text, list)
		}
	}
}

// walkNumber follows random bytes that the machine allows to an end.
func walkNumber(t *testing.T, r *rand.Rand, m terminal.Machine) string {
	t.Helper()
	var text []byte
	for s := m.Start(); ; {
		if m.Accepts(s) && (len(text) > 150 || r.Intn(4) == 0) {
			return string(text)
		}
		var next []byte
		for _, b := range []byte("0123456789.eE+-") {
			if _, ok := m.Step(s, b); ok {
				next = append(next, b)
			}
		}
		if len(next) == 0 {
			require.True(t, m.Accepts(s), "%q leads nowhere", text)
			return string(text)
		}
		b := next[r.Intn(len(next))]
		text = append(text, b)
		s, _ = m.Step(s, b)
	}
}
