package jsonschema_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"math/rand"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/rewrite"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/testkit"
)

// settles checks what Settled promises, and reports whether it does.
func settles(t *testing.T, st *terminal.Store, schema []byte) bool {
	c, err := jsonschema.Check(schema, &source.Options{})
	if err != nil || !c.Settled() {
		return false
	}
	before := len(c.Notes())
	g, err := c.Lower(st)
	require.NoError(t, err, string(schema))
	require.Len(t, c.Notes(), before, string(schema))
	_, _, err = rewrite.Run(st, g)
	require.NoError(t, err, string(schema))
	return true
}

// Lowering a settled schema does not fail, does not discover that it is empty, and adds no note.
func TestSettledRandomSchemas(t *testing.T) {
	seed := int64(1)
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewSource(seed))
	n, settled := 4000, 0
	if testing.Short() {
		n = 1000
	}
	var st *terminal.Store
	for i := range n {
		if i%500 == 0 {
			st = terminal.NewStore()
		}
		if settles(t, st, []byte(testkit.Schema(r))) {
			settled++
		}
	}
	require.Greater(t, settled, n/10)
}

func TestSettledRealSchemas(t *testing.T) {
	f, err := os.Open(testkit.Shared(t, "data", "maskbench", "dev.jsonl.gz"))
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 64<<20)
	step := 4
	if testing.Short() {
		step = 30
	}
	settled := 0
	var st *terminal.Store
	for i := 0; lines.Scan(); i++ {
		if i%500 == 0 {
			st = terminal.NewStore()
		}
		if i%step != 0 {
			continue
		}
		var line struct{ Schema json.RawMessage }
		require.NoError(t, json.Unmarshal(lines.Bytes(), &line))
		if settles(t, st, line.Schema) {
			settled++
		}
	}
	require.NoError(t, lines.Err())
	require.Greater(t, settled, 100)
}
