package terminal

import "github.com/sluice-engine/sluice/core/internal/terminal/expr"

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
	n := s.x.Node(e)
	switch n.Kind {
	case expr.KEps:
		return Node{Op: OpEpsilon}
	case expr.KBytes:
		return Node{Op: OpBytes, Set: *s.x.Sets.At(n.A)}
	case expr.KText:
		return Node{Op: OpLiteral, Text: s.x.Texts.At(n.A).Str[n.B:], Enc: Encoding(n.C)}
	case expr.KConcat, expr.KSpelled:
		return Node{Op: OpConcat, Args: []Expr{Expr(n.A), Expr(n.B)}}
	case expr.KOr, expr.KAnd:
		op := OpOr
		if n.Kind == expr.KAnd {
			op = OpAnd
		}
		return Node{Op: op, Args: append([]Expr(nil), s.x.List(n)...)}
	case expr.KNot:
		return Node{Op: OpNot, Args: []Expr{Expr(n.A)}}
	case expr.KStar:
		return Node{Op: OpStar, Args: []Expr{Expr(n.A)}}
	case expr.KRepeat:
		return Node{Op: OpRepeat, Args: []Expr{Expr(n.A)}, Min: n.B, Max: n.C}
	case expr.KCount:
		b := s.x.Bounds.At(n.B)
		return Node{Op: OpCounted, Args: []Expr{Expr(n.A)}, Enc: b.Enc, Min: b.Min, Max: b.Max}
	case expr.KTag:
		return Node{Op: OpTag, Tag: n.A}
	case expr.KScan:
		return Node{Op: OpScan, Scan: (*s.x.Scans.At(n.A)).Patterns, AnyBytes: n.C == expr.U8Any}
	case expr.KTop:
		return Node{Op: OpAll}
	case expr.KMachine:
		m := s.x.NamedMachine(n.A)
		return Node{Op: OpMachine, Machine: m.Machine, Text: m.Text.Str, State: s.x.Texts.At(n.B).Str}
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
