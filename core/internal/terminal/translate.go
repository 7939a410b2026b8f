package terminal

import (
	"fmt"

	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// Translation copies expressions of one store to another. Both lie over the same store, or over none. Normal forms are
// the same in both, so contents are interned unchanged. One goroutine.
type Translation struct {
	from, to *Store
	done     []Expr // copies of the expressions from first() on; Empty: not copied yet
	bytes    int    // memory of the new expressions
}

// NewTranslation returns a Translation between two stores over the same one.
func NewTranslation(from, to *Store) *Translation {
	if from.x.Below != to.x.Below {
		panic("terminal: expressions are carried between stores that lie over different ones")
	}
	return &Translation{from: from, to: to}
}

// Bytes returns about how many bytes of memory the copied expressions take.
func (t *Translation) Bytes() int { return t.bytes }

// Expr returns the expression of the target store that equals e. It does not recurse, since expressions can be as deep
// as texts are long.
func (t *Translation) Expr(e Expr) Expr {
	if x, ok := t.known(e); ok {
		return x
	}
	t.to.mu.Lock()
	defer t.to.mu.Unlock()
	for work := []Expr{e}; len(work) > 0; {
		x := work[len(work)-1]
		if _, ok := t.known(x); ok {
			work = work[:len(work)-1]
			continue
		}
		before := len(work)
		t.parts(t.from.x.Node(x), func(y Expr) {
			if _, ok := t.known(y); !ok {
				work = append(work, y)
			}
		})
		if len(work) == before {
			t.add(x, t.copyOf(x))
			work = work[:len(work)-1]
		}
	}
	x, _ := t.known(e)
	return x
}

func (t *Translation) add(e, x Expr) {
	i := int(e - t.first())
	if i >= len(t.done) {
		t.done = append(t.done, make([]Expr, max(i+1, int(t.from.x.Nodes.Len()))-len(t.done))...)
	}
	t.done[i] = x
}

// first returns the first expression that may differ between the stores.
func (t *Translation) first() Expr { return max(t.from.x.From, TooHard+1) }

func (t *Translation) known(e Expr) (Expr, bool) {
	if e < t.first() {
		return e, true
	}
	if i := int(e - t.first()); i < len(t.done) && t.done[i] != Empty {
		return t.done[i], true
	}
	return Empty, false
}

// parts calls f with each part of a node.
func (t *Translation) parts(n *expr.Node, f func(Expr)) {
	switch n.Kind {
	case expr.KConcat, expr.KSpelled:
		f(n.Head())
		f(n.Tail())
	case expr.KOr, expr.KAnd:
		for _, x := range t.from.x.List(n) {
			f(x)
		}
	case expr.KNot, expr.KStar, expr.KRepeat, expr.KCount:
		f(n.Body())
	case expr.KEmpty, expr.KEps, expr.KTop, expr.KTooHard:
	case expr.KBytes, expr.KText, expr.KTag, expr.KScan, expr.KMachine:
	default:
		panic(fmt.Sprintf("terminal: expressions of kind %d are not carried to other stores", n.Kind))
	}
}

// copyOf interns e, whose parts are copied.
func (t *Translation) copyOf(e Expr) Expr {
	from, to := t.from, t.to
	n := from.x.Node(e)
	a, b, list := n.A, n.B, []Expr(nil)
	part := func(x uint32) uint32 { y, _ := t.known(Expr(x)); return uint32(y) }
	switch n.Kind {
	case expr.KBytes:
		a = to.x.InternSet(*from.x.Sets.At(n.A))
	case expr.KConcat, expr.KSpelled:
		a, b = part(n.A), part(n.B)
	case expr.KOr, expr.KAnd:
		for _, x := range from.x.List(n) {
			y, _ := t.known(x)
			list = append(list, y)
		}
		list = to.x.SortedSet(list)
	case expr.KNot, expr.KStar, expr.KRepeat:
		a = part(n.A)
	case expr.KCount:
		a, b = part(n.A), to.x.InternBounds(*from.x.Bounds.At(n.B))
	case expr.KText:
		a = to.x.InternText(from.x.Texts.At(n.A).Str)
	case expr.KScan:
		a = to.x.InternScan(*from.x.Scans.At(n.A))
	case expr.KMachine:
		a, b = to.x.InternMachine(from.x.NamedMachine(n.A)), to.x.InternText(from.x.Texts.At(n.B).Str)
	}
	before := to.x.Made.Load()
	x := to.x.Intern(n.Kind, a, b, n.C, list)
	if to.x.Made.Load() > before {
		t.bytes += expr.KnownBytes + expr.IndexBytes + 4*len(list)
	}
	if x >= to.x.From {
		to.x.Node(x).Subset |= n.Subset
	}
	return x
}
