package analysis

import (
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// beginsText reports whether e begins with texts of JSON strings only, none of them within a character. Then a
// backslash begins an escape, and is in a class of its own. looks bounds the parts that it looks at; beyond the bound
// it reports false.
func (s *States) beginsText(e expr.Expr, looks *int) bool {
	n := s.Node(e)
	if *looks--; *looks < 0 {
		return false
	}
	switch n.Kind {
	case expr.KText:
		return n.Enc().HasEscapes() && utf8.RuneStart(s.Texts.At(n.A).Str[n.B])
	case expr.KConcat:
		return s.beginsText(n.Head(), looks)
	case expr.KOr:
		for _, x := range s.List(n) {
			if !s.beginsText(x, looks) {
				return false
			}
		}
		return true
	}
	return false
}

// beginLooks exceeds the number of keys of any object that is compiled.
const beginLooks = 1 << 20

// fillTextRow makes the row of a state within a text, and reports whether e is one. Tries of keys have tens of
// thousands of such states: one byte continues, and in a JSON string a backslash.
func (s *States) fillTextRow(e expr.Expr) (uint32, bool) {
	n, tail := s.Node(e), expr.Epsilon
	if n.Kind == expr.KConcat && n.Flags&expr.FBoolean == 0 {
		tail = n.Tail()
		n = s.Node(n.Head())
	}
	if n.Kind != expr.KText {
		return 0, false
	}
	enc := n.Enc()
	c := s.Texts.At(n.A).Str[n.B]
	targets := []expr.Expr{expr.Empty, expr.Empty, expr.Empty}
	if expr.RawByte(c, enc) {
		targets[1] = s.TextDerivative(n, c, tail)
	}
	if enc.HasEscapes() && utf8.RuneStart(c) {
		targets[2] = expr.Unresolved // every character has an escape
	}
	key := uint16(c) << 2
	if targets[1] != expr.Empty {
		key |= 1
	}
	if targets[2] != expr.Empty {
		key |= 2
	}
	shape := s.TextRow(key)
	return s.keepRow(e, shape.classes, targets, shape.alive, s.estimate(e)), true
}

// TextRow returns the part that rows share of texts with the next byte key>>2. Bit 0 of key says that the byte may come
// unescaped, bit 1 that an escape may begin.
func (s *States) TextRow(key uint16) textRow {
	shape, ok := s.textRows.Get(key)
	if !ok {
		var classes [256]uint8
		var alive expr.ByteSet
		if c := byte(key >> 2); key&1 != 0 {
			classes[c] = 1
			alive.Add(c)
		}
		if key&2 != 0 {
			classes['\\'] = 2
			alive.Add('\\')
		}
		shape = textRow{s.InternClasses(&classes), s.InternSet(alive)}
		s.textRows.Put(key, shape)
	}
	return shape
}
