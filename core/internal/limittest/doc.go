// Package limittest holds the tests of the engine at its limits: every answer is a function of the constraint, the
// options, the vocabulary and the tokens alone, and no call takes long.
//
// Invariant: expected results come from a fresh compiler, never from a recorded answer. Cost is counted in steps, so a
// test fails alike on every machine. The package exports nothing. Start reading at determinism_test.go, then
// answers_test.go; slow_test.go searches for constraints that cost too much.
package limittest
