// Package enginetest holds the tests that compare the whole engine with the oracle: expressions, states, masks and
// matchers, on every small world that can be enumerated, on random ones beyond, and on real vocabularies.
//
// Invariant: expected results come from the oracle or from another path of the engine (cold and cached, one by one and
// in a batch, serial and concurrent), never from a recorded answer. The package exports nothing. Start reading at
// terminal_test.go, then masks_test.go.
package enginetest
