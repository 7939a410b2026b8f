package main

import (
	"os"
	"os/exec"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// childVariable is set in the child processes of these tests.
const childVariable = "SLUICE_HOSTILE_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(childVariable) == "" {
		os.Exit(m.Run())
	}
	if err := child("small"); err != nil {
		panic(err)
	}
}

// allowance is the factor by which a call may exceed the limit here: the machine of a test is slow and busy.
const allowance = 3

// short are inputs that are far from their limits today, one or more of each family of defects; `make lab NAME=hostile`
// has all. Add the input of every mended defect.
var short = []string{
	"regex a{n}/1000000000", "regex (a{n}){n}/1000", "regex groups/1000", "regex window/18", "regex passwords/8",
	"regex forbidden words/10", "regex alternatives/1000", "regex NUL", "regex invalid UTF-8",
	"ebnf unit rules/1000", "ebnf alternatives/1000", "ebnf palindromes", "ebnf nested groups/900",
	"ebnf alternatives/10000", "ebnf left-recursive rules, megabytes/13631488", "schema description of megabytes",
	"ebnf dangling else", "ebnf unknown rule", "schema enum of strings/20000", "schema properties/1000",
	"schema nested arrays/900", "schema nested not/900", "schema chain of references/1000",
	"schema circle of references", "schema const of megabytes/1048576", "schema NUL", "schema invalid UTF-8",
	"schema half a surrogate pair", "schema long strings/1000000000", "schema multipleOf/60",
	"schema counted items/1000000", "schema uniqueItems", "schema bounds of many digits/50", "tag many tools/500",
	"regex properties of every script/200", "schema anchors and identifiers/20000", "schema numbers in an enum/200000",
	"tag a trigger of megabytes", "schema a number of many digits/1000000", "ebnf names of a megabyte",
	"tag many excluded strings/1000", "tag nested tags/100", "choice of many/50000",
	"schema patterns and lengths beside else/150", "request of many messages/10000000",
	"tag sequence of many texts/800000",
}

func TestShort(t *testing.T) {
	require.NoError(t, os.Setenv(childVariable, "1"))
	defer func() { require.NoError(t, os.Unsetenv(childVariable)) }()
	self, err := os.Executable()
	require.NoError(t, err)
	w := &worker{command: []string{self}, patience: patience}
	defer w.stop()
	all := inputs()
	for _, name := range short {
		i := slices.IndexFunc(all, func(x input) bool { return x.name == name })
		require.GreaterOrEqual(t, i, 0, "there is no input %q", name)
		o, err := w.run(i, name)
		require.NoError(t, err)
		for _, p := range o.problems(allowance) {
			t.Errorf("%s: %s", name, p)
		}
	}
}

// There are enough inputs, and each has a name of its own.
func TestInputs(t *testing.T) {
	names := map[string]bool{}
	for _, x := range inputs() {
		require.False(t, names[x.name], "two inputs are named %q", x.name)
		names[x.name] = true
	}
	require.GreaterOrEqual(t, len(names), 500)
}

// Outcomes beyond the bounds are found.
func TestProblems(t *testing.T) {
	good := outcome{Calls: map[string]float64{"compile": 900, "fill": 90}, MiB: 500, Errors: []said{
		{"compile", "limit", "regex:1:5: {}: 7 loops; at most 5 are read: write fewer (near `a{`)", true, true},
		{"compile", "syntax", "regex:1:1: no", true, false},
	}}
	require.Empty(t, good.problems(1))
	for _, bad := range []outcome{
		{Killed: "fill was killed after 5 s"},
		{Calls: map[string]float64{"compile": 1100}},
		{Calls: map[string]float64{"rollback": 110}},
		{MiB: 513},
		{Errors: []said{{"fill", "limit", "matcher: too much", true, true}}},
		{Errors: []said{{"fill", "limit", "matcher: too much; use less", false, true}}},
		{Errors: []said{{"fill", "limit", "matcher: too much; use less", true, false}}},
		{Errors: []said{{"fill", "internal", "matcher:1:1: panic", true, true}}},
	} {
		require.Len(t, bad.problems(1), 1, "%+v", bad)
	}
}

// A child that does not answer is killed, and the next one continues.
func TestKilled(t *testing.T) {
	path, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("skipped: there is no sh")
	}
	w := &worker{command: []string{path, "-c", "read line; echo begin looping; while :; do :; done"}, patience: 20}
	defer w.stop()
	o, err := w.run(0, "x")
	require.NoError(t, err)
	require.Contains(t, o.Killed, "looping was killed after")
	w.command = []string{path, "-c", "read line; echo begin leaving; exit 3"}
	o, err = w.run(0, "x")
	require.NoError(t, err)
	require.Equal(t, "the process died in leaving", o.Killed)
}
