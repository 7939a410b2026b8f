// Package inspect shows the structure of expressions, and relations that it implies.
//
// Invariant: an answer depends on the expressions alone, not on the transitions that exist. Start reading at Of.
package inspect

import (
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// Op is the kind of an inspected expression.
type Op uint8

// The operations of nodes, with the fields that they use.
const (
	OpEmpty Op = iota
	OpEpsilon
	OpBytes   // Set
	OpLiteral // Text in every spelling of Enc
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

// Node is the structure of one expression, for the oracle, printers and tests.
type Node struct {
	Op       Op
	Args     []expr.Expr
	Set      expr.ByteSet
	Text     string
	Enc      expr.Encoding
	Min, Max uint32
	Tag      uint32
	Scan     []expr.ScanPattern
	AnyBytes bool // Scan: of any bytes, not only of UTF-8
	Machine  expr.Machine
	State    string
}

// Of returns the structure of e. It handles all expressions that front ends build; a scan in the middle of a text looks
// like one at its start.
func Of(st *terminal.Store, e expr.Expr) Node {
	a := st.Lock()
	defer st.Unlock()
	n := a.Node(e)
	switch n.Kind {
	case expr.KEps:
		return Node{Op: OpEpsilon}
	case expr.KBytes:
		return Node{Op: OpBytes, Set: *a.Sets.At(n.A)}
	case expr.KText:
		return Node{Op: OpLiteral, Text: a.Texts.At(n.A).Str[n.B:], Enc: n.Enc()}
	case expr.KConcat, expr.KSpelled:
		return Node{Op: OpConcat, Args: []expr.Expr{n.Head(), n.Tail()}}
	case expr.KOr, expr.KAnd:
		op := OpOr
		if n.Kind == expr.KAnd {
			op = OpAnd
		}
		return Node{Op: op, Args: append([]expr.Expr(nil), a.List(n)...)}
	case expr.KNot:
		return Node{Op: OpNot, Args: []expr.Expr{n.Body()}}
	case expr.KStar:
		return Node{Op: OpStar, Args: []expr.Expr{n.Body()}}
	case expr.KRepeat:
		return Node{Op: OpRepeat, Args: []expr.Expr{n.Body()}, Min: n.B, Max: n.C}
	case expr.KCount:
		b := a.Bounds.At(n.B)
		return Node{Op: OpCounted, Args: []expr.Expr{n.Body()}, Enc: b.Enc, Min: b.Min, Max: b.Max}
	case expr.KTag:
		return Node{Op: OpTag, Tag: n.A}
	case expr.KScan:
		return Node{Op: OpScan, Scan: (*a.Scans.At(n.A)).Patterns, AnyBytes: n.C == expr.U8Any}
	case expr.KTop:
		return Node{Op: OpAll}
	case expr.KMachine:
		m := a.NamedMachine(n.A)
		return Node{Op: OpMachine, Machine: m.Machine, Text: m.Text.Str, State: a.Texts.At(n.B).Str}
	}
	return Node{Op: OpEmpty}
}
