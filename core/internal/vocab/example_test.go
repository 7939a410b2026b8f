package vocab_test

import (
	"fmt"

	"github.com/sluice-engine/sluice/core/internal/vocab"
)

// Token bytes equal the decoder's output in the middle of a text.
func ExampleFromTokenizerJSON() {
	v, err := vocab.FromTokenizerJSON([]byte(`{"model": {"type": "BPE", "vocab": {"Ġthe": 0, "Ã©": 1}, "merges": []},
		"decoder": {"type": "ByteLevel"},
		"added_tokens": [{"id": 2, "content": "<|end|>", "special": true}]}`), vocab.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for id := range uint32(v.Size()) {
		fmt.Printf("%q %v\n", v.Bytes(id), v.IsSpecial(id))
	}
	// Output:
	// " the" false
	// "é" false
	// "" true
}
