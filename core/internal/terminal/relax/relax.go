// Package relax maps a state of a terminal to a more general state that many states share and that allows nearly the
// same tokens. Package tokenset computes the tokens of the shared state once, and then follows only the tokens on which
// the two states differ.
//
//	Uncounted, WithoutMinimum   bounds on the code points of a counted terminal (counts.go)
//	AsStar                      x* for x·x*
//	ExcludedTexts               texts that a string must not be (exclude.go)
//	Unanchored                  texts that a string must contain
//	AnyText                     any string with the end of this one
//
// Gap, IsWhitespace, Triggers, EndsInScan (lead.go) and Rounds (rounds.go) report the shape of a state and relax
// nothing.
//
// Invariant: every function says in which way the two states differ, and the difference is a fact about the state. The
// package must not know vocabularies. Start reading at Uncounted.
package relax
