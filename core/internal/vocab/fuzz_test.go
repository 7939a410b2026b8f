package vocab

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
)

// fuzz runs a reader on mutations of the files in testdata that match pattern and of more. No input panics, and each
// gives a complete error or a consistent vocabulary, and the same one the second time.
func fuzz(f *testing.F, read func([]byte, Options) (*Vocabulary, error), pattern string, more ...string) {
	paths, err := filepath.Glob(filepath.Join("testdata", pattern))
	if err != nil || len(paths) == 0 {
		f.Fatalf("no seeds match %s: %v", pattern, err)
	}
	for _, p := range paths {
		if strings.HasSuffix(p, ".expected.json") || strings.HasSuffix(p, ".py") {
			continue
		}
		data, err := os.ReadFile(p)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	for _, m := range more {
		f.Add([]byte(m))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := read(data, Options{})
		if err != nil {
			var e *diag.Error
			if !errors.As(err, &e) || e.Source != source || e.Message == "" || e.Code == 0 || e.Code == diag.Internal {
				t.Fatalf("incomplete error: %v", err)
			}
			return
		}
		checkConsistent(t, v)
		if again, err := read(data, Options{}); err != nil || again.Hash() != v.Hash() {
			t.Fatalf("the second reading differs: %v", err)
		}
	})
}

// checkConsistent checks what holds for every vocabulary.
func checkConsistent(t testing.TB, v *Vocabulary) {
	t.Helper()
	if v.Size() < 1 || v.Size() > v.PaddedSize() || v.PaddedSize() > limits.VocabularyIDs ||
		v.Words() != (v.PaddedSize()+31)/32 {
		t.Fatalf("sizes %d, %d, %d", v.Size(), v.PaddedSize(), v.Words())
	}
	longest, special, ends := 0, 0, 0
	for id := range uint32(v.Size()) {
		text, name := v.Bytes(id), v.SpecialBytes(id)
		if text != nil && name != nil || v.IsSpecial(id) && text != nil || !v.IsSpecial(id) && name != nil {
			t.Fatalf("id %d is text %q and special %q", id, text, name)
		}
		if text != nil && len(text) == 0 || name != nil && len(name) == 0 {
			t.Fatalf("id %d has an empty spelling that is not nil", id)
		}
		longest = max(longest, len(text), len(name))
		if v.IsSpecial(id) {
			special++
		}
		if v.IsEnd(id) {
			ends++
		}
	}
	if longest != v.MaxTokenLen() || special != len(v.Special()) || ends != len(v.EndTokens()) {
		t.Fatalf("longest %d %d, special %d %d, ends %d %d", longest, v.MaxTokenLen(), special, len(v.Special()), ends,
			len(v.EndTokens()))
	}
	for name, id := range v.names {
		if got, ok := v.TokenID(name); !ok || got != id || !v.IsSpecial(id) && !v.IsAdded(id) {
			t.Fatalf("name %q, id %d", name, id)
		}
	}
}

func FuzzTokenizerJSON(f *testing.F) {
	fuzz(f, FromTokenizerJSON, "*.json", minimal(byteLevelDecoder, `{"\u0120a":0,"\ud83d\ude00":7}`),
		minimal(`{"type":"Sequence","decoders":[{"type":"WordPiece"},{"type":"Metaspace"},{"type":"ByteFallback"},`+
			`{"type":"Fuse"}]}`, `[["a",1],["<0x0A>",-1e5]]`))
}

func FuzzTiktoken(f *testing.F) { fuzz(f, FromTiktoken, "*.tiktoken", "YQ== 0\r\n\r\nYg== 7") }

func FuzzTekken(f *testing.F) { fuzz(f, FromTekken, "*.tekken.json") }

func FuzzSentencePiece(f *testing.F) {
	fuzz(f, FromSentencePiece, "*.model", string(model("<unk>", spUnknown, "▁", spNormal, "<0x0A>", spByte, "x",
		spUserDefined)))
}

func FuzzRead(f *testing.F) {
	fuzz(f, Read, "*.*", string(pack(f, []byte(minimal(byteLevelDecoder, `{"a":0}`)))))
}
