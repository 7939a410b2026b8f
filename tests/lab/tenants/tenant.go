package main

import (
	"fmt"
	"hash/fnv"
	"slices"
	"time"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/tests/corpus"
)

// tenant compiles ordinary schemas and walks a valid instance of each. One goroutine.
type tenant struct {
	jobs        []*corpus.Job
	tokenizer   *corpus.Tokenizer
	row         []uint32
	answers     map[string][]string // by schema: of every step, of the first pass that came to it
	later       map[string]int      // steps of later passes that differ from the first
	fills       []time.Duration
	compiles    []time.Duration
	differences []string
}

func newTenant(v *core.Vocabulary, jobs []*corpus.Job) *tenant {
	return &tenant{
		jobs: jobs, tokenizer: corpus.NewTokenizer(v), row: make([]uint32, v.Words()),
		answers: map[string][]string{}, later: map[string]int{},
	}
}

// pass walks all schemas once, or until the time is over if there is one.
func (t *tenant) pass(c *core.Compiler, end time.Time) {
	for _, x := range t.jobs {
		if !end.IsZero() && time.Now().After(end) {
			return
		}
		got := t.walk(c, x)
		if before, known := t.answers[x.ID]; known {
			t.later[x.ID] += len(diff(before, got))
		} else {
			t.answers[x.ID] = got
		}
	}
}

func (t *tenant) walk(c *core.Compiler, x *corpus.Job) (out []string) {
	begin := time.Now()
	g, err := c.Compile(x.Kind, x.Spec, &x.Options)
	t.compiles = append(t.compiles, time.Since(begin))
	if err != nil {
		return []string{"compile: " + err.Error()}
	}
	ids, _ := t.tokenizer.Cut(x.Tests[0].Pieces, 1000)
	m, err := core.NewMatcher(g, core.MatcherOptions{})
	if err != nil {
		return []string{err.Error()}
	}
	for i := 0; ; i++ {
		begin := time.Now()
		_, err := m.Fill(t.row)
		t.fills = append(t.fills, time.Since(begin))
		if err != nil {
			out = append(out, "fill: "+err.Error())
		} else {
			out = append(out, hash(t.row))
		}
		if i == len(ids) {
			return out
		}
		if n, err := m.Accept(ids[i : i+1]); n == 0 {
			return append(out, fmt.Sprint("accept: ", err))
		}
	}
}

func hash(row []uint32) string {
	h := fnv.New64a()
	for _, x := range row {
		_, _ = h.Write([]byte{byte(x), byte(x >> 8), byte(x >> 16), byte(x >> 24)}) // a hash has no errors
	}
	return fmt.Sprintf("mask %016x", h.Sum64())
}

func diff(a, b []string) (steps []int) {
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || a[i] != b[i] {
			steps = append(steps, i)
		}
	}
	return steps
}

// mostLines is how many differences are printed.
const mostLines = 5

// changed counts the steps whose answers differ from the answers of a quiet run, and keeps some.
func (t *tenant) changed(quiet *tenant) (n int) {
	for _, x := range t.jobs {
		n += t.later[x.ID]
		got, walked := t.answers[x.ID]
		if !walked {
			continue
		}
		want := quiet.answers[x.ID]
		for _, i := range diff(want, got) {
			if n++; len(t.differences) < mostLines {
				line := fmt.Sprintf("%s step %d: quiet %q, beside the neighbour %q", x.ID, i, at(want, i), at(got, i))
				t.differences = append(t.differences, line)
			}
		}
	}
	return n
}

func at(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return "nothing"
}

// quantile returns the p-quantile, 1 for the longest.
func quantile(times []time.Duration, p float64) time.Duration {
	if len(times) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(times))
	return sorted[min(len(sorted)-1, int(p*float64(len(sorted))))].Round(time.Microsecond)
}

func (t *tenant) times() string {
	return fmt.Sprintf("fill p50 %v p99 %v max %v; compile p50 %v p99 %v max %v",
		quantile(t.fills, 0.5), quantile(t.fills, 0.99), quantile(t.fills, 1),
		quantile(t.compiles, 0.5), quantile(t.compiles, 0.99), quantile(t.compiles, 1))
}
