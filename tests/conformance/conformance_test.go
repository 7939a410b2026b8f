package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/tests/corpus"
)

// The whole suite and a share of MaskBench have the expected results. `make conformance` runs all of it.
func TestAsExpected(t *testing.T) {
	var out bytes.Buffer
	sample := 8
	if testing.Short() {
		sample = 80
	}
	ok, err := conform(&out, config{sample: sample})
	if errors.Is(err, corpus.ErrNoData) {
		t.Skip("skipped: ", err)
	}
	require.NoError(t, err)
	t.Logf("\n%s", out.String())
	require.True(t, ok, "something is not as expected: the lines above say what; `make conformance-update` takes it "+
		"over")
}

// Expectations name reasons, and every reason has its sentence.
func TestExpectationsAreExplained(t *testing.T) {
	root, err := corpus.Checkout()
	require.NoError(t, err)
	files, err := filepath.Glob(filepath.Join(root, "tests", "conformance", "expected", "*.txt"))
	require.NoError(t, err)
	require.Len(t, files, len(runs()), "one file a run")
	for _, r := range runs() {
		e, err := readExpectation(expectationPath(root, r.name))
		require.NoError(t, err)
		require.Empty(t, e.unexplained(), r.name)
		require.NotEmpty(t, e.total, r.name)
	}
}

// Changes in both directions and missing reasons are found, and reasons written by hand are kept.
func TestExpectationFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.txt")
	require.NoError(t, os.WriteFile(path, []byte("# c\ntotal tests=4 right=2 refused=1 rejected=1 accepted=0\nreason "+
		"known/odd: because\nreason unsupported/not: no\ncase f.json#1/3 rejected known/odd\ncase f.json#2 refused "+
		"unsupported/not\n"), 0o600))
	want, err := readExpectation(path)
	require.NoError(t, err)
	r := &result{
		unit: "tests", counts: counts{all: 4, right: 2, refused: 1, rejected: 1},
		failed: []failure{{"f.json#1/3", rejected, noReason, ""}, {"f.json#2", refused, "unsupported/not", "no"}},
	}
	got := r.expectation(want)
	require.Empty(t, want.diff(got, r))
	require.NoError(t, got.write(path))
	again, err := readExpectation(path)
	require.NoError(t, err)
	require.Equal(t, want, again)

	r.failed = []failure{{"f.json#2", accepted, noReason, ""}, {"g.json#0/1", refused, "unsupported/not", "no"}}
	got = r.expectation(want)
	require.Len(t, want.diff(got, r), 3, "one passes, one changed, one is new; the totals are the same")
	require.Equal(t, []string{"f.json#2"}, got.unexplained())

	r.sampled, r.judged = true, map[string]bool{"g.json#0": true}
	require.Len(t, want.diff(got, r), 2, "f.json#1 was not judged")

	require.NoError(t, os.WriteFile(path, []byte("case a b\n"), 0o600))
	_, err = readExpectation(path)
	require.ErrorContains(t, err, "x.txt:1")
	require.Equal(t, "a/b#1", jobOf("a/b#1/12"))
	require.Equal(t, "a/b#1", jobOf("a/b#1"))
}

// The judge finds errors, in bytes and in tokens, and knows its excuses.
func TestJudge(t *testing.T) {
	root, err := corpus.Checkout()
	require.NoError(t, err)
	j, err := newJudge(root)
	require.NoError(t, err)
	judge := func(schema string, o core.Options, tests ...test) verdict {
		return j.judge(&job{id: "x", schema: []byte(schema), options: o, tests: tests})
	}
	v := judge(`{"type": "integer"}`, core.Options{}, test{0, "1", true}, test{1, "1", false}, test{2, `"a"`, true},
		test{3, "1.0", true})
	require.Equal(t, verdict{right: 1, accepted: 1, rejected: 2, excused: 1, failures: v.failures}, v)
	require.Equal(t, []string{"x/1 accepted unexplained", "x/2 rejected unexplained", "x/3 rejected number-form"},
		lines(v))
	v = judge(`{"properties": {"a": {"properties": {"b": {}, "c": {}}}, "d": {}}}`, core.Options{},
		test{0, `{"d": 1, "a": {"c": 1, "b": 2, "z": 3}, "y": []}`, true})
	require.Equal(t, []string{"x/0 rejected declared-order"}, lines(v))
	v = judge(`{"type": "integer", "minimum": 3, "maximum": 2}`, core.Options{}, test{0, "1", false},
		test{1, "2", true})
	require.True(t, v.unsatisfiable)
	require.Equal(t, []string{"x/1 rejected unexplained"}, lines(v))
	v = judge(`{"pattern": "(a)\\1"}`, core.Options{}, test{0, "1", true}, test{1, "2", true})
	require.Equal(t, verdict{refused: 2, isRefused: true, failures: v.failures}, v)
	require.Equal(t, []string{"x refused unsupported/pattern"}, lines(v))
	require.NotContains(t, v.failures[0].sentence, `(a)`)

	g, refusal := j.compile(&job{schema: []byte(`{"enum": ["überall", [1, 2]]}`)})
	require.Nil(t, refusal)
	for text, want := range map[string]bool{`"überall"`: true, `[1, 2]`: true, `[1, 2`: false, `[1, ` +
		`3]`: false, `"überal"`: false} {
		for _, accepts := range []func() bool{
			func() bool { ok, problem := j.accepts(g, text); return ok && problem == "" },
			func() bool { ok, err := j.acceptsTokens(g, text); require.NoError(t, err); return ok },
		} {
			require.Equal(t, want, accepts(), text)
		}
	}
}

func lines(v verdict) (out []string) {
	for _, f := range v.failures {
		out = append(out, strings.Join([]string{f.id, f.outcome, f.reason}, " "))
	}
	return out
}
