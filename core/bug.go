package core

import (
	"log"
	"runtime/debug"
)

// Bug returns the error of a panic that was recovered, which is a bug in Sluice. Call it while the panic is recovered:
// it writes the stack to Go's package log (stderr by default) and not into the error, since servers show errors to
// clients.
func Bug(recovered any) *Error {
	log.Printf("sluice: a bug ended a call: %v\n%s", recovered, debug.Stack())
	return Errorf(CodeInternal, "sluice", "a bug in Sluice ended the call: %v; please report it at "+
		"github.com/sluice-engine/sluice, with the constraint, its options and the stack that was logged", recovered)
}

// caught turns a panic into the error of the function that defers it, and the engine's error into an Error. Every
// function of this package that returns an error defers it, so no constraint ends the process.
func caught(err *error) { settle(err, recover()) }

// caught also counts the error in the compiler's Stats.
func (c *Compiler) caught(err *error) {
	settle(err, recover())
	refused(c.c.Metrics(), *err)
}

// caught also counts the error of a matcher's call in the compiler's Stats.
func (g *Grammar) caught(err *error) {
	settle(err, recover())
	if *err != nil {
		refused(g.g.Metrics(), *err)
	}
}

func settle(err *error, recovered any) {
	if recovered != nil {
		*err = Bug(recovered)
	} else if *err != nil {
		*err = published(*err)
	}
}
