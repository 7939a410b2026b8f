package compiler

import (
	"sync"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/tokenset"
	"github.com/sluice-engine/sluice/core/internal/vocab"
)

// Save returns the compiler as a file: its vocabulary, and the token sets that its grammars share at present.
func (c *Compiler) Save() []byte {
	tokens := c.parts().tokens
	return vocab.Save(c.v, tokens.Trie.Order, tokens.AppendShared)
}

// Load makes a compiler for v with the work that a file from Save contains. Another goroutine prepares the parts that
// grammars share; the first call that needs them waits. data must not change until then. Errors are as for
// vocab.OpenSaved, and Argument for a file of another vocabulary.
func Load(v *vocab.Vocabulary, data []byte, c Config) (*Compiler, error) {
	f, err := vocab.OpenSaved(data)
	if err != nil {
		return nil, err
	}
	if hash := v.Hash(); f.Hash != hash {
		return nil, diag.Errorf(diag.Argument, "saved compiler", diag.Place{}, "the file was saved for the vocabulary with "+
			"the hash %x…, and this one has %x…: load the file's own vocabulary, or save a compiler for this one",
			f.Hash[:6], hash[:6])
	}
	return load(v, f, c), nil
}

// load is Load after the vocabulary was compared. The file may contain anything. Its order and token sets only save work,
// so load leaves out those that do not fit the vocabulary.
func load(v *vocab.Vocabulary, f *vocab.Saved, c Config) *Compiler {
	k := newCompiler(v, c)
	k.parts = sync.OnceValue(func() *parts {
		var tokens *tokenset.Tokens
		if order, err := f.Order.Numbers([]uint32{}, v.Size()); err == nil {
			tokens = k.newTokens(order)
		}
		if tokens == nil {
			tokens = k.newTokens(nil)
		}
		p := k.partsOf(tokens) // before the token sets, so the standard engine is as New makes it
		for _, set := range f.TokenSets {
			_ = tokens.ReadShared(set)
		}
		return p
	})
	go func() {
		defer func() { _ = recover() }() // each call that needs the parts panics again
		k.parts()
	}()
	return k
}
