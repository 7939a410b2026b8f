package terminal_test

import (
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/analysis"
)

// inside returns what store s puts its lock around, for tests in which nobody else uses it.
func inside(s *terminal.Store) *analysis.Analysis { defer s.Unlock(); return s.Lock() }

// plain returns x with its counters written out.
func plain(s *terminal.Store, x terminal.Expr) terminal.Expr { return s.And(x) }

func plainAll(s *terminal.Store, xs []terminal.Expr) (out []terminal.Expr) {
	for _, x := range xs {
		out = append(out, plain(s, x))
	}
	return out
}
