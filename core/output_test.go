package core_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
)

func keeping(t *testing.T, spec string, o core.MatcherOptions) *core.Matcher {
	t.Helper()
	g, err := smallCompiler().Compile(core.Lark, []byte(spec), nil)
	require.NoError(t, err, spec)
	o.KeepOutput = true
	m, err := core.NewMatcher(g, o)
	require.NoError(t, err)
	return m
}

func outputOf(t *testing.T, m *core.Matcher) string {
	t.Helper()
	out, err := m.Output(nil)
	require.NoError(t, err)
	return string(out)
}

// A random sequence of calls accepts, rolls back and forks: the output equals a list of texts that follows the calls.
func TestOutputFollowsTheSequence(t *testing.T) {
	const yes, the = 256, 258
	ids, texts := []int32{'a', yes, the, 0xff}, []string{"a", "yes", "the ", "\xff"}
	r := rand.New(rand.NewPCG(7, 7))
	type follower struct {
		m    *core.Matcher
		said []string
	}
	all := []*follower{{m: keeping(t, "start: /(.|\\n|\\xff)*/s", core.MatcherOptions{})}}
	for range 2000 {
		f := all[r.IntN(len(all))]
		switch r.IntN(6) {
		case 0:
			n := r.IntN(len(f.said) + 1)
			require.NoError(t, f.m.Rollback(n))
			f.said = f.said[:len(f.said)-n]
		case 1:
			if len(all) < 8 {
				fork, err := f.m.Fork()
				require.NoError(t, err)
				all = append(all, &follower{fork, append([]string(nil), f.said...)})
			}
		case 2:
			if r.IntN(20) == 0 {
				require.NoError(t, f.m.Reset())
				f.said = nil
			}
		case 3:
			say(t, f.m, "é")
			f.said = append(f.said, "é")
		default:
			i := r.IntN(len(ids))
			n, err := f.m.Accept([]int32{ids[i]})
			require.NoError(t, err)
			if n == 1 {
				f.said = append(f.said, texts[i])
			}
		}
		want := ""
		for _, text := range f.said {
			want += text
		}
		require.Equal(t, want, outputOf(t, f.m))
	}
}

func TestOutputEndsWithTheSequence(t *testing.T) {
	const yes, end = 256, 261
	m := keeping(t, "start: \"yes\"", core.MatcherOptions{})
	n, err := m.Accept([]int32{yes, end, end})
	require.NoError(t, err)
	require.Equal(t, 3, n)
	say(t, m, "ignored")
	require.Equal(t, "yes", outputOf(t, m))
	out, err := m.Output([]byte("> "))
	require.NoError(t, err)
	require.Equal(t, "> yes", string(out))
}

// Steps that may still begin the reasoning are no output yet, so an output never shrinks while it grows.
func TestOutputWaitsForTheReasoning(t *testing.T) {
	o := core.MatcherOptions{Reasoning: &core.Reasoning{Begin: []uint32{'<', 't', '>'}, End: []uint32{'/'}}}
	m := keeping(t, "start: /<a|yes/", o)
	for _, step := range []struct {
		token int32
		want  string
	}{{'<', ""}, {'t', ""}, {'>', ""}, {'x', ""}, {'/', ""}, {'y', "y"}, {'e', "ye"}} {
		n, err := m.Accept([]int32{step.token})
		require.NoError(t, err)
		require.Equal(t, 1, n)
		require.Equal(t, step.want, outputOf(t, m))
	}
	require.NoError(t, m.Rollback(m.Len()))
	say(t, m, "<a")
	require.Equal(t, "<a", outputOf(t, m))
	require.NoError(t, m.Reset())
	n, err := m.Accept([]int32{'<', 'a'})
	require.NoError(t, err)
	require.Equal(t, 2, n)
	require.Equal(t, "<a", outputOf(t, m))

	m = keeping(t, "start: \"<\"*", o) // the output may also end here
	n, err = m.Accept([]int32{'<'})
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.Equal(t, "<", outputOf(t, m))
}

func TestOutputIsKeptOnDemand(t *testing.T) {
	_, err := larkMatcher(t, "start: \"yes\"").Output(nil)
	require.ErrorContains(t, err, "does not keep its output")
}
