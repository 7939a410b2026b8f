package enginetest

import (
	"fmt"
	"math/rand"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/compiled"
	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/matcher"
	"github.com/sluice-engine/sluice/core/internal/testkit"
	"github.com/sluice-engine/sluice/core/internal/vocab"
)

// cut cuts a text into tokens, the longest ones first.
func cut(v *vocab.Vocabulary, ids map[string]int32, text []byte) (list []int32) {
	for len(text) > 0 {
		n := min(len(text), 24)
		for n > 1 && ids[string(text[:n])] == 0 {
			n--
		}
		list, text = append(list, ids[string(text[:n])]), text[n:]
	}
	return list
}

// BenchmarkFarLimits measures masks along outputs with a limit of tokens that is far away beside masks without a limit,
// in CPU time of the thread: cold, of a grammar that was just compiled, and warm.
func BenchmarkFarLimits(b *testing.B) {
	v := testkit.CommittedTokenizer(b)
	ids := map[string]int32{}
	for id := range v.Size() {
		ids[string(v.Bytes(uint32(id)))] = int32(id)
	}
	row := make([]uint32, v.Words())
	along := func(g *compiled.Grammar, texts [][]int32, most int) (spent time.Duration, masks int) {
		for _, text := range texts {
			m, err := matcher.New(g, matcher.Options{MaxTokens: most})
			require.NoError(b, err)
			for _, id := range text {
				begin := threadTime()
				_, err := m.Fill(row)
				spent += threadTime() - begin
				require.NoError(b, err)
				n, err := m.Accept([]int32{id})
				require.NoError(b, err)
				require.Equal(b, 1, n)
				masks++
			}
		}
		return spent, masks
	}
	for _, name := range []string{"cold", "warm"} {
		b.Run(name, func(b *testing.B) {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			var spent [2]time.Duration
			var ratios []float64
			masks := 0
			for range b.N {
				for _, j := range builtinJobs() {
					var texts [][]int32
					for _, text := range j.Accept {
						texts = append(texts, cut(v, ids, text))
					}
					var job [2]time.Duration
					for k, most := range []int{0, 4000} {
						g := compileJob(b, compiler.New(v, compiler.Config{}), &j)
						if name == "warm" {
							along(g, texts, most)
						}
						d, n := along(g, texts, most)
						job[k], spent[k] = d, spent[k]+d
						masks += n
					}
					ratios = append(ratios, float64(job[1])/float64(job[0]))
				}
			}
			perMask := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / float64(masks/2) }
			b.ReportMetric(perMask(spent[0]), "ns/mask-without")
			b.ReportMetric(perMask(spent[1]), "ns/mask-with")
			b.ReportMetric(float64(spent[1])/float64(spent[0]), "with/without")
			slices.Sort(ratios)
			b.ReportMetric(ratios[len(ratios)/2], "with/without-median")
		})
	}
}

// BenchmarkNearLimits measures masks near the end, under limits of a few tokens more than the least, in CPU time of the
// thread.
func BenchmarkNearLimits(b *testing.B) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	v := testkit.CommittedTokenizer(b)
	c := compiler.New(v, compiler.Config{})
	var times wholeTimes
	r := rand.New(rand.NewSource(47))
	for range b.N {
		for _, j := range builtinJobs() {
			g := compileJob(b, c, &j)
			m, err := matcher.New(g, matcher.Options{})
			require.NoError(b, err)
			least, err := m.MinTokens()
			require.NoError(b, err)
			for _, s := range wholeSamplers(v) {
				for _, more := range []int{0, 2, 13} {
					wholeOutput(b, r, g, &s, least+more, j.ID, &times)
				}
			}
		}
	}
	for _, q := range []int{50, 90, 99} {
		b.ReportMetric(float64(quantile(times.near, float64(q)/100).Nanoseconds())/1000, fmt.Sprintf("us-p%d", q))
	}
}
