package core

import "github.com/sluice-engine/sluice/core/internal/compiler"

// Save returns the compiler as a file, a message sluice.v1.Compiler of protobuf (include/sluice/v1/compiler.proto): the
// vocabulary, and the token sets that its grammars share at present, 2 to 30 MB. LoadCompiler makes a compiler from it in
// another process, and ParseVocabulary reads the vocabulary. Save it after the constraints that you expect have been
// compiled and used, so that the other process finds their token sets.
//
// The file belongs to one version of Sluice and holds no grammars.
func (c *Compiler) Save() (_ []byte, err error) {
	defer c.caught(&err)
	return c.c.Save(), nil
}

// LoadCompiler makes a compiler as NewCompiler does, with the work that a file from Save contains. No mask depends on the
// file. The call checks the file and returns. A goroutine then builds the trie and the token sets of common JSON, which takes
// nearly the CPU time of NewCompiler, and the first compilation waits for it. data must not be changed until then.
//
// v is the file's own vocabulary, or an equal one (Vocabulary.Hash) that was read from its tokenizer. Errors are
// CodeArgument for a file of another vocabulary, CodeSyntax for bytes that are no such file, CodeInvalid for a damaged
// file, CodeUnsupported for a file of another version of Sluice. The checksum finds damage, not intent: load only files
// that you trust, since the token sets in them decide masks.
func LoadCompiler(v *Vocabulary, data []byte, c CompilerConfig) (_ *Compiler, err error) {
	defer caught(&err)
	k, err := compiler.Load(v.v, data, c.engine())
	if err != nil {
		return nil, err
	}
	return newCompiler(k, v, c), nil
}
