package tokenset

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/vocab"
)

// realTokens loads a real vocabulary from the data that may lie beside the project.
func realTokens(tb testing.TB, name string) *Tokens {
	tb.Helper()
	path := filepath.Join("..", "..", "..", "..", "shared", "data", "tokenizers", name+".json.gz")
	if _, err := os.Stat(path); err != nil {
		tb.Skipf("needs the tokenizer %s in ../shared", name)
	}
	v, err := vocab.FromFile(path, vocab.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	texts := make([][]byte, v.Size())
	for id := range texts {
		texts[id] = v.Bytes(uint32(id))
	}
	begin := time.Now()
	t := NewTokens(Config{Bytes: texts, Special: v.Special(), End: v.EndTokens(), Words: v.Words()})
	tb.Logf("%s: %d tokens, trie of %d nodes, %d KiB, %v", name, v.Size(), len(t.Trie.Nodes), t.Trie.Size()>>10,
		time.Since(begin))
	return t
}

func TestTrieOfLargeVocabularyIsSmall(t *testing.T) {
	tk := realTokens(t, "gemma3")
	if size := tk.Size(); size > 64<<20 {
		t.Fatalf("the trie holds %d bytes", size)
	}
}

func BenchmarkStringClass(b *testing.B) {
	tk := realTokens(b, "llama3_1")
	for b.Loop() {
		st := terminal.NewStore()
		e := New(tk, st)
		w := e.Take()
		w.Start(1 << 40)
		e.Class(st.Concat(st.Star(st.AnyRune(terminal.JSONString)), st.Literal(`"`)), w)
		e.Give(w)
	}
}
