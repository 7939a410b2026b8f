package expr

// View reads expressions without a lock, except for Subset.
type View struct{ s *Store }

// View returns a view of the store's expressions.
func (s *Store) View() View { return View{s} }

// Node returns the node of an expression.
func (v View) Node(e Expr) *Node { return v.s.Node(e) }

// List returns the members of a union or intersection.
func (v View) List(n *Node) []Expr { return v.s.List(n) }

// SetOf returns the bytes of a node of kind KBytes.
func (v View) SetOf(n *Node) *ByteSet { return v.s.Sets.At(n.A) }

// TextOf returns the characters that are left of a node of kind KText.
func (v View) TextOf(n *Node) string { return v.s.Texts.At(n.A).Str[n.B:] }

// LeastOf returns the fewest code points that begin on a way from a node of kind KMachine to its end, 0 if the machine
// does not know.
func (v View) LeastOf(n *Node) uint32 {
	if m, ok := v.s.MachineOf(n.A).(Measured); ok {
		return m.Least(v.s.Texts.At(n.B).Str)
	}
	return 0
}

// BoundsOf returns the bounds of a node of kind KCount.
func (v View) BoundsOf(n *Node) Bounds { return *v.s.Bounds.At(n.B) }

// PatternsOf returns the patterns of a node of kind KScan.
func (v View) PatternsOf(n *Node) []ScanPattern { return (*v.s.Scans.At(n.A)).Patterns }

// CountHead returns the KCount that state e is inside of, or nil.
func (v View) CountHead(e Expr) *Node { return v.s.CountHead(e) }

// LastPart returns the last part of a concatenation, else e.
func (v View) LastPart(e Expr) Expr { return v.s.LastPart(e) }

// Nullable reports whether x matches the empty string.
func (v View) Nullable(x Expr) bool { return v.s.Nullable(x) }

// Tagged reports whether e contains tags.
func (v View) Tagged(e Expr) bool { return v.s.Node(e).Flags&FTag != 0 }

// Tags appends the tags that state e carries if it is complete. bare reports whether it is also complete without
// a tag.
func (v View) Tags(e Expr, dst []uint32) (tags []uint32, bare bool) {
	n := v.Node(e)
	switch n.Kind {
	case KTag:
		return append(dst, n.A), false
	case KScan:
		if n.Flags&FNullable != 0 {
			return append(dst, ScanEnd), false
		}
		return dst, false
	case KConcat:
		if n.Flags&FMaybe == 0 {
			return dst, false
		}
		return v.Tags(n.Tail(), dst)
	case KOr:
		for _, x := range v.List(n) {
			var b bool
			dst, b = v.Tags(x, dst)
			bare = bare || b
		}
		return dst, bare
	}
	return dst, n.Flags&FMaybe != 0
}

// Sprawls reports whether e sprawls: whether its transitions are found one by one.
func (v View) Sprawls(e Expr) bool { return v.s.Sprawls(v.s.Node(e)) }

// Maybe reports whether x matches the empty string at some count.
func (v View) Maybe(x Expr) bool { return v.s.Maybe(x) }

// RowPrice returns the price of the transitions of e, in parts.
func (v View) RowPrice(e Expr) int { return v.s.RowPrice(e) }

// CompareContent orders expressions by content, in the same way in every store.
func (v View) CompareContent(x, y Expr) int { return v.s.CompareContent(x, y) }
