// Package engine holds checks of the whole engine that packages of tests share: every bit of a mask, a completion of any
// output.
//
// Invariant: it asks the engine in another way than what is tested. Start reading at EveryBit.
package engine
