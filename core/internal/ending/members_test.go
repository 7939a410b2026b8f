package ending

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// bruteBytes returns how few bytes complete the output from state s, by following all bytes breadth first.
func (f *Finder) bruteBytes(s pushdown.StateID) uint32 {
	seen := map[pushdown.StateID]bool{s: true}
	for n, now := uint32(0), []pushdown.StateID{s}; len(now) > 0; n++ {
		var next []pushdown.StateID
		for _, s := range now {
			if f.a.Accepts(s) {
				return n
			}
			alive := f.a.Alive(s)
			for b := alive.Next(0); b < 256; b = alive.Next(b + 1) {
				if t := f.a.Step(s, byte(b)); t > pushdown.Over && !seen[t] {
					seen[t], next = true, append(next, t)
				}
			}
		}
		now = next
	}
	return never
}

// soonStep is randomStep, which ends a string as often as not.
func (f *Finder) soonStep(r *rand.Rand, s pushdown.StateID) pushdown.StateID {
	if t := f.a.Step(s, '"'); t > pushdown.Over && r.Intn(2) > 0 {
		return t
	}
	return f.randomStep(r, s)
}

// Members that an object needs beyond its required ones are the shortest that may still come, each declared one once.
func TestMembersAreCounted(t *testing.T) {
	comp := compiler.New(testkit.CommittedTokenizer(t), compiler.Config{})
	r := testkit.Seeded(t, 11)
	properties := `"properties": {"a": {"const": 100}, "bb": {"const": 7}, "c": {"const": [1]}, "dddd": {"const": 2}}, "required": ["c"]`
	states := 0
	for _, spec := range []string{
		`{"minProperties": 4, ` + properties + `}`,
		`{"minProperties": 4, "additionalProperties": false, ` + properties + `}`,
		`{"minProperties": 3, "additionalProperties": {"const": 12345}, ` + properties + `}`,
		`{"minProperties": 3, "maxProperties": 3, "additionalProperties": {"const": "x"}, ` + properties + `}`,
		`{"minProperties": 3, "patternProperties": {"^a{3,5}$": {"const": 1}, "^b{9}$": {"const": 0}}, "additionalProperties": false}`,
		`{"minProperties": 3, "propertyNames": {"maxLength": 2}, "properties": {"aa": {"const": 1}, "bb": {"const": 22}}}`,
	} {
		for _, anyOrder := range []bool{false, true} {
			g, err := comp.Compile(source.JSONSchema, []byte(`{"type": "object", `+spec[1:]), &source.Options{AnyOrder: anyOrder, Compact: true})
			require.NoError(t, err, spec)
			f, seen := New(g.Current(), Stops{}), map[pushdown.StateID]bool{}
			for range testkit.Rounds(20, 200) {
				s := f.a.Start()
				for range 60 {
					if s = f.soonStep(r, s); s <= pushdown.Over || f.a.Accepts(s) {
						break
					}
					if seen[s] {
						continue
					}
					seen[s] = true
					var cost int
					d := f.shortest.Of(s, &cost, func(pushdown.Counted, int) {})
					require.True(t, d.Exact, spec)
					require.Equal(t, f.bruteBytes(s), d.Bytes, spec)
				}
			}
			states += len(seen)
		}
	}
	require.Greater(t, states, 500)
}
