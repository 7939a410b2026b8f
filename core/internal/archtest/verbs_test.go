package archtest

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every verb that a page, a comment or a docstring names exists. The names of `make lab NAME=…` are verbs too, and
// `make lab` lists each.
func TestNamedVerbsExist(t *testing.T) {
	targets := textOf(t, root(t), "Makefile", ".mk")
	verbs := map[string]bool{"": true}
	for _, m := range regexp.MustCompile(`(?m)^([a-z][a-z0-9 -]*):`).FindAllStringSubmatch(targets, -1) {
		for _, verb := range strings.Fields(m[1]) {
			verbs[verb] = true
		}
	}
	for verb := range verbs {
		if name, ok := strings.CutPrefix(verb, "lab-"); ok && name != "list" {
			require.Regexp(t, `(?m)^#: `+name+` `, targets, "make lab does not list %s", name)
		}
	}
	named := regexp.MustCompile("(?:^|`|\\n *(?:#   )?)make ((?:[a-z][a-z0-9-]*)(?: [a-z][a-z0-9-]*)*)((?: NAME=)([a-z]+))?")
	found := 0
	walk(t, root(t), []string{".md", ".go", ".py", ".c", ".h", ".hpp", ".cu", ".sh", ".mk", "Makefile"}, func(p, text string) {
		if p == "CHANGELOG.md" {
			return // it speaks of older commits
		}
		for _, m := range named.FindAllStringSubmatch(text, -1) {
			for _, verb := range strings.Fields(m[1]) {
				if verb == "lab" && m[3] != "" {
					verb = "lab-" + m[3]
				}
				if !verbs[verb] {
					t.Errorf("%s names make %s, which does not exist", p, verb)
				}
				found++
			}
		}
	})
	require.Greater(t, found, 80)
}
