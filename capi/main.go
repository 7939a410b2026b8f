// Package main is the C interface of Sluice: the exports behind include/sluice.h, built as a shared library.
//
// Invariant: this package only forwards calls. A function looks up its handles, turns pointer and length into a slice,
// calls package core, and copies the answer into the caller's memory. It imports no other package of the engine. It
// borrows C memory for the call and never keeps it, and hands out no Go memory.
//
// Start reading at handles.go and errors.go, then the file of a noun of the header: vocabulary.go, compiler.go,
// grammar.go, matcher.go, batch.go. entry.c holds the C functions that callers link to.
package main

/*
#cgo CFLAGS: -std=gnu11 -Wall -Wextra -Werror=incompatible-pointer-types -I${SRCDIR}/../include
#include "exports.h"
*/
import "C"

// main is never called. The build mode of a shared library requires it.
func main() {}
