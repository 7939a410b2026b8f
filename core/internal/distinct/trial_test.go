package distinct_test

import (
	"encoding/json"
	"math/rand"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/distinct"
)

// spellings are JSON values, some of them equal in different spellings.
var spellings = []string{
	`1`, `1.0`, `10e-1`, `12`, `120`, `-0`, `0`, `0.0e7`, `1e2`, `100`, `true`, `false`, `null`,
	`""`, `"a"`, `"\u0061"`, `"ab"`, `"a\u00e9"`, `"aé"`, `"\ud83d\ude00"`, `"😀"`, `"/"`, `"\/"`, `"\u002f"`, `"\""`, `"]}"`, `"\n"`, `"\u000A"`,
	`[]`, `[ ]`, `[1]`, `[1.0]`, `[[],[]]`, `["a",1]`, `[ "\u0061" , 1 ]`, `{}`, `{ }`,
	`{"a":1}`, `{"a":2}`, `{"a":2,"a":1}`, `{"\u0061": ` +
		`1.0}`, `{"a":1,"b":[2]}`, `{"b":[2],"a":1}`, `{"a":{"a":1}}`, `{"a":{"b":1,"a":[]},"b":null}`,
	`{"b":null,"a":{"a":[ ],"b":1}}`, `{"a":"x","b":"y"}`, `{"a":"y","b":"x"}`, `{"é":1}`, `{"\u00e9":1}`,
}

// A trial predicts the result of stepping over a text cut from any place of an array. An array steps to its end
// exactly if its items differ.
func TestTrial(t *testing.T) {
	r := rand.New(rand.NewSource(5))
	repeated, whole, needs := 0, 0, map[distinct.Need]int{}
	for range 20_000 {
		items := make([]string, 1+r.Intn(4))
		for i := range items {
			items[i] = spellings[r.Intn(len(spellings))]
		}
		array := "[" + strings.Join(items, []string{",", " , "}[r.Intn(2)]) + "]"
		cut := r.Intn(len(array))
		v := distinct.New()
		s, ok := distinct.Start, true
		for i := 0; i < cut && ok; i++ {
			s, ok = v.Step(s, array[i])
		}
		if !ok {
			continue
		}
		rest := array[cut:]
		trial := v.Try(s)
		for n := range rest {
			text := rest[:n+1]
			to, want := s, true
			for i := 0; i < len(text) && want; i++ {
				to, want = v.Step(to, text[i])
			}
			got, need := trial.Text([]byte(text))
			require.Equal(t, want, got, "%q after %q", text, array[:cut])
			if want {
				require.Equal(t, v.Need(to), need, "%q after %q", text, array[:cut])
				needs[need]++
			}
			if !want {
				repeated++
			} else if n == len(rest)-1 {
				whole++
			}
			checkPlace(t, trial, text, want && need == distinct.Nothing)
			if n == len(rest)-1 {
				require.Equal(t, differ(t, array), want, "%s", array)
			}
		}
	}
	require.Positive(t, repeated)
	require.Positive(t, whole)
	require.Greater(t, needs[distinct.MoreNumber], 100)
	require.Greater(t, needs[distinct.MoreText], 100)
}

// checkPlace checks that texts without effect by Place have none.
func checkPlace(t *testing.T, trial *distinct.Trial, text string, free bool) {
	t.Helper()
	place := trial.Place()
	known, told := trial.Strings()
	// becomes says that a string that goes on like this may be one that is there.
	becomes := func(s string) bool {
		return !told || len(known) > 0 && strings.Contains(s, `\`) || slices.Contains(known, s)
	}
	matters := true
	switch _, after, quote := strings.Cut(text, `"`); {
	case place == distinct.Nowhere:
		matters = false
	case place == distinct.InString && !quote:
		matters = becomes(text)
	case place == distinct.Between && distinct.Inert([]byte(text)):
		matters = quote && becomes(after)
	case place == distinct.InNested || place == distinct.InNestedString:
		matters = strings.ContainsAny(text, "]}") && (quote || place == distinct.InNested)
	}
	require.True(t, matters || free, "%q", text)
}

func differ(t *testing.T, array string) bool {
	t.Helper()
	var items []any
	require.NoError(t, json.Unmarshal([]byte(array), &items))
	for i := range items {
		for j := range i {
			if reflect.DeepEqual(items[i], items[j]) {
				return false
			}
		}
	}
	return true
}
