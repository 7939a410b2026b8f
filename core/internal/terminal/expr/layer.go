package expr

// Init makes a store that holds Empty, Epsilon and the expressions of any text.
func (s *Store) Init() {
	s.index = index{table: make([]uint64, 1<<12)}
	s.Constants.init()
	s.Rows.Append(Row{})
	s.append(Node{Kind: KEmpty, Subset: allEncodings | ExtentFinite})
	s.append(Node{
		Kind: KEps, Flags: FNullable | FMaybe, Subset: allEncodings | ExtentFinite, order: 1,
	})
	s.append(Node{Kind: KTooHard, Weight: 1, order: leastOrder - 1})
	for e := range Encodings {
		s.AnyRune[e] = s.Runes([]rune{0, 0x10FFFF}, e)
		s.AnyText[e] = s.Star(s.AnyRune[e])
	}
}

// InitOver makes a store over a sealed one.
func (s *Store) InitOver(below *Store) {
	if !below.sealed {
		panic("terminal: a store is laid over one that is not sealed")
	}
	s.Below, s.escape = below, below.escape
	s.Nodes.initOver(&below.Nodes)
	s.Tables.initOver(&below.Tables)
}

// Seal ends the store's growth, so that others can be laid over it.
func (s *Store) Seal() { s.sealed = true }

// Size returns about how many bytes of memory the store holds.
func (s *Store) Size() int { return s.Nodes.size() + s.Tables.size() }
