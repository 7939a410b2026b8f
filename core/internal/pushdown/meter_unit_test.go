package pushdown

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// A unit is given up if and only if its exact price exceeds the bound: its own work and the work of all parts that it
// uses, each once. Other units share the counted set.
func TestUnitsPayEachPartOnce(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	over, within := 0, 0
	for range 300 {
		m := &meter{
			st: terminal.NewStore(), bounds: bounds{work: 20 + r.Intn(80), depth: 1 << 20}, counted: countedParts{mark: 1},
		}
		var parts []part
		for range 40 {
			m.newUnit()
			used, spent := map[part]bool{}, 0
			price := func() int {
				sum := spent
				for p := range used {
					if c := m.parts.At(uint32(p)); c.by != m.unit.id {
						sum += int(c.own)
					}
				}
				return sum
			}
			var use func(p part)
			use = func(p part) {
				if !used[p] {
					used[p] = true
					c := m.parts.At(uint32(p))
					for _, x := range m.below.Slice(c.under, int(c.n)) {
						use(x)
					}
				}
			}
			work := func() {
				for range r.Intn(4) {
					if r.Intn(3) == 0 || len(parts) == 0 {
						n := []int{0, 1, 3, 25}[r.Intn(4)]
						spent += n
						m.spend(n)
					} else {
						p := parts[r.Intn(len(parts))]
						use(p)
						m.charge(p, 0)
					}
				}
			}
			gaveUp := func() (yes bool) {
				defer func() {
					if x := recover(); x != nil {
						_, yes = x.(budgetSpent)
						require.True(t, yes, x)
					}
				}()
				for range 1 + r.Intn(12) {
					own, under := m.enter()
					work()
					p := m.leave(stepPart, own, under)
					parts = append(parts, p)
					used[p] = true
					require.LessOrEqual(t, price(), m.bounds.work)
				}
				return false
			}()
			if gaveUp {
				over++
				require.Greater(t, price(), m.bounds.work)
			} else {
				within++
			}
			m.charged, m.under = m.charged[:m.unit.charged], m.under[:0]
		}
	}
	require.Greater(t, over, 300)
	require.Greater(t, within, 300)
}
