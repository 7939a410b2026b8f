package rewrite_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/rewrite"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// chain returns n rules, each of which begins with the next one.
func chain(st *terminal.Store, n int) *grammar.Grammar {
	g := grammar.New()
	x := grammar.T(st.Literal("x"))
	g.Start = g.NewRule("r")
	last := g.Start
	for range n - 1 {
		next := g.NewRule("r")
		g.Add(last, grammar.N(next), x)
		last = next
	}
	g.Add(last, x)
	return g
}

// nullableOver returns n nullable rules that end with one rule of m alternatives.
func nullableOver(st *terminal.Store, n, m int) *grammar.Grammar {
	g := grammar.New()
	a, b := grammar.T(st.Literal("a")), grammar.T(st.Literal("b"))
	g.Start = g.NewRule("root")
	wide, back := g.NewRule("wide"), g.NewRule("back")
	g.Add(back, b, grammar.N(wide))
	for range m - 1 {
		g.Add(wide, grammar.N(back), b)
	}
	g.Add(wide, b)
	for range n {
		r := g.NewRule("nullable")
		g.Add(r)
		g.Add(r, a, grammar.N(wide))
		g.Add(g.Start, grammar.N(r), b)
	}
	return g
}

// The time for each rule, or alternative, must not grow with their number: x_of_small is about 1 and far below 8.
func BenchmarkRewriteIsLinear(b *testing.B) {
	const small, large = 15_000, 120_000
	for name, build := range map[string]func(st *terminal.Store, n int) *grammar.Grammar{
		"chain":    chain,
		"nullable": func(st *terminal.Store, n int) *grammar.Grammar { return nullableOver(st, n/10, n/3) },
	} {
		b.Run(name, func(b *testing.B) {
			var took [2]time.Duration
			for range b.N {
				for i, n := range []int{small, large} {
					st := terminal.NewStore()
					g := build(st, n)
					runtime.GC()
					begin := time.Now()
					if _, _, err := rewrite.Run(st, g); err != nil {
						b.Fatal(err)
					}
					took[i] += time.Since(begin)
				}
			}
			b.ReportMetric(float64(took[1])/float64(took[0])*small/large, "x_of_small")
			b.ReportMetric(took[1].Seconds()*1000/float64(b.N), "ms_large")
		})
	}
}
