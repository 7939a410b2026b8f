package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/tests/corpus"
)

// A tenant's answers equal the answers of a quiet run beside any neighbour's compilations; `make lab NAME=tenants`
// measures times.
func TestAnswersBesideNeighbour(t *testing.T) {
	root, err := corpus.Checkout()
	require.NoError(t, err)
	v, err := corpus.Vocabulary(root, corpus.Small)
	require.NoError(t, err)
	var jobs []*corpus.Job
	require.NoError(t, corpus.Cases(root, func(x *corpus.Job) {
		if x.Kind == core.JSONSchema && len(x.Tests) > 0 {
			jobs = append(jobs, x)
		}
	}))
	quiet := newTenant(v, jobs)
	quiet.pass(core.NewCompiler(v, core.CompilerConfig{}), time.Time{})
	require.Greater(t, len(quiet.fills), 500)
	all, err := neighbours(t.TempDir())
	require.NoError(t, err)
	for _, n := range all {
		if n.name != "divisors" && n.name != "many tools" && n.name != "passwords" {
			continue // they stop the tenant for seconds
		}
		shared := newTenant(v, jobs)
		c := core.NewCompiler(v, core.CompilerConfig{})
		stop := n.start(c)
		shared.pass(c, time.Time{})
		stop()
		require.Zero(t, shared.changed(quiet), "%s: %v", n.name, shared.differences)
	}
}

// Answers that change are counted and shown.
func TestChanged(t *testing.T) {
	jobs := []*corpus.Job{{ID: "a"}, {ID: "b"}}
	quiet := &tenant{jobs: jobs, answers: map[string][]string{"a": {"1", "2"}, "b": {"1"}}}
	now := &tenant{jobs: jobs, answers: map[string][]string{"a": {"1", "3", "4"}}, later: map[string]int{"a": 2}}
	require.Equal(t, 4, now.changed(quiet))
	require.Len(t, now.differences, 2)
	require.Contains(t, now.differences[0], `a step 1: quiet "2", beside the neighbour "3"`)
	require.Equal(t, 3*time.Millisecond, quantile([]time.Duration{3e6, 1e6, 2e6}, 1))
	require.Zero(t, quantile(nil, 0.5))
}
