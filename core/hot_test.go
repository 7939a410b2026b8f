package core_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
)

// hotMatcher returns a matcher within a string of JSON that accepts token "a" again and again.
func hotMatcher(b *testing.B) *core.Matcher {
	g, err := core.NewCompiler(smallVocabulary(), core.CompilerConfig{}).Compile(core.AnyJSON, nil, nil)
	require.NoError(b, err)
	m, err := core.NewMatcher(g, core.MatcherOptions{})
	require.NoError(b, err)
	_, err = m.AcceptBytes([]byte(`{"a": "aaa`))
	require.NoError(b, err)
	return m
}

// BenchmarkAccept is one token along a transition that was taken before.
func BenchmarkAccept(b *testing.B) {
	m := hotMatcher(b)
	ids := []int32{'a'}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if n, err := m.Accept(ids); n != 1 || err != nil {
			b.Fatal(n, err)
		}
		if i++; i%1000 == 0 {
			_ = m.Rollback(900)
		}
	}
}

// BenchmarkTryAccept is BenchmarkAccept for a caller that does not wait.
func BenchmarkTryAccept(b *testing.B) {
	m := hotMatcher(b)
	_, _ = m.Accept([]int32{'a'})
	ids := []int32{'a'}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if n, err := m.Until(core.AtOnce).Accept(ids); n != 1 || err != nil {
			b.Fatal(n, err)
		}
		if i++; i%1000 == 0 {
			_ = m.Rollback(900)
		}
	}
}
