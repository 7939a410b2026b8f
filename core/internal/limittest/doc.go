// Package limittest holds the tests of the engine at its limits: that every answer is a function of the constraint, the
// options, the vocabulary and the tokens alone, and that no call takes long.
//
// Invariant: what is expected is what a fresh compiler answers, never a recorded answer; and cost is counted in
// steps, so that a test fails alike on every machine. The package has no code that could be imported. Start reading
// at determinism_test.go, then answers_test.go; slow_test.go searches for constraints that cost too much.
package limittest
