//go:build tokenizers

package roundtrip

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/daulet/tokenizers"
	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core"
)

// pair is one tokenizer file as both sides read it.
type pair struct {
	name string
	ours *core.Vocabulary
	lib  *tokenizers.Tokenizer
	// spaced: the tokenizer writes spaces as U+2581, so it cannot tell that character from a space.
	spaced bool
	// prefix is the text that the tokenizer puts before every text.
	prefix string
}

// files are the tokenizers to compare, relative to the repository. Those beside the repository may be absent.
var files = []struct {
	path   string
	spaced bool
	prefix string
}{
	{path: "tests/data/tokenizer.json.gz"},
	{path: "../shared/data/tokenizers/llama3_1.json.gz"},
	{path: "../shared/data/tokenizers/qwen2_5.json.gz"},
	{path: "../shared/data/tokenizers/gpt4o.json.gz"},
	{path: "../shared/data/tokenizers/llama2.json.gz", spaced: true, prefix: " "},
	{path: "../shared/data/tokenizers/gemma3.json.gz", spaced: true},
}

// eachPair runs test on every tokenizer.
func eachPair(t *testing.T, test func(t *testing.T, p *pair)) {
	for _, f := range files {
		t.Run(filepath.Base(f.path), func(t *testing.T) {
			path := filepath.Join("..", "..", "..", filepath.FromSlash(f.path))
			packed, err := os.ReadFile(path)
			if os.IsNotExist(err) {
				t.Skipf("%s is absent", f.path)
			}
			require.NoError(t, err)
			z, err := gzip.NewReader(bytes.NewReader(packed))
			require.NoError(t, err)
			data, err := io.ReadAll(z)
			require.NoError(t, err)
			ours, err := core.LoadVocabulary(path, core.VocabularyOptions{KeepTokenizer: true})
			require.NoError(t, err)
			lib, err := tokenizers.FromBytes(data)
			require.NoError(t, err)
			defer lib.Close()
			test(t, &pair{name: f.path, ours: ours, lib: lib, spaced: f.spaced, prefix: f.prefix})
		})
	}
}
