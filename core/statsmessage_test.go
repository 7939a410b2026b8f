package core_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/core/sluicev1"
)

// The message is the one that generated code would write, with another number in each field.
func TestStatsMessage(t *testing.T) {
	s := statsExample()
	histogram := func(h core.Histogram) *sluicev1.Histogram {
		out := &sluicev1.Histogram{Counts: h.Counts, Count: h.Count, SumNs: uint64(h.Sum)}
		for _, d := range h.Bounds {
			out.BoundsNs = append(out.BoundsNs, uint64(d))
		}
		return out
	}
	want := &sluicev1.CompilerStats{
		Compilations: histogram(s.Compilations),
		Cache: &sluicev1.Cache{
			Hits: s.Cache.Hits, Misses: s.Cache.Misses, Joined: s.Cache.Joined, Evictions: s.Cache.Evictions,
			Entries: uint64(s.Cache.Entries), Bytes: uint64(s.Cache.Bytes), Limit: uint64(s.Cache.Limit),
		},
		Masks: s.Masks, MasksMade: histogram(s.MasksMade), Warmed: histogram(s.Warmed), WarmedMasks: s.WarmedMasks,
		WarmDropped: s.WarmDropped, ForcedBytes: s.ForcedBytes, ForcedTokens: s.ForcedTokens,
		DraftedTokens: s.DraftedTokens, Refusals: map[string]uint64{},
		Memory: &sluicev1.Memory{
			States: uint64(s.Memory.States), Masks: uint64(s.Memory.Masks), Programs: uint64(s.Memory.Programs),
			TokenSets: uint64(s.Memory.TokenSets), Trie: uint64(s.Memory.Trie),
		},
	}
	c := core.NewCompiler(smallVocabulary(), core.CompilerConfig{})
	for code := range c.Stats().Refusals {
		want.Refusals[code.String()] = s.Refusals[code]
	}
	got := new(sluicev1.CompilerStats)
	require.NoError(t, proto.Unmarshal(s.Message(), got))
	require.True(t, proto.Equal(want, got), "%v\n%v", want, got)

	// Every field has a number above 0, so a field that Message lacks would not be equal. Zeros are left out.
	set := 0
	want.ProtoReflect().Range(func(protoreflect.FieldDescriptor, protoreflect.Value) bool { set++; return true })
	require.Equal(t, want.ProtoReflect().Descriptor().Fields().Len(), set)
	got.Reset()
	require.NoError(t, proto.Unmarshal(c.StatsMessage(), got))
	require.Zero(t, got.Masks)
	require.Positive(t, got.Memory.Trie)
}
