// Package main is the C interface of Sluice: the exports behind include/sluice.h, built as a shared library.
//
// Invariant: nothing is decided here. A function looks its handles up, turns pointer and length into a slice, calls
// package core, and copies the answer into the caller's memory. It sees no other package of the engine. C memory is
// borrowed for the call and never kept; no Go memory is handed out.
//
// Start reading at handles.go and errors.go, then the file of a noun of the header: vocabulary.go, compiler.go,
// grammar.go, matcher.go, batch.go. entry.c holds the C functions that callers link to.
package main

/*
#cgo CFLAGS: -std=gnu11 -Wall -Wextra -Werror=incompatible-pointer-types -I${SRCDIR}/../include
#include "exports.h"
*/
import "C"

// main is never called: a shared library has no entry point, but the build mode wants one.
func main() {}
