package archtest

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// ratchet compares numbers with their ceilings in a file of testdata: none is above, and none is below by more than
// slack. UPDATE=1 lowers ceilings, never raises one, and adds ceilings for new names.
func ratchet(t *testing.T, file string, numbers map[string]int, slack int, unit string) {
	t.Helper()
	file = "testdata/" + file
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	ceilings := map[string]int{}
	for line := range strings.Lines(string(text)) {
		var name string
		var n int
		_, err := fmt.Sscan(line, &n, &name)
		require.NoError(t, err, "%s: %q", file, line)
		ceilings[name] = n
	}
	if os.Getenv("UPDATE") != "" {
		var b strings.Builder
		for _, name := range slices.Sorted(maps.Keys(numbers)) {
			n := numbers[name]
			if ceiling, ok := ceilings[name]; ok {
				n = min(n, ceiling)
			}
			fmt.Fprintf(&b, "%8d %s\n", n, name)
		}
		require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o644))
	}
	for name, n := range numbers {
		ceiling, ok := ceilings[name]
		switch {
		case !ok:
			t.Errorf("%s: %d %s, and no ceiling: run UPDATE=1 go test", name, n, unit)
		case n > ceiling:
			t.Errorf("%s: %d %s, above the ceiling of %d: delete some, or raise it in %s by hand and say what for", name, n,
				unit, ceiling, file)
		case n < ceiling-slack:
			t.Errorf("%s: %d %s, below the ceiling of %d: let it fall with UPDATE=1 go test", name, n, unit, ceiling)
		}
	}
	for name := range ceilings {
		if _, ok := numbers[name]; !ok {
			t.Errorf("%s has a ceiling in %s and does not exist: run UPDATE=1 go test", name, file)
		}
	}
}
