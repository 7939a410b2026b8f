// Package engine holds checks of the whole engine that packages of tests share: every bit of a mask, a completion of
// any output.
//
// Invariant: a check uses a different path of the engine than the tested one. Start reading at EveryBit.
package engine
