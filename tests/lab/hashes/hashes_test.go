package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// hashes returns the file for tests/cases, or a part of it.
func hashes(t *testing.T, only string) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, write(&out, config{only: regexp.MustCompile("^cases cases/" + only), step: 1, tokens: 100}))
	return out.String()
}

// Two runs write the same lines, and a run of some constraints writes their lines of a run of all.
func TestLinesAreRepeatable(t *testing.T) {
	all := hashes(t, "")
	require.Equal(t, all, hashes(t, ""))
	require.Contains(t, all, "cases cases/schema_errors/")
	tags := hashes(t, "structural_tag/")
	require.NotEmpty(t, tags)
	require.Contains(t, all, tags)
	for _, verdict := range []string{" ok ", " invalid ", " unsupported ", " unsatisfiable "} {
		require.Contains(t, all, verdict)
	}
}

func TestCompare(t *testing.T) {
	folder := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(folder, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	all := hashes(t, "regex/")
	lines := strings.Split(strings.TrimSpace(all), "\n")
	old := file("old", all)
	changed := file("changed", strings.Join(lines[2:], "\n")+"\n"+lines[0]+"0\n# stopped after 1 s\n")
	var out bytes.Buffer
	same, err := compareFiles(&out, []string{old, old})
	require.NoError(t, err)
	require.True(t, same)
	out.Reset()
	same, err = compareFiles(&out, []string{old, changed})
	require.NoError(t, err)
	require.False(t, same)
	require.Contains(t, out.String(), "  new "+strings.SplitN(lines[0], " ", 3)[2]+"0\n")
	require.Contains(t, out.String(), "1 of them changed; 1 only in the old one, 0 only in the new one")
	_, err = compareFiles(&out, []string{old, file("empty", "")})
	require.Error(t, err)
	_, err = compareFiles(&out, []string{old, file("twice", lines[0]+"\n"+lines[0]+"\n")})
	require.ErrorContains(t, err, "two lines")
}
