package terminal

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

// RecordMark returns the bytes that record k.
func RecordMark(k int) []byte { return []byte{MarkRecord, byte(k >> 8), byte(k)} }

// Mark returns exactly these bytes, which are marks.
func (s *Store) Mark(bytes []byte) Expr {
	xs := make([]Expr, len(bytes))
	for i, b := range bytes {
		var one ByteSet
		one.Add(b)
		xs[i] = s.Bytes(one)
	}
	return s.Concat(xs...)
}
