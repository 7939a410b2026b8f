// Package archtest keeps the architecture as a test: which package may import which, how long files and functions are,
// that every package begins by saying what it is. It has no code of its own.
//
// Invariant: the tables here are the architecture. A new package, or a new arrow between packages, is a line here
// first. Start reading at imports in arch_test.go.
package archtest
