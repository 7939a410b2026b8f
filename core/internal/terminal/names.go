package terminal

import "github.com/sluice-engine/sluice/core/internal/terminal/expr"

// What the rooms below have defined and users of a store name.
type (
	// Expr is an interned expression of one Store. Zero is Empty.
	Expr = expr.Expr
	// ByteSet is a set of bytes.
	ByteSet = expr.ByteSet
	// Encoding says how one code point is spelled in bytes.
	Encoding = expr.Encoding
	// Machine is a language that is given by what reading it means, as an automaton.
	Machine = expr.Machine
	// Sprawling is a Machine whose states have many different successors of which few are ever asked for.
	Sprawling = expr.Sprawling
	// Reader goes through the states that follow one state of a Sprawling, along the branches of a tree of texts.
	Reader = expr.Reader
	// Words is the machine of a long list of texts, and WordTexts what it shows of them.
	Words     = expr.Words
	WordTexts = expr.WordTexts
	// ScanPattern is a string that free text watches for.
	ScanPattern = expr.ScanPattern
	// Digest names the content of an expression, the same in every store.
	Digest = expr.Digest
)

// Expressions, bounds, encodings and marks; see package expr.
const (
	Empty       = expr.Empty
	Epsilon     = expr.Epsilon
	TooHard     = expr.TooHard
	Unbounded   = expr.Unbounded
	UTF8        = expr.UTF8
	JSONString  = expr.JSONString
	JSONWritten = expr.JSONWritten
	ASCII       = expr.ASCII
	ScanEnd     = expr.ScanEnd
	TokenMark   = expr.TokenMark
)

// BytesOf returns the bytes of a text.
func BytesOf(text string) ByteSet { return expr.BytesOf(text) }

// HasPlain reports whether a text has a character that JSONWritten spells in fewer ways than JSONString.
func HasPlain(text string) bool { return expr.HasPlain(text) }
