package terminal

// Op is the kind of an inspected expression.
type Op uint8

// The operations that Inspect reports.
const (
	OpEmpty Op = iota
	OpEpsilon
	OpBytes   // Set
	OpLiteral // Text in Enc; every spelling where Enc has more than one
	OpConcat  // Args
	OpOr      // Args
	OpAnd     // Args
	OpNot     // Args[0]
	OpStar    // Args[0]
	OpRepeat  // Args[0], Min, Max
	OpCounted // Args[0], Enc, Min, Max
	OpTag     // Tag
	OpScan    // Scan; only in its initial state
	OpAll     // every byte string
	OpMachine // Machine, in State; Text is its name
)

// Node is the structure of one expression, for the oracle, printers and tests. A value.
type Node struct {
	Op       Op
	Args     []Expr
	Set      ByteSet
	Text     string
	Enc      Encoding
	Min, Max uint32
	Tag      uint32
	Scan     []ScanPattern
	AnyBytes bool // Scan: of any bytes, not only of UTF-8
	Machine  Machine
	State    string
}

// Inspect returns the structure of e. Expressions that front ends build can all be inspected; a scan in the middle of a
// text cannot be told from its start.
func (s *Store) Inspect(e Expr) Node {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.node(e)
	switch n.kind {
	case kEps:
		return Node{Op: OpEpsilon}
	case kBytes:
		return Node{Op: OpBytes, Set: *s.sets.At(n.a)}
	case kText:
		return Node{Op: OpLiteral, Text: s.texts.At(n.a).string[n.b:], Enc: Encoding(n.c)}
	case kConcat, kSpelled:
		return Node{Op: OpConcat, Args: []Expr{Expr(n.a), Expr(n.b)}}
	case kOr, kAnd:
		op := OpOr
		if n.kind == kAnd {
			op = OpAnd
		}
		return Node{Op: op, Args: append([]Expr(nil), s.list(n)...)}
	case kNot:
		return Node{Op: OpNot, Args: []Expr{Expr(n.a)}}
	case kStar:
		return Node{Op: OpStar, Args: []Expr{Expr(n.a)}}
	case kRepeat:
		return Node{Op: OpRepeat, Args: []Expr{Expr(n.a)}, Min: n.b, Max: n.c}
	case kCount:
		b := s.bounds.At(n.b)
		return Node{Op: OpCounted, Args: []Expr{Expr(n.a)}, Enc: b.enc, Min: b.min, Max: b.max}
	case kTag:
		return Node{Op: OpTag, Tag: n.a}
	case kScan:
		return Node{Op: OpScan, Scan: (*s.scans.At(n.a)).patterns, AnyBytes: n.c == u8Any}
	case kTop:
		return Node{Op: OpAll}
	case kMachine:
		m := s.namedMachine(n.a)
		return Node{Op: OpMachine, Machine: m.Machine, Text: m.text.string, State: s.texts.At(n.b).string}
	}
	return Node{Op: OpEmpty}
}

// Match reports whether e matches the whole text. For tests and for values known at compile time.
func (s *Store) Match(e Expr, text []byte) bool {
	var c Counter
	for _, b := range text {
		if e, c = s.Step(e, c, b); e == Empty {
			return false
		}
	}
	return s.Accepts(e, c)
}
