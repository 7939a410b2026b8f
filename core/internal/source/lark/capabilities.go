package lark

import "github.com/sluice-engine/sluice/core/internal/source"

// Capabilities lists the constructs of Lark and what becomes of them.
func Capabilities() []source.Capability {
	return []source.Capability{
		source.Does("rules and terminals", "start: a B // a comment\n?a: \"x\" -> one\n  | \"y\" # another\nB: \"z\"",
			"name: expression, over several lines. There is no lexer: a terminal is what its pattern matches, "+
				"however much of the text would match. A rule may be the start by option start_rule; aliases and "+
				"the marks ?, ! and _ change nothing"),
		source.Does("strings and ranges", `start: "a\n\x41é" "Select"i "a".."f"`, "with escapes; i ignores case"),
		source.Does("regular expressions", `start: /[a-z]+\d{2}/ /a b # comment/ix`,
			"as of kind regex, with the flags i, m, s, u and x"),
		source.Does("repetition", `start: "a"* "b"+ "c"? ["d"] "e"~2 "f"~2..5 "g"{2} "h"{2,} "i"{,5}`,
			"counts of any size are not unrolled"),
		source.Does("recursion", "start: start \"+\" t | t\nt: \"x\" | \"(\" start \")\" | \"-\" t",
			"left, right, mutual"),
		source.Does("templates", "start: list{\"a\", \",\"}\nlist{item, sep}: item (sep item)*",
			"rules with parameters; one that uses itself with ever new arguments is an error"),
		source.Does("%import common",
			"%import common.INT -> NUMBER\n%import common (WS, CNAME)\nstart: NUMBER | CNAME",
			"the 25 terminals of the library").
			But("other libraries and files", "%import python.NAME\nstart: NAME"),
		source.Does("%ignore", "start: \"a\" \"b\"\n%ignore / +/",
			"what may stand, any number of times, behind every token of a rule: "+
				"behind strings, patterns and terminals, not within them, and not before the first; "+
				"see %llguidance"),
		source.Does("%override and %extend", "%import common.INT\n%extend INT: \"x\"\nstart: INT",
			"of what was defined or imported before"),
		source.Does("& and ~", "start: NAME\nNAME: /[a-z]+/ & ~(\"if\" | \"else\")",
			"what both match, and any text that is not matched; of terminals, strings and patterns").
			But("operands that are not regular", "start: ~A\nA: \"(\" A \")\" |"),
		source.Does("tokens", "start: <[0]> <[1,3-5]> <[^2]> <[*]>",
			"exactly one token of the vocabulary, by text or ids; none of <[^…]> and <[*]> ends the output"),
		source.Does("%json", "start: %json {\"type\": \"object\"}",
			"JSON text that a schema allows, as of kind json_schema"),
		source.Does("%lark and @name", "start: %lark {\n start: A\n A: \"a\"\n %ignore \" \"\n}",
			"a grammar with names of its own; @name is one that the option grammars gives, Lark or a JSON schema"),
		source.Does("%regex", "start: %regex {\"substring_words\": \"a b c\"} %regex {\"substring_chars\": \"abc\"} "+
			"%regex {\"substring_chunks\": [\"a\", \"b\"]}",
			"any run of neighbouring words, characters or chunks of a text, or nothing; a word is a run of letters "+
				"and digits, or of white space, or of anything else"),
		source.Does("lazy and suffix", "start: x y\nx[lazy]: T \"<\"\ny[suffix=\"b\"]: /[ab]*/\nT: /(.|\\n)*/",
			"the rule is one token, body and suffix, and ends as soon as a text that is not empty matches; of "+
				"alternatives that begin with any text the first that ends decides"),
		{
			Name: "stop", Support: source.Ignored, Example: "start: x\nx[stop=\"b\"]: /[ab]*/",
			Sentence: "as suffix: what stops the rule is part of the output, since nothing is taken back; of " +
				"captures around the rule it is no part",
		},
		source.Does("capture and stop_capture", "start: x\nx[capture, suffix=\"!\", stop_capture=\"end\"]: /[a-z]*/",
			"the text of the rule, without its suffix and what is ignored behind it, and that of the suffix: the "+
				"matcher tells them, also of an output that is not complete. Of several readings it is always the "+
				"same: captured rules begin as early as possible and are as long as possible").
			But("captures within one token", "start: x\nx[lazy]: y\ny[capture]: \"a\""),
		source.Does("%llguidance",
			"%llguidance {\"allow_initial_skip\": true, \"ignore_once\": true}\nstart: \"a\"\n%ignore \" \"",
			"allow_initial_skip: what is ignored may also stand at the beginning; ignore_once, or "+
				"skip_repetition: \"once\": it stands once at most").
			But("allow_invalid_utf8", "%llguidance {\"allow_invalid_utf8\": true}\nstart: \"a\""),
		{
			Name: "priorities", Support: source.Ignored, Example: "start.2: \"a\"",
			Sentence: "they choose among readings of a text, not among texts",
		},
		source.DoesNot("%declare", "%declare A\nstart: \"a\"", "define the terminal"),
		source.Does("temperature", "start: \"n=\" n\nn[temperature=0.2]: /[0-9]+/",
			"the matcher tells at which temperature the next token is to be sampled: that of the innermost rule that "+
				"has one, and the greatest of those if the output can be read in several ways").
			But("rules that begin with themselves", "start[temperature=1]: start \"a\" | \"b\""),
		source.Does("max_tokens", "start: \"<\" x \">\"\nx[max_tokens=100]: /(.|\\n)*/",
			"so many tokens may begin in the rule. Then it ends where a token ends and the rule can end, or its body, "+
				"without stop or suffix").
			But("a suffix that may overlap itself or the text before it, and free text beside other free text",
				"start: x\nx[max_tokens=9, suffix=\"aba\"]: /(.|\\n)*/"),
		source.Does("max_chars", "start: x \"!\"\nx[max_chars=100]: /(.|\\n)*/",
			"a bound on the characters of the rule's body, which is one token then; a token of the vocabulary "+
				"within counts as one").
			But("bodies that are not regular", "start: x\nx[max_chars=9]: \"(\" x \")\" | \"a\""),
		source.Does("rules with a number", "start: perm::0\nperm::_: \"\" %if is_ones([0:2])\n"+
			"  | \"a\" perm::set_bit(0) %if bit_clear(0)\n  | \"b\" perm::set_bit(1) %if bit_clear(1)",
			"a parameter of 64 bits and conditions on it, as LLGuidance has them: a rule for each number that occurs, "+
				"of which a grammar has 10,000 at most"),
	}
}
