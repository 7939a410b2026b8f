// Package diag is the vocabulary of everything Sluice tells its callers besides masks: errors with a stable code and a
// place, and notes about where a constraint's meaning differs from what was written.
//
// Invariant: an Error is complete by itself. It carries its place, the offending fragment and the way out, so no layer
// above has to know the input again to explain it. The package knows nothing of grammars or vocabularies.
package diag

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Code says what kind of failure an Error is. Values are part of the C ABI and never change.
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
	Unavailable   Code = 13 // this machine has not got what the call needs
	Device        Code = 14 // the driver of a device refused or failed
	Unfinished    Code = 15 // the caller did not want to wait for the rest of the work
	Cancelled     Code = 16 // the caller gave the work up
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

// Place says where in the user's input something is. JSON inputs have a Pointer (RFC 6901, "" is the whole document),
// text inputs have Line and Column (from 1, in code points) and Offset (bytes). HasPointer tells "" from absent.
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

// InvalidUTF8 returns the offset of the first byte of text that is no part of a character, or -1.
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
	// what was read: "json_schema", "regex", "ebnf", "structural_tag", "choice", "vocabulary", or the call
	Source   string
	Place    Place
	Keyword  string // the keyword or construct at fault, if there is one
	Message  string // the rule that is broken and the way out, one sentence or two
	Advice   string // another way out, for the program that compiles and not for the author: an option that it may set
	Fragment string // the offending text, already shortened by the reader
	Excerpt  string // the line at fault with a caret below the place, if the message does not end in it; see InText
	Other    Place  // of a conflict: the place of its other side, a JSON pointer, if that is known
}

// Error formats as "source:place: keyword: message (near ‹fragment›); or advice", with the excerpt on lines of its own
// instead of the fragment if there is one. The advice stands last, so that a
// server can cut it off: its clients cannot set options.
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

// Tail returns the advice as Error ends with it, "" if there is none. It has a line of its own behind an excerpt.
func (e *Error) Tail() string {
	switch {
	case e.Advice == "":
		return ""
	case strings.Contains(e.Message, "\n"), e.shown():
		return "\nor " + e.Advice
	}
	return "; or " + e.Advice
}

// shown tells whether Error shows the excerpt: not if the place moved into a JSON document around the text.
func (e *Error) shown() bool { return e.Excerpt != "" && !e.Place.HasPointer && e.Place.Line > 0 }

// Advise gives e an advice and returns it.
func (e *Error) Advise(advice string) *Error {
	e.Advice = advice
	return e
}

// Says returns the message with the other side of a conflict. That is not part of the message because it moves with
// the place where a schema is part of another document.
func (e *Error) Says() string {
	if !e.Other.HasPointer || e.Other == e.Place {
		return e.Message
	}
	return e.Message + "; the other side of the conflict is " + strconv.Quote(shortenPointer(e.Other.Pointer))
}

// Within returns the place of what has place p in a document that is itself at pointer. What stands in a document with
// a URI of its own stays there.
func (p Place) Within(pointer string) Place {
	if p.HasPointer && p.Pointer != "" && p.Pointer[0] != '/' {
		return p
	}
	return At(pointer + p.Pointer)
}

// longestPointer is how many bytes of a JSON pointer a message shows: deeply nested schemas have pointers of kilobytes.
// Place.Pointer is always whole.
const longestPointer = 200

// shortenPointer leaves out the middle of a long JSON pointer, whole reference tokens where that can be.
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

// Errorf makes an Error.
func Errorf(code Code, source string, place Place, format string, args ...any) *Error {
	return &Error{Code: code, Source: source, Place: place, Message: fmt.Sprintf(format, args...)}
}

// Locate gives e the place of at, an error without a message but for the line at fault, which may end it.
func (e *Error) Locate(at *Error) {
	e.Place, e.Keyword, e.Fragment, e.Excerpt = at.Place, at.Keyword, at.Fragment, at.Excerpt
	e.Message += at.Message
}

// Effect says in which direction a constraint's meaning was changed.
type Effect uint8

// The effects of a Note.
const (
	Narrower Effect = iota + 1 // less is accepted than was written
	Wider                      // more is accepted than was written
	Ignored                    // an annotation or unknown keyword had no effect
	DeadEnd                    // exact, but a prefix may be accepted that nothing completes
)

// String returns "narrower", "wider", "ignored" or "dead end".
func (e Effect) String() string {
	return [...]string{"", "narrower", "wider", "ignored", "dead end"}[e]
}

// Note is a difference between what was written and what is enforced. Immutable.
type Note struct {
	Pointer string
	Keyword string
	Effect  Effect
	Text    string // one sentence
}

// Shorten returns at most n bytes of s, cut at a rune boundary and marked with an ellipsis, for Error.Fragment.
func Shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n] + "…"
}
