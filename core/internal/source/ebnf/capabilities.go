package ebnf

import (
	"github.com/sluice-engine/sluice/core/internal/source"
)

// Capabilities lists the constructs of EBNF with their support.
func Capabilities() []source.Capability {
	return []source.Capability{
		source.Does("rules", "root ::= a b\na ::= \"x\"\nb ::= \"y\" | \"z\" # a comment",
			"name ::= expression, over several lines; the option start_rule selects the start"),
		source.Does("strings", `root ::= "a\n\x41é"`, "this text; with escapes"),
		source.Does("classes", `root ::= [a-z0-9_] [^"\\]`, "one character of the class; with ranges and negation"),
		source.Does("repetition", `root ::= "a"* "b"+ "c"? "d"{2} "e"{2,} "f"{2,5}`,
			"counts up to 16,777,216"),
		source.Does("groups and alternatives", `root ::= ("a" | "b" | ) "c"`,
			"an alternative may be empty; ambiguity changes no meaning, but costs time and may meet a limit"),
		source.Does("recursion", "root ::= root \"+\" t | t\nt ::= \"x\" | \"(\" root \")\" | \"-\" t",
			"on the left, on the right, mutual"),
		source.Does("Regex", `root ::= Regex("[a-z]{2,5}") "!"`, "a regular expression, as in the kind regex"),
		source.Does("Token", `root ::= Token(0) "a" <[1]>`, "exactly one of these tokens, by id or text; also written "+
			"<[id]> and <text>"),
		source.Does("ExcludeToken", `root ::= ExcludeToken(0) !<[1]>`,
			"exactly one token that is none of these and no end token; also written !<…>"),
		source.Does("TagDispatch",
			"root ::= TagDispatch((\"<f>\", f), loop_after_dispatch=false, excludes=(\"no\"))\nf ::= [0-9]+ \"</f>\"",
			"free text (any bytes) in which each of these strings is followed by its rule, as the format dispatch of "+
				"structural tags"),
		source.Does("TokenTagDispatch", "root ::= TokenTagDispatch((0, f), excludes=(1))\nf ::= [0-9]+",
			"any tokens; each of these tokens is followed by its rule"),
		source.Does("Substring", `root ::= Substring("one ", "two ", "three")`,
			"any run of neighbouring chunks, or the empty text"),
		source.Does("look-ahead", "root ::= a \"bc\"\na ::= [ab]* (= \"b\")", "(= …) must match what follows in the "+
			"same sequence; at the end of a rule it applies to all alternatives, behind every use of the rule").
			But("nothing follows in the sequence, or it is not regular, and the look-ahead does not always hold",
				"root ::= \"a\" (= \"b\")"),
		source.Does("lazy, stop and suffix", "root ::= a b\na[lazy] ::= [a-z]+\nb[stop=\"!\"] ::= [a-z]*",
			"the rule ends as soon as a text that is not empty matches; the stop or suffix is part of the output"),
		source.Does("capture and stop_capture", `root[capture="x", suffix="!", stop_capture="end"] ::= [a-z]*`,
			"as the attributes of the kind lark"),
		source.Does("max_chars", `root[max_chars=100] ::= [a-z]+ ("," [a-z]+)*`,
			"at most so many characters in the rule, which must be regular; a token of the vocabulary counts as one").
			But("rules that are not regular", "root[max_chars=9] ::= \"(\" root \")\" | \"a\""),
		source.Does("temperature", `root[temperature=0.7] ::= [a-z]+`, "as the attribute of the kind lark").
			But("rules that begin with themselves", `root[temperature=1] ::= root "a" | "b"`),
		source.Does("max_tokens", `root[max_tokens=9] ::= [a-z]+`, "as the attribute of the kind lark").
			But("a suffix that may overlap itself or the text before it",
				`root[max_tokens=9, suffix="aba"] ::= [a-z]+`),
	}
}
