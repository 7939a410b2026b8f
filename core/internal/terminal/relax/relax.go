// Package relax maps a state of a terminal to one that lets through nearly the same tokens and that many states have in
// common. The tokens of that one are found once, and the others along the difference.
//
//	Uncounted, WithoutMinimum   bounds on the code points of a counted terminal (counts.go)
//	AsStar                      x* for x·x*
//	ExcludedTexts               texts that a string must not be (exclude.go)
//	Unanchored                  texts that a string must contain
//	Rounds                      how often a repetition may still happen (rounds.go)
//
// Lead, Gap, AfterText, Triggers and EndsInScan (lead.go) report the shape of a state and relax nothing.
//
// Invariant: every function says in which way the two states differ, and the difference is a fact about the state. The
// package must not know vocabularies. Start reading at Uncounted.
package relax
