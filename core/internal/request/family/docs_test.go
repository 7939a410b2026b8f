package family

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// docs/families.md lists the families as their files do.
func TestThePageListsAllFamilies(t *testing.T) {
	page, err := os.ReadFile("../../../../docs/families.md")
	require.NoError(t, err)
	lines := 0
	for _, f := range List() {
		var aliases []string
		for _, a := range f.Aliases {
			aliases = append(aliases, "`"+a+"`")
		}
		line := fmt.Sprintf("| `%s` | %s | %s |\n", f.Name, strings.Join(aliases, ", "), f.Models)
		require.Contains(t, string(page), line)
		lines++
	}
	_, after, _ := strings.Cut(string(page), "| name | also | models |\n|---|---|---|\n")
	table, _, _ := strings.Cut(after, "\n\n")
	require.Len(t, strings.Split(table, "\n"), lines)
}
