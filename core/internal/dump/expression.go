package dump

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/inspect"
)

// How tightly an operation binds.
const (
	loose = iota // a union
	both         // an intersection
	row          // a sequence
	tight        // an operand of a postfix operator
)

// printer prints expressions of one store.
type printer struct {
	st    *terminal.Store
	names map[terminal.Expr]string // of expressions with a line of their own
	out   strings.Builder
	most  int // the number of bytes after which the rest is left out; 0: no bound
}

// more stands for omitted text.
const more = "…"

// Expression returns the first `most` bytes of e as text, approximately.
func Expression(st *terminal.Store, e terminal.Expr, most int) string {
	p := printer{st: st, most: most}
	p.expr(e, loose)
	return p.out.String()
}

// full reports whether the bound is reached, and writes `more` once.
func (p *printer) full() bool {
	if p.most == 0 || p.out.Len() < p.most {
		return false
	}
	if !strings.HasSuffix(p.out.String(), more) {
		p.out.WriteString(more)
	}
	return true
}

// expr writes e as an operand of an operation of the given tightness.
func (p *printer) expr(e terminal.Expr, around int) {
	if name, ok := p.names[e]; ok {
		p.out.WriteString(name)
		return
	}
	p.node(e, around)
}

func (p *printer) node(e terminal.Expr, around int) {
	if p.full() {
		return
	}
	n := inspect.Of(p.st, e)
	switch n.Op {
	case inspect.OpOr:
		p.list(n.Args, " | ", loose, around)
	case inspect.OpAnd:
		p.list(n.Args, " & ", both, around)
	case inspect.OpConcat:
		p.list(p.sequence(e), " ", row, around)
	case inspect.OpNot:
		p.out.WriteString("!")
		p.expr(n.Args[0], tight)
	case inspect.OpStar:
		p.expr(n.Args[0], tight)
		p.out.WriteString("*")
	case inspect.OpRepeat:
		p.expr(n.Args[0], tight)
		p.out.WriteString(counts(n.Min, n.Max))
	case inspect.OpCounted:
		p.out.WriteString(encodingPrefix(n.Enc, "-") + "chars" + counts(n.Min, n.Max) + "(")
		p.expr(n.Args[0], loose)
		p.out.WriteString(")")
	default:
		p.out.WriteString(leaf(n))
	}
}

// list writes operands with an operator between them, in parentheses if the operation around binds more tightly.
func (p *printer) list(args []terminal.Expr, operator string, own, around int) {
	if around > own {
		p.out.WriteString("(")
	}
	for i, a := range args {
		if i > 0 {
			p.out.WriteString(operator)
		}
		if p.full() {
			break
		}
		p.expr(a, own+1)
	}
	if around > own {
		p.out.WriteString(")")
	}
}

// sequence returns the parts of a sequence, which nests to the right. It is a loop, because a sequence can be as long as a
// text. It does not split a part with a name.
func (p *printer) sequence(e terminal.Expr) (parts []terminal.Expr) {
	for {
		n := inspect.Of(p.st, e)
		if n.Op != inspect.OpConcat || len(parts) > 0 && p.names[e] != "" || p.most > 0 && len(parts) > p.most {
			return append(parts, e)
		}
		parts = append(parts, n.Args[0])
		e = n.Args[1]
	}
}

// leaf returns the text of a node without operands.
func leaf(n inspect.Node) string {
	switch n.Op {
	case inspect.OpEmpty:
		return "never"
	case inspect.OpEpsilon:
		return "()"
	case inspect.OpBytes:
		return n.Set.String()
	case inspect.OpLiteral:
		return encodingPrefix(n.Enc, "") + strconv.Quote(n.Text)
	case inspect.OpTag:
		return fmt.Sprintf("#%d", n.Tag)
	case inspect.OpScan:
		parts := make([]string, len(n.Scan))
		for i, s := range n.Scan {
			parts[i] = fmt.Sprintf("%s#%d", strconv.Quote(s.Text), s.Tag)
			if s.Kill {
				parts[i] = strconv.Quote(s.Text) + "kill"
			}
		}
		name := "scan("
		if n.AnyBytes {
			name = "scanbytes("
		}
		return name + strings.Join(parts, " ") + ")"
	case inspect.OpAll:
		return "any"
	case inspect.OpMachine:
		return fmt.Sprintf("machine(%s %s)", strconv.Quote(n.Text), strconv.Quote(n.State))
	}
	return fmt.Sprintf("unknown(%d)", n.Op)
}

func encodingPrefix(enc terminal.Encoding, after string) string {
	var names []string
	if enc.IsASCII() {
		names = append(names, "ascii")
	}
	if enc.HasEscapes() {
		names = append(names, "json")
	}
	if len(names) == 0 {
		return ""
	}
	return strings.Join(names, "-") + after
}

func counts(low, high uint32) string {
	if high == terminal.Unbounded {
		return fmt.Sprintf("{%d,}", low)
	}
	return fmt.Sprintf("{%d,%d}", low, high)
}
