// Package dump prints the result of every stage of a compilation: expressions, the grammar of a front end, the grammar
// after rewriting, the linked program, states, token sets and masks. It writes text, and Graphviz DOT for graphs.
//
// Invariant: printing changes no answer, and the printed form of a grammar is complete: in the tests, Parse(Grammar(g))
// is g. The engine does not import the package. Start reading at Stages.
//
// Expressions are written like this, from the loosest to the tightest:
//
//	a | b         one of them
//	a & b         both match
//	a b           one after the other
//	!a            every byte string that a does not match
//	a* a{2,5}     repetition; a{2,} has no upper bound
//	"text"        these bytes; json"text" is every spelling of the text within the quotes of a JSON string, and
//	              ascii-json"text" every one in ASCII
//	[a-z\xff]     one byte of the set
//	#3            nothing, and a terminal that ends here carries tag 3
//	()  never  any          the empty string, nothing at all, every byte string
//	chars{2,5}(a)           a, with so many characters; json-chars counts those that a JSON string's text means
//	              (ascii-chars and ascii-json-chars: of texts in ASCII)
//	scan("x"#1 "y"kill)     free text up to the first "x", which carries tag 1, and without "y"
//	machine("name" "state") a language that Go code decides
//	$7                      an expression that the dump writes out once, in a line of its own
package dump
