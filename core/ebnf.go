package core

import (
	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/source"
)

// ToEBNF returns a grammar of kind EBNF, Lark or GrammarText as EBNF in one canonical spelling. Compiled, it accepts
// the same outputs and has the same captures and temperatures. Use it to compare and store grammars, or to read Lark as
// EBNF.
//
// The result starts at the rule "root" and contains the grammars that the given one refers to, so compile it without
// StartRule and Grammars. It allows special tokens as text; compile it with SpecialTokens: TextView to keep that if it
// comes from Lark. Names of rules are kept if EBNF allows them, comments are dropped. A construct that EBNF cannot
// express fails with CodeUnsupported and its place.
func ToEBNF(kind Kind, spec []byte, o *Options) (text string, err error) {
	defer caught(&err)
	if o, err = o.orDefault(kind); err != nil {
		return "", err
	}
	as := kind.Resolve(spec)
	if as != EBNF && as != Lark {
		return "", Errorf(CodeArgument, "to_ebnf", "a constraint of kind %s is not written as "+
			"EBNF; those of kind ebnf, lark and grammar are", kind)
	}
	text, err = inTurn(o.engine(), func(o *source.Options) (string, error) {
		return compiler.EBNF(source.Kind(as), spec, o)
	})
	return text, takenFor(kind, as, err)
}
