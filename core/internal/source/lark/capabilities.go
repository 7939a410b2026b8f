package lark

import "github.com/sluice-engine/sluice/core/internal/source"

// Capabilities lists the constructs of Lark with their support.
func Capabilities() []source.Capability {
	return []source.Capability{
		source.Does("rules and terminals", "start: a B // a comment\n?a: \"x\" -> one\n  | \"y\" # another\nB: \"z\"",
			"name: expression, over several lines. There is no lexer: a terminal matches all that its pattern matches. "+
				"The option start_rule selects the start; aliases and the marks ?, ! and _ change nothing"),
		source.Does("strings and ranges", `start: "a\n\x41é" "Select"i "a".."f"`,
			"this text, or one character of the range; with escapes, i ignores case"),
		source.Does("regular expressions", `start: /[a-z]+\d{2}/ /a b # comment/ix`,
			"as in the kind regex, with the flags i, m, s, u and x; . leaves out \\n alone"),
		source.Does("repetition", `start: "a"* "b"+ "c"? ["d"] "e"~2 "f"~2..5 "g"{2} "h"{2,} "i"{,5}`,
			"counts up to 16,777,216"),
		source.Does("recursion", "start: start \"+\" t | t\nt: \"x\" | \"(\" start \")\" | \"-\" t",
			"on the left, on the right, mutual"),
		source.Does("templates", "start: list{\"a\", \",\"}\nlist{item, sep}: item (sep item)*",
			"rules with parameters; a template that uses itself with ever new arguments is an error"),
		source.Does("%import common",
			"%import common.INT -> NUMBER\n%import common (WS, CNAME)\nstart: NUMBER | CNAME",
			"the 25 terminals of the library common").
			But("other libraries and files", "%import python.NAME\nstart: NAME"),
		source.Does("%ignore", "start: \"a\" \"b\"\n%ignore / +/",
			"this may stand any number of times behind every string, pattern and terminal of a rule, not within them, "+
				"and not before the first (see %llguidance)"),
		source.Does("%override and %extend", "%import common.INT\n%extend INT: \"x\"\nstart: INT",
			"replaces, or adds to, what was defined or imported before"),
		source.Does("& and ~", "start: NAME\nNAME: /[a-z]+/ & ~(\"if\" | \"else\")",
			"text that both match; text that the operand does not match. Operands are terminals, strings and patterns").
			But("operands that are not regular", "start: ~A\nA: \"(\" A \")\" |"),
		source.Does("tokens", "start: <[0]> <[1,3-5]> <[^2]> <[*]>",
			"exactly one token of the vocabulary, by text or ids; <[^…]> and <[*]> leave out end tokens"),
		source.Does("%json", "start: %json {\"type\": \"object\"}",
			"JSON text that a schema allows, as in the kind json_schema"),
		source.Does("%lark and @name", "start: %lark {\n start: A\n A: \"a\"\n %ignore \" \"\n}",
			"a grammar with names of its own; @name is one of the option grammars, Lark or a JSON schema"),
		source.Does("%regex", "start: %regex {\"substring_words\": \"a b c\"} %regex {\"substring_chars\": \"abc\"} "+
			"%regex {\"substring_chunks\": [\"a\", \"b\"]}",
			"any run of neighbouring words, characters or chunks of a text, or the empty text; a word is a run of "+
				"letters and digits, of whitespace, or of other characters"),
		source.Does("lazy and suffix", "start: x y\nx[lazy]: T \"<\"\ny[suffix=\"b\"]: /[ab]*/\nT: /(.|\\n)*/",
			"the rule, body and suffix, is one token and ends as soon as a text that is not empty matches; among "+
				"alternatives that begin with any text the first to end decides"),
		{
			Name: "stop", Support: source.Ignored, Example: "start: x\nx[stop=\"b\"]: /[ab]*/",
			Sentence: "like suffix: its text is part of the output, since nothing is taken back, but not of captures " +
				"around the rule",
		},
		source.Does("capture and stop_capture", "start: x\nx[capture, suffix=\"!\", stop_capture=\"end\"]: /[a-z]*/",
			"the matcher reports the text of the rule, without suffix and ignored text behind it, and that of the "+
				"suffix. Of several readings, captured rules begin as early and are as long as possible").
			But("captures within one token", "start: x\nx[lazy]: y\ny[capture]: \"a\""),
		source.Does("%llguidance",
			"%llguidance {\"allow_initial_skip\": true, \"ignore_once\": true}\nstart: \"a\"\n%ignore \" \"",
			"allow_initial_skip: ignored text may also stand at the beginning; ignore_once, or "+
				"skip_repetition: \"once\": it stands at most once").
			But("allow_invalid_utf8", "%llguidance {\"allow_invalid_utf8\": true}\nstart: \"a\""),
		{
			Name: "priorities", Support: source.Ignored, Example: "start.2: \"a\"",
			Sentence: "priorities choose among readings of a text, not among texts",
		},
		source.DoesNot("%declare", "%declare A\nstart: \"a\"", "define the terminal"),
		source.Does("temperature", "start: \"n=\" n\nn[temperature=0.2]: /[0-9]+/",
			"the matcher reports the temperature for the next token: that of the innermost rule that has one, and the "+
				"greatest of these if the output has several readings").
			But("rules that begin with themselves", "start[temperature=1]: start \"a\" | \"b\""),
		source.Does("max_tokens", "start: \"<\" x \">\"\nx[max_tokens=100]: /(.|\\n)*/",
			"at most so many tokens begin in the rule. Then it ends behind the first token where it can end, without "+
				"stop or suffix").
			But("a suffix that may overlap itself or the text before it, and free text beside other free text",
				"start: x\nx[max_tokens=9, suffix=\"aba\"]: /(.|\\n)*/"),
		source.Does("max_chars", "start: x \"!\"\nx[max_chars=100]: /(.|\\n)*/",
			"at most so many characters in the rule's body, which must be regular; a token of the vocabulary counts "+
				"as one").
			But("bodies that are not regular", "start: x\nx[max_chars=9]: \"(\" x \")\" | \"a\""),
		source.Does("rules with a number", "start: perm::0\nperm::_: \"\" %if is_ones([0:2])\n"+
			"  | \"a\" perm::set_bit(0) %if bit_clear(0)\n  | \"b\" perm::set_bit(1) %if bit_clear(1)",
			"a parameter of 64 bits and conditions on it, as in LLGuidance; one rule for each number that occurs, at "+
				"most 10,000 in a grammar"),
	}
}
