// Package relax takes a state of a terminal to another one that lets through nearly the same tokens, and that many
// states have in common: without its bounds, without what it must not be, without what has begun. So the tokens that
// one lets through are found once, and what others differ in is found along the difference.
//
//	Uncounted, WithoutMinimum         bounds on the code points of a counted terminal (counts.go)
//	Generalise, UnboundedBody, Heads  repetitions of which many are left (generalise.go)
//	AsStar                            x* for x·x*
//	WithoutExclusions, ExcludedTexts  what a string must not be (exclude.go)
//	SearchStart                       what a string must not contain, as if none of it had begun
//	Unanchored                        what a string must contain
//
// Beside them stand questions about the shape of a state, which relax nothing: Lead, AfterText, Triggers, EndsInScan
// (lead.go), RepeatsLeft and AfterBytes (generalise.go).
//
// Invariant: every function says in which way the two states differ, and the difference is a fact about the state. The
// package must not know vocabularies. Start reading at WithoutExclusions, the simplest, and differenceClass of package
// tokenset, which uses it.
package relax
