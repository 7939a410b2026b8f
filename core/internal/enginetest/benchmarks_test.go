package enginetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/matcher"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// verdict is the outcome of one line of a benchmark.
type verdict struct {
	refused, rejectsValid, acceptsInvalid bool
	err                                   error
}

func judge(t *testing.T, c *compiler.Compiler, j *testkit.Job) (v verdict) {
	t.Helper()
	kind, ok := source.ParseKind(j.Kind)
	require.True(t, ok)
	g, err := c.Compile(kind, j.Spec, &source.Options{})
	if err != nil {
		return verdict{refused: true, err: err}
	}
	wider := false
	for _, n := range g.Notes() {
		wider = wider || n.Effect != diag.Narrower
	}
	accepts := func(text []byte) bool {
		m, err := matcher.New(g, matcher.Options{})
		require.NoError(t, err)
		ok, err := m.AcceptBytes(text)
		if err != nil {
			v.err = err
		}
		return ok && m.Completed()
	}
	for _, text := range j.Accept {
		if !accepts(text) {
			v.rejectsValid = true
			t.Logf("%s rejects a valid instance: %.300s", j.ID, text)
		}
	}
	for _, text := range j.Reject {
		if accepts(text) && !wider {
			v.acceptsInvalid = true
			t.Logf("%s accepts an invalid instance: %.300s", j.ID, text)
		}
	}
	return v
}

// Instances that a benchmark calls valid are accepted, and invalid ones are rejected, unless the constraint is refused
// or has a note that it is wider.
func TestBenchmarkInstances(t *testing.T) {
	for _, f := range []struct {
		path  []string
		step  int
		right float64
	}{
		{[]string{"maskbench", "dev.jsonl.gz"}, 20, 0.85},
		{[]string{"bfcl", "dev.jsonl.gz"}, 10, 1},
	} {
		t.Run(f.path[0], func(t *testing.T) {
			c := compiler.New(testkit.CommittedTokenizer(t), compiler.Config{})
			jobs := testkit.Jobs(t, testkit.Step(f.step), f.path...)
			refused, valid, invalid := 0, 0, 0
			why := map[string]int{}
			for _, j := range jobs {
				v := judge(t, c, &j)
				if v.refused {
					refused++
					if e, ok := v.err.(*diag.Error); ok {
						why[e.Code.String()+" "+e.Keyword]++
					}
					continue
				}
				if v.err != nil {
					t.Logf("%s: %v", j.ID, v.err)
				}
				if v.rejectsValid {
					valid++
				}
				if v.acceptsInvalid {
					invalid++
				}
			}
			t.Logf("%d constraints: %d refused, %d reject something valid, %d accept something invalid; refused for %v",
				len(jobs), refused, valid, invalid, why)
			require.Zero(t, invalid, "constraints that accept an invalid instance without a note")
			require.GreaterOrEqual(t, float64(len(jobs)-refused-valid-invalid), f.right*float64(len(jobs)),
				"constraints that are fully right")
		})
	}
}
