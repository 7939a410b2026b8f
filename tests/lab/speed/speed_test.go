package main

import (
	"bytes"
	"encoding/gob"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
)

// A worker answers each request with a result for each constraint, and a time for each mask of its instances.
func TestServe(t *testing.T) {
	var in, out bytes.Buffer
	to := gob.NewEncoder(&in)
	requests := []request{{0, 3, true}, {3, 2, false}, {0, 5, true}}
	for _, r := range requests {
		require.NoError(t, to.Encode(r))
	}
	load := loadConfig{Collection: "builtin", Vocabulary: "small", Only: "^regex", Schemas: 5}
	require.NoError(t, serve(load, &in, &out))
	from := gob.NewDecoder(&out)
	var h hello
	require.NoError(t, from.Decode(&h))
	require.Len(t, h.IDs, 5)
	require.Equal(t, "regex#0", h.IDs[0])
	require.NotEqual(t, "regex#4", h.IDs[4], "they are spread over the collection")
	var rounds [2][]result
	for i, r := range requests {
		var a reply
		require.NoError(t, from.Decode(&a))
		require.Len(t, a.Results, r.Count)
		require.Positive(t, a.Memory)
		rounds[i/2] = append(rounds[i/2], a.Results...)
	}
	for i, x := range rounds[0] {
		require.Equal(t, "ok", x.Verdict)
		require.Positive(t, x.Compile)
		require.NotEmpty(t, x.Walks)
		for k, w := range x.Walks {
			require.Len(t, rounds[1][i].Walks[k].Fills, len(w.Fills))
		}
	}
	require.ErrorIs(t, from.Decode(&reply{}), io.EOF)
}

// Each time of the report is the median of its rounds, and constraints with other answers are named.
func TestReport(t *testing.T) {
	one := func(compile int64, fills ...int64) result {
		return result{Verdict: "ok", Compile: compile, Walks: []walk{{Fills: fills}}}
	}
	base := &side{ids: []string{"a", "b"}, rounds: [][]result{
		{one(9000, 1000, 2000), one(1000, 1000, 9000), one(2000, 3000, 1000)}, {one(1000, 4000)},
	}}
	now := &side{ids: base.ids, rounds: [][]result{
		{one(4000, 3000, 6000), one(4000, 3000, 6000), one(4000, 3000, 6000)}, {{Verdict: "limit"}},
	}}
	var out bytes.Buffer
	require.NoError(t, report(&out, config{base: "old", slowest: 1}, [2]*side{base, now}))
	require.Regexp(t, `average +1.50 +4.50 +3.000\n`, out.String())
	require.Regexp(t, `max +2.00 +6.00 +3.000\n`, out.String())
	require.Regexp(t, `p50 +2.00 +4.00 +2.000\n`, out.String())
	require.Contains(t, out.String(), "a instance 0 step 1 ")
	require.NotContains(t, out.String(), "a instance 0 step 0 ")
	require.Contains(t, out.String(), "answered otherwise: 1\n  b: ok, limit\n")
}
