package ebnf

import (
	"github.com/sluice-engine/sluice/core/internal/source"
)

// Capabilities lists the constructs of EBNF and what becomes of them.
func Capabilities() []source.Capability {
	return []source.Capability{
		source.Does("rules", "root ::= a b\na ::= \"x\"\nb ::= \"y\" | \"z\" # a comment",
			"name ::= expression, over several lines; any rule may be the start (option start_rule)"),
		source.Does("strings", `root ::= "a\n\x41é"`, "with escapes"),
		source.Does("classes", `root ::= [a-z0-9_] [^"\\]`, "characters and ranges, negated ones too"),
		source.Does("repetition", `root ::= "a"* "b"+ "c"? "d"{2} "e"{2,} "f"{2,5}`,
			"counts of any size are not unrolled"),
		source.Does("groups and alternatives", `root ::= ("a" | "b" | ) "c"`,
			"an alternative may be empty; ambiguity does not change what is matched, but it costs time and may meet a "+
				"limit"),
		source.Does("recursion", "root ::= root \"+\" t | t\nt ::= \"x\" | \"(\" root \")\" | \"-\" t",
			"left, right, mutual"),
		source.Does("Regex", `root ::= Regex("[a-z]{2,5}") "!"`, "a regular expression, as of kind regex"),
		source.Does("Token", `root ::= Token(0) "a" <[1]>`, "exactly one of these tokens, by id or text; also <[id]> "+
			"and <text>"),
		source.Does("ExcludeToken", `root ::= ExcludeToken(0) !<[1]>`,
			"exactly one token that is none of these and ends nothing; also !<…>"),
		source.Does("TagDispatch",
			"root ::= TagDispatch((\"<f>\", f), loop_after_dispatch=false, excludes=(\"no\"))\nf ::= [0-9]+ \"</f>\"",
			"free text, which may be any bytes, in which a string must be followed by its rule; as the format "+
				"dispatch of structural tags"),
		source.Does("TokenTagDispatch", "root ::= TokenTagDispatch((0, f), excludes=(1))\nf ::= [0-9]+",
			"any tokens, some of which must be followed by their rule"),
		source.Does("Substring", `root ::= Substring("one ", "two ", "three")`,
			"any run of neighbouring chunks, or nothing"),
		source.Does("look-ahead", "root ::= a \"bc\"\na ::= [ab]* (= \"b\")", "(= …) is enforced on what follows in "+
			"the same sequence; at the end of a rule it is meant for all its alternatives, behind every use").
			But("where it does not always hold, and nothing follows in the sequence, or what follows is not regular",
				"root ::= \"a\" (= \"b\")"),
		source.Does("lazy, stop and suffix", "root ::= a b\na[lazy] ::= [a-z]+\nb[stop=\"!\"] ::= [a-z]*",
			"the rule ends as soon as a text that is not empty matches, with what stops it; that is part of the "+
				"output"),
		source.Does("capture and stop_capture", `root[capture="x", suffix="!", stop_capture="end"] ::= [a-z]*`,
			"as the attributes of kind lark"),
		source.Does("max_chars", `root[max_chars=100] ::= [a-z]+ ("," [a-z]+)*`,
			"a bound on the characters of the rule, which is regular then; a token of the vocabulary counts as one").
			But("rules that are not regular", "root[max_chars=9] ::= \"(\" root \")\" | \"a\""),
		source.Does("temperature", `root[temperature=0.7] ::= [a-z]+`, "as the attribute of kind lark").
			But("rules that begin with themselves", `root[temperature=1] ::= root "a" | "b"`),
		source.Does("max_tokens", `root[max_tokens=9] ::= [a-z]+`, "as the attribute of kind lark").
			But("a suffix that may overlap itself or the text before it",
				`root[max_tokens=9, suffix="aba"] ::= [a-z]+`),
	}
}
