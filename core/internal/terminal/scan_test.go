package terminal_test

import (
	"slices"
	"testing"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/stretchr/testify/require"
)

// ReachableTags of free text agrees with a search along all texts.
func TestReachableTagsOfScans(t *testing.T) {
	var row []terminal.ScanPattern // all characters that begin with the bytes ef be
	for c := rune(0xFF80); c < 0xFFC0; c++ {
		row = append(row, terminal.ScanPattern{Text: string(c), Kill: c%2 == 0, Tag: uint32(c % 8)})
	}
	for _, patterns := range [][]terminal.ScanPattern{
		nil,
		{{Text: "aca", Tag: 1}, {Text: "cac", Tag: 2}, {Text: "a", Kill: true}},
		{{Text: "aca", Tag: 1}, {Text: "ca", Kill: true}, {Text: "aa", Tag: 2}},
		{{Text: "é", Tag: 1}, {Text: "bé", Tag: 2}, {Text: "béb", Tag: 3}, {Text: "éb", Kill: true}},
		row,
		slices.Concat(row[1:], []terminal.ScanPattern{{Text: "a\uff80", Kill: true}}),
	} {
		s := terminal.NewStore()
		start := s.Scan(patterns, false)
		states, index := []terminal.Expr{start}, map[terminal.Expr]int{start: 0}
		var from [][]int
		var tags [][]uint32
		for i := 0; i < len(states); i++ {
			own, _ := s.View().Tags(states[i], nil)
			tags = append(tags, own)
			var next []int
			for b := range 256 {
				x := s.Delta(states[i], byte(b))
				if _, met := index[x]; !met && x != terminal.Empty {
					index[x] = len(states)
					states = append(states, x)
				}
				if x != terminal.Empty {
					next = append(next, index[x])
				}
			}
			from = append(from, next)
		}
		for changed := true; changed; {
			changed = false
			for i := range states {
				for _, n := range from[i] {
					all := slices.Compact(slices.Sorted(slices.Values(slices.Concat(tags[i], tags[n]))))
					changed = changed || len(all) > len(tags[i])
					tags[i] = all
				}
			}
		}
		for i, e := range states {
			require.NotEmpty(t, tags[i], "a state of %v that cannot be completed", patterns)
			require.Equal(t, tags[i], s.ReachableTags(e), "%v", patterns)
		}
	}
}
