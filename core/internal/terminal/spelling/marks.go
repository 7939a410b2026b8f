// Package spelling says in which bytes terminals read what is no text: tokens that are named as tokens, and marks of
// where rules begin and end. Text contains none of those bytes, or has them spelled out, so that one mechanism serves
// all.
//
// Invariant: different things have different spellings, and none is the beginning of another one. Start reading at
// Text.
package spelling

import (
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// A grammar may have a twin that says where rules begin and end (grammar.Grammar.Marked). It does so in marks: bytes
// that no text and no token spelling contains, so that they are terminals like others.

// The marks. MarkRecord is followed by the number of what is recorded, in two bytes.
const (
	MarkOpen   = 0xF8 // something begins here
	MarkLate   = 0xF9 // the same, for what is looked for only where nothing else goes on
	MarkRecord = 0xFA // what has begun last is, up to here, what the number says
	MarkClose  = 0xFB // what has begun last ends
)

// MaxRecords bounds the numbers of MarkRecord: two bytes.
const MaxRecords = 1 << 16

// Record returns the bytes that record k.
func Record(k int) []byte { return []byte{MarkRecord, byte(k >> 8), byte(k)} }

// Marks returns exactly these bytes, which are marks.
func Marks(st *terminal.Store, bytes []byte) expr.Expr {
	xs := make([]expr.Expr, len(bytes))
	for i, b := range bytes {
		var one expr.ByteSet
		one.Add(b)
		xs[i] = st.Bytes(one)
	}
	return st.Concat(xs...)
}
