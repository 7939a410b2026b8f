package enginetest

import (
	"bytes"
	"math/rand"
	"os"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/compiled"
	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/matcher"
	"github.com/sluice-engine/sluice/core/internal/testkit"
	"github.com/sluice-engine/sluice/core/internal/vocab"
)

// wholeSampler prefers tokens in an order; one of the first that a mask allows is taken.
type wholeSampler struct {
	name   string
	order  []uint32 // nil: none is preferred
	random int      // one of so many tokens is any
}

func wholeSamplers(v *vocab.Vocabulary) []wholeSampler {
	all := make([]uint32, v.Size())
	for i := range all {
		all[i] = uint32(i)
	}
	by := func(score func(text []byte) int) []uint32 {
		list := slices.Clone(all)
		slices.SortStableFunc(list, func(a, b uint32) int { return score(v.Bytes(b)) - score(v.Bytes(a)) })
		return list
	}
	return []wholeSampler{
		{"random", nil, 1},
		{"longest", by(func(text []byte) int { return len(text) }), 8},
		{"blanks", by(func(text []byte) int {
			if len(text) > 0 && len(bytes.TrimSpace(text)) == 0 {
				return len(text)
			}
			return -1 - bytes.Count(text, []byte(`"`))
		}), 4},
		{"opening", by(func(text []byte) int {
			return 3*bytes.Count(text, []byte("[")) + 3*bytes.Count(text, []byte("{")) - 2*bytes.Count(text, []byte("]")) -
				2*bytes.Count(text, []byte("}")) - bytes.Count(text, []byte(`"`))
		}), 3},
	}
}

func (s *wholeSampler) choose(r *rand.Rand, row []uint32) int32 {
	if s.order == nil || r.Intn(s.random) == 0 {
		n := len(row) * 32
		for i := r.Intn(n); ; i = (i + 1) % n {
			if row[i>>5]>>(i&31)&1 != 0 {
				return int32(i)
			}
		}
	}
	for _, id := range s.order {
		if row[id>>5]>>(id&31)&1 != 0 {
			return int32(id)
		}
	}
	return -1
}

// wholeTimes are the times of masks with a limit.
type wholeTimes struct{ near, accept, set []time.Duration }

func quantile(list []time.Duration, q float64) time.Duration {
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return list[min(int(q*float64(len(list))), len(list)-1)]
}

// wholeNumber returns the number in the environment variable SLUICE_WHOLE_ and name, or n if there is none.
func wholeNumber(name string, n int) int {
	if x, err := strconv.Atoi(os.Getenv("SLUICE_WHOLE_" + name)); err == nil {
		return x
	}
	return n
}

// Outputs of real constraints under limits from the least on are complete, and a matcher without a limit takes them.
func TestLimitedOutputsAreWholeOnRealVocabularies(t *testing.T) {
	for name, step := range map[string]int{"llama3_1": 700, "llama2": 2000, "gpt4o": 2500} {
		t.Run(name, func(t *testing.T) {
			v := testkit.Tokenizer(t, name)
			step := wholeNumber("STEP", max(step/testkit.Rounds(1, 20), 1))
			var jobs []testkit.Job
			for _, file := range []string{"maskbench", "bfcl"} {
				for i, j := range testkit.Jobs(t, 1, file, "dev.jsonl.gz") {
					if i%step == wholeNumber("FIRST", 0)%step {
						jobs = append(jobs, j)
					}
				}
			}
			wholeOutputs(t, v, jobs, limits.DefaultBudgets())
		})
	}
}

// The same on the vocabulary that the project carries.
func TestLimitedOutputsAreWholeOnCommittedVocabulary(t *testing.T) {
	wholeOutputs(t, testkit.CommittedTokenizer(t), builtinJobs(), limits.DefaultBudgets())
}

// The same with budgets for endings that many masks exceed.
func TestNarrowOutputsAreWholeOnCommittedVocabulary(t *testing.T) {
	v := testkit.CommittedTokenizer(t)
	for _, budget := range []int{3_000, 30_000} {
		b := limits.DefaultBudgets()
		b.Ending = budget
		wholeOutputs(t, v, builtinJobs(), b)
	}
}

func wholeOutputs(t *testing.T, v *vocab.Vocabulary, jobs []testkit.Job, b limits.Budgets) {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	r := testkit.Seeded(t, 47)
	c := compiler.New(v, compiler.Config{Budgets: &b})
	samplers := wholeSamplers(v)
	var times wholeTimes
	outputs, refused, limited := 0, 0, 0
	for _, j := range jobs {
		g := compileJob(t, c, &j)
		if g == nil {
			continue
		}
		m, err := matcher.New(g, matcher.Options{})
		require.NoError(t, err)
		begin := threadTime()
		least, err := m.MinTokens()
		times.set = append(times.set, threadTime()-begin)
		if err != nil {
			t.Logf("%s: %v", j.ID, err)
			refused++
			continue
		}
		for _, s := range samplers {
			more := []int{0, 1, 2, 5, 13, 40}
			r.Shuffle(len(more), func(i, k int) { more[i], more[k] = more[k], more[i] })
			for _, n := range more[:wholeNumber("LIMITS", len(more))] {
				if !wholeOutput(t, r, g, &s, least+n, j.ID, &times) {
					limited++
				}
				outputs++
			}
		}
	}
	t.Logf("%d outputs, %d ended by limits of masks without a limit of tokens; of %d constraints no shortest output is "+
		"known", outputs, limited, refused)
	for _, q := range []float64{0.5, 0.9, 0.99, 1} {
		t.Logf("%4.2f: mask %v, accept %v, setting the limit %v", q,
			quantile(times.near, q), quantile(times.accept, q), quantile(times.set, q))
	}
}

// wholeOutput makes one output. It reports false if a mask without a limit takes too much.
func wholeOutput(t testing.TB, r *rand.Rand, g *compiled.Grammar, s *wholeSampler, most int, id string,
	times *wholeTimes,
) bool {
	t.Helper()
	m, err := matcher.New(g, matcher.Options{MaxTokens: most})
	require.NoError(t, err, id)
	free, err := matcher.New(g, matcher.Options{})
	require.NoError(t, err)
	row, plain := make([]uint32, g.Vocabulary().Words()), make([]uint32, g.Vocabulary().Words())
	for n := 0; !m.Terminated(); n++ {
		require.Less(t, n, most, "%s: %s, %d tokens", id, s.name, most)
		if _, err := free.Fill(plain); err != nil && isLimit(err) {
			return false
		}
		begin := threadTime()
		_, err := m.Fill(row)
		times.near = append(times.near, threadTime()-begin)
		require.NoError(t, err, "%s: %s, token %d of %d", id, s.name, n, most)
		for i := range row {
			require.Zero(t, row[i]&^plain[i])
		}
		token := s.choose(r, row)
		begin = threadTime()
		k, err := m.Accept([]int32{token})
		times.accept = append(times.accept, threadTime()-begin)
		require.NoError(t, err)
		require.Equal(t, 1, k, "%s: %s, token %d of %d", id, s.name, n, most)
		k, err = free.Accept([]int32{token})
		require.NoError(t, err)
		require.Equal(t, 1, k)
	}
	require.True(t, free.Terminated())
	return true
}

func isLimit(err error) bool {
	e, ok := err.(*diag.Error)
	return ok && e.Code == diag.Limit
}
