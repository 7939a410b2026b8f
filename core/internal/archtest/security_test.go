package archtest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// SECURITY.md promises bounds and names the tests that show them. Every constant, test, file and make target in its
// tables exists.
func TestSecurityPageNamesExist(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(root(t), "SECURITY.md"))
	require.NoError(t, err)
	tests := textOf(t, root(t), "_test.go")
	targets := textOf(t, root(t), "Makefile", ".mk")
	bounds := textOf(t, filepath.Join(root(t), "core/internal/limits"), ".go")
	bound := regexp.MustCompile(`^(Budgets\.)?[A-Z]\w*[a-z]\w*$`)
	cells := regexp.MustCompile(`(?m)^\|.*$`)
	found := 0
	for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(
		strings.Join(cells.FindAllString(string(page), -1), "\n"), -1) {
		name := m[1]
		switch {
		case strings.HasPrefix(name, "Test"), strings.HasPrefix(name, "Fuzz"):
			require.Regexp(t, `(?m)^func `+name+`\(`, tests)
		case strings.HasPrefix(name, "make "):
			verb := strings.Replace(strings.TrimPrefix(name, "make "), "lab NAME=", "lab-", 1)
			require.Regexp(t, `(?m)^([a-z- ]+ )?`+verb+`\b[a-z- ]*:`, targets)
		case strings.Contains(name, "/"):
			require.FileExists(t, filepath.Join(root(t), name))
		case bound.MatchString(name):
			require.Regexp(t, `(?m)^(\t|const |func \(b \*Budgets\) )`+strings.TrimPrefix(name, "Budgets.")+`\b`, bounds)
		default:
			continue
		}
		found++
	}
	require.Greater(t, found, 50)
}

// textOf returns the texts of all files below a folder whose names end in one of the suffixes.
func textOf(t *testing.T, folder string, suffixes ...string) string {
	var all strings.Builder
	walk(t, folder, suffixes, func(_, text string) { all.WriteString(text) })
	return all.String()
}
