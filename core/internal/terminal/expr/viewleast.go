package expr

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
