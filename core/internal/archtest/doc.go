// Package archtest checks the architecture: the permitted imports of each package, the size of files and functions,
// package comments, and the names in ARCHITECTURE.md and SECURITY.md. It exports nothing.
//
// Invariant: the tables here are the architecture. A new package, or a new arrow between packages, is a line here
// first. Start reading at imports in arch_test.go.
package archtest
