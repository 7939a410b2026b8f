package source

import "bytes"

// Resolve returns k, but for GrammarText EBNF if the text has rules with ::=, else Lark. Like vLLM's, this test
// ignores quotes: a comment may begin inside a string.
func (k Kind) Resolve(spec []byte) Kind {
	if k != GrammarText {
		return k
	}
	for line := range bytes.Lines(spec) {
		for _, comment := range []string{"#", "//"} {
			line, _, _ = bytes.Cut(line, []byte(comment))
		}
		if bytes.Contains(line, []byte("::=")) {
			return EBNF
		}
	}
	return Lark
}
