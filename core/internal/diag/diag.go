// Package diag defines errors with a stable code and a place, and notes about differences between a constraint's
// written and enforced meaning.
//
// Invariant: an Error is complete: it carries its place, the offending fragment and the way out, so that no other
// layer needs the input to explain it. Start reading at Error.
package diag

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Code is the kind of an Error. Values are part of the C ABI and never change.
type Code uint32

// The codes. They equal SLUICE_E_* of include/sluice.h.
const (
	Argument      Code = 1  // a parameter of the call is wrong
	Handle        Code = 2  // the handle is stale, freed or of another type
	Busy          Code = 3  // the object is in use on another thread
	Syntax        Code = 4  // the constraint's text is malformed
	Invalid       Code = 5  // well-formed, but not a valid constraint (a negative minLength, an unknown rule)
	Unsupported   Code = 6  // valid, but has no exact meaning here
	Unsatisfiable Code = 7  // no output can satisfy the constraint
	Limit         Code = 8  // a budget was spent
	IO            Code = 9  // a file could not be read
	Internal      Code = 10 // a bug in Sluice
	Rejected      Code = 11 // bytes or tokens that the constraint does not allow
	Forked        Code = 12 // the library was loaded before fork()
	Unavailable   Code = 13 // a driver, device or instruction set is missing
	Device        Code = 14 // a device's driver refused or failed
	Unfinished    Code = 15 // the caller's budget ended before the work
	Cancelled     Code = 16 // the caller cancelled the work
)

var codeNames = [...]string{
	"ok", "argument", "handle", "busy", "syntax", "invalid", "unsupported", "unsatisfiable",
	"limit", "io", "internal", "rejected", "forked", "unavailable", "device", "unfinished",
	"cancelled",
}

// String returns the code's stable lower-case name.
func (c Code) String() string {
	if int(c) < len(codeNames) {
		return codeNames[c]
	}
	return fmt.Sprintf("code %d", uint32(c))
}

// Place is a place in the user's input. JSON inputs have a Pointer (RFC 6901, "" is the whole document); HasPointer
// tells "" from absent. Text inputs have Line and Column (from 1, in code points) and Offset (bytes).
type Place struct {
	Pointer    string
	HasPointer bool
	Line       int
	Column     int
	Offset     int
}

// At returns the place of a JSON pointer.
func At(pointer string) Place { return Place{Pointer: pointer, HasPointer: true} }

// TextPlace returns the place of byte offset off in text.
func TextPlace(text string, off int) Place {
	off = min(max(off, 0), len(text))
	line, start := 1, 0
	for i := 0; i < off; i++ {
		if text[i] == '\n' {
			line++
			start = i + 1
		}
	}
	return Place{Line: line, Column: utf8.RuneCountInString(text[start:off]) + 1, Offset: off}
}

// InvalidUTF8 returns the offset of the first byte of text that is not part of a character, or -1.
func InvalidUTF8(text string) int {
	if !utf8.ValidString(text) {
		for i, r := range text {
			if r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD") {
				return i
			}
		}
	}
	return -1
}

// Error is a failure as a value. Immutable.
type Error struct {
	Code Code
	// the kind of the input ("json_schema", "regex", "ebnf", "structural_tag", "choice", "vocabulary") or the call
	Source   string
	Place    Place
	Keyword  string // the keyword or construct at fault, "" if none
	Message  string // the broken rule and the way out, in one or two sentences
	Advice   string // a way out for the calling program rather than the author: an option
	Fragment string // the offending text, already shortened
	Excerpt  string // the line at fault with a caret, unless the message ends in it; see InText
	Other    Place  // of a conflict: the place of its other side, a JSON pointer
}

// Error formats as "source:place: keyword: message (near ‹fragment›); or advice". An excerpt replaces the fragment, on
// lines of its own. The advice comes last, so that a server can cut it off for clients that cannot set options.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Source)
	switch {
	case e.Place.HasPointer && e.Place.Pointer != "":
		b.WriteString(":" + shortenPointer(e.Place.Pointer))
	case e.Place.Line > 0:
		fmt.Fprintf(&b, ":%d:%d", e.Place.Line, e.Place.Column)
	}
	if e.Keyword != "" && !strings.HasSuffix(e.Place.Pointer, "/"+e.Keyword) {
		b.WriteString(": " + e.Keyword)
	}
	b.WriteString(": " + e.Says())
	switch {
	case e.shown():
		b.WriteString("\n" + e.Excerpt)
	case e.Fragment != "" && !strings.Contains(e.Message, "\n"):
		b.WriteString(" (near `" + strings.Map(visible, e.Fragment) + "`)")
	}
	b.WriteString(e.Tail())
	return b.String()
}

// Tail returns the advice as Error formats it, "" if there is none. After an excerpt it is a separate line.
func (e *Error) Tail() string {
	switch {
	case e.Advice == "":
		return ""
	case strings.Contains(e.Message, "\n"), e.shown():
		return "\nor " + e.Advice
	}
	return "; or " + e.Advice
}

func (e *Error) shown() bool { return e.Excerpt != "" && !e.Place.HasPointer && e.Place.Line > 0 }

// Advise sets the advice of e and returns e.
func (e *Error) Advise(advice string) *Error {
	e.Advice = advice
	return e
}

// Says returns the message with the other side of a conflict. The two are separate because that place changes if the
// schema becomes part of another document.
func (e *Error) Says() string {
	if !e.Other.HasPointer || e.Other == e.Place {
		return e.Message
	}
	return e.Message + "; the other side of the conflict is " + strconv.Quote(shortenPointer(e.Other.Pointer))
}

// Within returns place p of a document as a place of the outer document that contains it at pointer. A place in a
// document with its own URI does not change.
func (p Place) Within(pointer string) Place {
	if p.HasPointer && p.Pointer != "" && p.Pointer[0] != '/' {
		return p
	}
	return At(pointer + p.Pointer)
}

// longestPointer is the number of bytes of a JSON pointer that a message shows. Place.Pointer is always whole.
const longestPointer = 200

func shortenPointer(s string) string {
	if len(s) <= longestPointer {
		return s
	}
	head := strings.ToValidUTF8(s[:longestPointer/2], "")
	if i := strings.LastIndexByte(head, '/'); i > 0 {
		head = head[:i]
	}
	tail := strings.ToValidUTF8(s[len(s)-longestPointer/2:], "")
	if i := strings.IndexByte(tail, '/'); i >= 0 {
		tail = tail[i:]
	}
	return head + "/…" + tail
}

// Errorf returns an Error with a formatted message.
func Errorf(code Code, source string, place Place, format string, args ...any) *Error {
	return &Error{Code: code, Source: source, Place: place, Message: fmt.Sprintf(format, args...)}
}

// Locate sets the place of e to the place of at. The message of at, if any, is the line at fault, and ends e's
// message.
func (e *Error) Locate(at *Error) {
	e.Place, e.Keyword, e.Fragment, e.Excerpt = at.Place, at.Keyword, at.Fragment, at.Excerpt
	e.Message += at.Message
}

// Effect is the direction of a difference between written and enforced constraint.
type Effect uint8

// The effects of a Note.
const (
	Narrower Effect = iota + 1 // accepts less than was written
	Wider                      // accepts more than was written
	Ignored                    // an annotation or unknown keyword had no effect
	DeadEnd                    // exact, but no text completes some accepted prefix
)

// String returns "narrower", "wider", "ignored" or "dead end".
func (e Effect) String() string {
	return [...]string{"", "narrower", "wider", "ignored", "dead end"}[e]
}

// Note describes a difference between written and enforced constraint. Immutable.
type Note struct {
	Pointer string
	Keyword string
	Effect  Effect
	Text    string // one sentence
}

// Shorten returns at most n bytes of s, cut between code points and marked with an ellipsis, for Error.Fragment.
func Shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n] + "…"
}
