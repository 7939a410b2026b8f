package core

import (
	"errors"

	"github.com/sluice-engine/sluice/core/internal/diag"
)

// Error is the type of every error that this package returns. Immutable.
//
// To react, read its parts: Code is the kind of failure, Place a position in the input, Message the broken rule and the
// remedy. Error puts all parts into one text.
type Error struct {
	Code     Code   // the kind of failure
	Source   string // the input ("json_schema", "regex", "options", "vocabulary", …), or the call
	Place    Place  // the position in that input; zero if none applies
	Keyword  string // the keyword or construct at fault, "" if there is none
	Message  string // the rule that is broken, and the remedy
	Advice   string // another remedy that only the calling program has: an option that it may set
	Fragment string // the offending text, shortened
	Excerpt  string // the line at fault with a caret below the place, unless the message ends with it; "" without a place
	Other    Place  // of a conflict: the place of its other side, if known
}

// Error returns "source:place: keyword: message (near `fragment`); or advice". An excerpt stands on lines of its own in
// place of the fragment.
func (e *Error) Error() string { return e.engine().Error() }

// Tail returns the advice as it stands at the end of Error, "" if there is none. A server cuts it off before it shows
// the text to a client, who cannot set options.
func (e *Error) Tail() string { return e.engine().Tail() }

func (e *Error) engine() *diag.Error {
	return &diag.Error{
		Code: diag.Code(e.Code), Source: e.Source, Place: diag.Place(e.Place), Keyword: e.Keyword, Message: e.Message,
		Advice: e.Advice, Fragment: e.Fragment, Excerpt: e.Excerpt, Other: diag.Place(e.Other),
	}
}

// Place is a position in the input. Inputs in JSON have a Pointer, texts have Line, Column and Offset.
type Place struct {
	Pointer    string // a JSON pointer (RFC 6901); "" is the whole document
	HasPointer bool   // distinguishes Pointer "" from no pointer
	Line       int    // from 1; 0 if there is no position in a text
	Column     int    // from 1, in code points
	Offset     int    // from 0, in bytes
}

// Code is the kind of failure of an Error. Its values equal SLUICE_E_* in the C header and never change.
type Code uint32

// The kinds of failure.
const (
	CodeArgument      Code = 1  // a parameter or an option is wrong
	CodeHandle        Code = 2  // a handle of the C interface is stale, freed or of another type
	CodeBusy          Code = 3  // another goroutine is using the matcher
	CodeSyntax        Code = 4  // the constraint's text, or a tokenizer's file, is malformed
	CodeInvalid       Code = 5  // well-formed, but not a valid constraint (a negative minLength, an unknown rule)
	CodeUnsupported   Code = 6  // valid, but cannot be enforced exactly
	CodeUnsatisfiable Code = 7  // no output satisfies the constraint
	CodeLimit         Code = 8  // a budget was spent
	CodeIO            Code = 9  // a file could not be read
	CodeInternal      Code = 10 // a bug in Sluice
	CodeRejected      Code = 11 // tokens that the constraint does not allow; only the C interface returns it
	CodeForked        Code = 12 // the C library was loaded before fork
	CodeUnavailable   Code = 13 // this machine lacks a driver, a device or an instruction set
	CodeDevice        Code = 14 // the driver of a device failed
	CodeUnfinished    Code = 15 // Stop ended the call; the same call made again continues
	CodeCancelled     Code = 16 // Cancel ended the job
)

// String returns the code's stable lower-case name: "argument", "handle", "busy", …
func (c Code) String() string { return diag.Code(c).String() }

// Errorf makes an Error about a call; source is the call's name.
func Errorf(code Code, source, format string, args ...any) *Error {
	return ofEngine(diag.Errorf(diag.Code(code), source, diag.Place{}, format, args...))
}

// AsError returns err as an *Error. Any other error becomes CodeInternal, since this package returns none.
func AsError(err error) *Error {
	var e *Error
	if errors.As(published(err), &e) {
		return e
	}
	return &Error{Code: CodeInternal, Source: "sluice", Message: err.Error()}
}

// published turns an error of the engine into an Error, and leaves any other as it is.
func published(err error) error {
	var e *diag.Error
	if errors.As(err, &e) {
		return ofEngine(e)
	}
	return err
}

func ofEngine(e *diag.Error) *Error {
	return &Error{
		Code: Code(e.Code), Source: e.Source, Place: Place(e.Place), Keyword: e.Keyword, Message: e.Message,
		Advice: e.Advice, Fragment: e.Fragment, Excerpt: e.Excerpt, Other: Place(e.Other),
	}
}

// Note is one difference between a constraint as written and as enforced. Immutable.
type Note struct {
	Pointer string // a JSON pointer to the place of the difference; "" in a text or for the whole constraint
	Keyword string // the keyword or construct
	Effect  Effect // the direction of the difference
	Text    string // one sentence
}

// Effect is the direction of a Note.
type Effect uint8

// The effects of a Note.
const (
	Narrower Effect = 1 // outputs that the constraint allows are rejected
	Wider    Effect = 2 // outputs that the constraint forbids are accepted
	Ignored  Effect = 3 // an annotation or an unknown keyword has no effect
	DeadEnd  Effect = 4 // exact, but a prefix may be accepted that nothing completes
)

// String returns "narrower", "wider", "ignored" or "dead end".
func (e Effect) String() string { return diag.Effect(e).String() }

func notesOfEngine(list []diag.Note) []Note {
	return converted(list, func(n diag.Note) Note { return Note{n.Pointer, n.Keyword, Effect(n.Effect), n.Text} })
}

// converted applies f to each element; nil stays nil.
func converted[A, B any](list []A, f func(A) B) []B {
	if list == nil {
		return nil
	}
	out := make([]B, len(list))
	for i, x := range list {
		out[i] = f(x)
	}
	return out
}
