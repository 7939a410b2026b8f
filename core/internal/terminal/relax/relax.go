// Package relax takes a state of a terminal to another one that lets through nearly the same tokens, and that many
// states have in common: without its bounds, without what it must not be, without what has begun. So the tokens that
// one lets through are found once, and what others differ in is found along the difference.
//
// Invariant: every function says in which way the two states differ, and the difference is a fact about the state. The
// package must not know vocabularies. Start reading at Generalise.
package relax
