package mask

import (
	"sync/atomic"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/metrics"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/tokenset"
)

// Engine computes masks for one vocabulary and one store of terminals. Shared and growing; safe for concurrent use.
//
// An engine can lie over another one, as its store does. It then begins with the token sets below.
type Engine struct {
	*tokenset.Sets
	metrics *metrics.Metrics
	visited atomic.Int64
	work    atomic.Int64
}

// NewEngine returns an engine without any token sets.
func NewEngine(t *tokenset.Tokens, st *terminal.Store) *Engine {
	return &Engine{Sets: tokenset.New(t, st), metrics: new(metrics.Metrics)}
}

// NewEngineOver returns an engine over below, which must not grow any more.
func NewEngineOver(below *Engine, b limits.Budgets) *Engine {
	return &Engine{Sets: tokenset.NewOver(below.Sets, b), metrics: below.metrics}
}

// Metrics returns the counters of the engine, which all engines over it share.
func (e *Engine) Metrics() *metrics.Metrics { return e.metrics }

// Recount starts to count from 0, for the engine and those made over it from now on.
func (e *Engine) Recount() { e.metrics = new(metrics.Metrics) }

// Visited returns the number of trie nodes that all masks so far have visited, a measure of cold masks.
func (e *Engine) Visited() int64 { return e.visited.Load() }

// Work returns the cost of all masks so far, as if no result were known before, in the unit of limits.Budgets.Mask.
func (e *Engine) Work() int64 { return e.work.Load() }
