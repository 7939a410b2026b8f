package terminal_test

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
	"github.com/sluice-engine/sluice/core/internal/terminal/prices"
)

// The price of a row with repetitions is the cost of making it. Existing rows of its parts and targets do not change
// it.
func TestRowsCostTheSameForAll(t *testing.T) {
	dear := 0
	for seed := range int64(300) {
		world := func() (*terminal.Store, []terminal.Expr) {
			r, s := rand.New(rand.NewSource(seed)), terminal.NewStore()
			var all []terminal.Expr
			for range 3 {
				all = append(all, s.Or(randomRepeats(r, s), randomRepeats(r, s)))
			}
			return s, append(all, s.Concat(all...))
		}
		used, same := world()
		r := rand.New(rand.NewSource(seed))
		for range 60 {
			used.Alive(terminal.Expr(r.Intn(used.Size().Expressions)))
			used.Delta(same[r.Intn(len(same))], "ab"[r.Intn(2)])
		}
		for i, e := range same {
			s, fresh := world()
			s.Alive(fresh[i])
			used.Alive(e)
			require.Equal(t, prices.Row(s, fresh[i]), prices.Row(used, e), "seed %d", seed)
			if inside(s).Node(fresh[i]).Flags&expr.FRepeat != 0 && prices.Row(s, fresh[i]) > 100 {
				dear++
			}
		}
	}
	require.Greater(t, dear, 300)
}
