package core

import (
	"log"
	"runtime/debug"
)

// Bug returns the error of a panic, which is a bug in Sluice; it is called while the panic is recovered. The stack goes
// to the log of Go's package log, which is stderr unless the program has chosen another: engines hand messages of
// errors on to their users.
func Bug(recovered any) *Error {
	log.Printf("sluice: a bug ended a call: %v\n%s", recovered, debug.Stack())
	return Errorf(CodeInternal, "sluice", "a bug in Sluice ended the call: %v; please report it at "+
		"github.com/sluice-engine/sluice, with the constraint, its options and the stack that was logged", recovered)
}

// caught makes a panic the error of the function that defers it: every function of this package that returns an error
// does, so that no text of a user ends the process.
func caught(err *error) {
	if r := recover(); r != nil {
		*err = Bug(r)
	}
}
