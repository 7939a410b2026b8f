// Package spelling returns the bytes of symbols that are not text: tokens named by id, and marks at the ends of rules.
// Text contains none of these bytes, or has them escaped, so that one mechanism reads all.
//
// Invariant: different symbols have different spellings, and none is a prefix of another. Start reading at Text.
package spelling

import (
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// A capture grammar (grammar.Grammar.Marked) has marks at the ends of rules: bytes that begin no character and no
// token's spelling. So marks are terminals like others.

// The marks. A number in two bytes follows MarkRecord.
const (
	MarkOpen   = 0xF8 // begins a capture
	MarkLate   = 0xF9 // begins one that is tried after all other alternatives
	MarkRecord = 0xFA // records the text since the last beginning under a number
	MarkClose  = 0xFB // ends the capture that began last
)

// MaxRecords bounds the numbers of MarkRecord: two bytes.
const MaxRecords = 1 << 16

// Record returns the bytes that record k.
func Record(k int) []byte { return []byte{MarkRecord, byte(k >> 8), byte(k)} }

// Marks returns the language of these marks in sequence.
func Marks(st *terminal.Store, bytes []byte) expr.Expr {
	xs := make([]expr.Expr, len(bytes))
	for i, b := range bytes {
		var one expr.ByteSet
		one.Add(b)
		xs[i] = st.Bytes(one)
	}
	return st.Concat(xs...)
}
