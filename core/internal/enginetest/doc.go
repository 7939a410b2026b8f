// Package enginetest holds the tests that measure the engine as a whole against the oracle: expressions, states, masks
// and matchers, on every small world that can be enumerated, on random ones beyond, and on real vocabularies.
//
// Invariant: what is expected always comes from the oracle or from the engine asked in another way (cold and memoised,
// one by one and in a batch, serial and concurrent), never from a recorded answer. It has no code of its own that
// could be imported. Start reading at terminal_test.go, then world_test.go.
package enginetest
