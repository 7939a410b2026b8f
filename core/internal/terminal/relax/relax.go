// Package relax maps a state of a terminal to a more general one that many states share and that allows nearly the same
// tokens. Package tokenset finds the tokens of the general state once, and the difference for each state.
//
//	Uncounted, WithoutMinimum         without bounds on code points (counts.go)
//	Generalise, Heads                 with unbounded repetitions (generalise.go)
//	AsStar                            x* for x·x*
//	WithoutExclusions, ExcludedTexts  without excluded strings (exclude.go)
//	Unanchored                        without a required substring
//
// Beside them are predicates on the structure of a state: Lead, Gap, AfterText, Triggers, EndsInScan (lead.go),
// RepeatsLeft (generalise.go).
//
// Invariant: the difference between the two states is a fact about the state, and each function says how they differ.
// The package must not know vocabularies. Start reading at WithoutExclusions.
package relax
