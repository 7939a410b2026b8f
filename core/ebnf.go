package core

import (
	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/diag"
)

// ToEBNF returns a grammar of kind EBNF, Lark or GrammarText as EBNF with one spelling for everything: compiled, it
// accepts the same and tells the same captures and temperatures. It begins with the rule "root" and holds the grammars
// that the one given refers to, so that start_rule and grammars do not go with it; but special tokens are allowed as
// the text that they spell in Lark, and in EBNF only with the option special_tokens. Names of rules stay as far as they
// can, comments do not. What has no form in EBNF is the error unsupported, with its place.
func ToEBNF(kind Kind, spec []byte, o *Options) (text string, err error) {
	defer caught(&err)
	if o == nil {
		o = new(Options)
	}
	if err := checkKind(kind, o); err != nil {
		return "", err
	}
	as := kind.Resolve(spec)
	if as != EBNF && as != Lark {
		return "", diag.Errorf(diag.Argument, "to_ebnf", diag.Place{}, "a constraint of kind %s is not written as "+
			"EBNF; those of kind ebnf, lark and grammar are", kind)
	}
	text, err = inTurn(o, func(o *Options) (string, error) { return compiler.EBNF(as, spec, o) })
	return text, takenFor(kind, as, err)
}
