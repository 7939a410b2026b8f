package terminal

import (
	"github.com/sluice-engine/sluice/core/internal/terminal/analysis"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// Types of expr that users of a store name.
type (
	// Expr is an interned expression of one Store. Zero is Empty.
	Expr = expr.Expr
	// ByteSet is a set of bytes.
	ByteSet = expr.ByteSet
	// Encoding is the spelling of code points in bytes.
	Encoding = expr.Encoding
	// Machine is a language given as a deterministic automaton in Go.
	Machine = expr.Machine
	// Sprawling is a Machine with many states, few of which a walk visits.
	Sprawling = expr.Sprawling
	// Reader steps a Sprawling along the branches of a tree of texts.
	Reader = expr.Reader
	// Words is the machine of a long list of texts, WordTexts its content.
	Words     = expr.Words
	WordTexts = expr.WordTexts
	// Transitions holds the transitions of one state.
	Transitions = analysis.Transitions
	// ScanPattern is a string that Scan looks for in free text.
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

// HasPlain reports whether a text contains a character that JSONWritten spells in fewer ways than JSONString.
func HasPlain(text string) bool { return expr.HasPlain(text) }
