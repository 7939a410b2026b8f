package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/tests/corpus"
)

// TestArchitecturePage compares the excerpts of ARCHITECTURE.md with their dumps: the lines of each block occur in the
// dump in this order, perhaps with others between them.
func TestArchitecturePage(t *testing.T) {
	root, err := corpus.Checkout()
	require.NoError(t, err)
	page, err := os.ReadFile(filepath.Join(root, "ARCHITECTURE.md"))
	require.NoError(t, err)
	dump := func(text, token string) string {
		var out bytes.Buffer
		spec := "@" + filepath.Join(root, "tests", "dump", "example.json")
		options := core.DumpOptions{Text: []byte(text)}
		require.NoError(t, run(&out, "json_schema", spec, `{"compact": true}`, corpus.Small, token, options))
		return out.String()
	}
	dumps := dump(`{"age":1`, "") + dump(`{"age":1,"tags":["a`, "") + dump(`{"age":1`, `"^"`)
	blocks := regexp.MustCompile("(?s)```text\n(.*?)```").FindAllStringSubmatch(string(page), -1)
	require.Len(t, blocks, 8)
	rest := strings.Split(dumps, "\n")
	for _, block := range blocks[1:] { // the first is the picture of all stages
		for line := range strings.Lines(block[1]) {
			line = strings.TrimSuffix(line, "\n")
			for len(rest) > 0 && rest[0] != line {
				rest = rest[1:]
			}
			require.NotEmpty(t, rest, "no dump has this line of ARCHITECTURE.md, in this order: %s", line)
		}
	}
}
