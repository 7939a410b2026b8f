package regex

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Mode describes the texts that a pattern is matched against.
type Mode struct {
	Encoding terminal.Encoding // spelling of code points; in JSON, the pattern matches the decoded string
	Search   bool              // the pattern may match anywhere in the text; else it matches the whole text
	// the result becomes part of an expression, which would write out a counter
	Inner bool
	// Without holds characters that no text contains.
	Without string
}

// Lower returns the expression of the texts that n matches; n must come from Parse. terminal.Empty means that nothing
// matches. Errors are *diag.Error with the place in the pattern.
func Lower(st *terminal.Store, n *Node, m Mode) (terminal.Expr, error) {
	return LowerCounted(st, n, m, 0, Unbounded)
}

// LowerCounted is Lower for texts of minimum to maximum code points.
func LowerCounted(st *terminal.Store, n *Node, m Mode, minimum, maximum uint32) (terminal.Expr, error) {
	l := &lowering{st: st, enc: m.Encoding, pattern: n.pattern, inner: m.Inner, counted: m.Inner, any: anyText}
	n = withoutRoot(n)
	if m.Without != "" {
		n, l.any = withoutCharacters(n, m.Without), withoutCharacters(anyText, m.Without)
	}
	if n.asserts {
		if n = l.resolveAtomic(n); l.err != nil {
			return terminal.Empty, l.err
		}
	}
	b := bounds{minimum, maximum}
	var e terminal.Expr
	if m.Search {
		e = l.search(n, b)
	} else {
		e = l.whole(stripEdge(stripEdge(n, true), false), b)
	}
	if l.checkTransitions(n, e); l.err != nil {
		return terminal.Empty, l.err
	}
	if n.asserts && st.IsEmpty(e) { // intersections hide it
		return terminal.Empty, nil
	}
	return e, nil
}

func withoutRoot(n *Node) *Node {
	c := *n
	c.pattern = ""
	return &c
}

type bounds struct{ min, max uint32 }

type lowering struct {
	st      *terminal.Store
	enc     terminal.Encoding
	pattern string
	any     *Node
	inner   bool // see Mode
	counted bool // inside a count or repetition, which would write out another counter
	classes []classExpr
	err     error // the first failure; later expressions are meaningless
}

type classExpr struct {
	ranges []rune
	expr   terminal.Expr
}

func (l *lowering) fail(n *Node, code diag.Code, keyword, format string, args ...any) terminal.Expr {
	if l.err == nil {
		l.err = failure(l.pattern, code, n.Pos, keyword, format, args...)
	}
	return terminal.Empty
}

// search lowers the texts in which n matches somewhere: any text, n, any text; an anchored side has no any text.
func (l *lowering) search(n *Node, b bounds) terminal.Expr {
	left, right := anchored(n, true), anchored(n, false)
	if n.Op == OpAlternate && n.asserts && !(left && right) {
		return l.searchBranches(n, b)
	}
	if left {
		n = stripEdge(n, true)
	}
	if right {
		n = stripEdge(n, false)
	}
	var parts [3]*Node
	seq := parts[:0]
	if !left {
		seq = append(seq, l.any)
		l.counted = true // a loop that may begin anywhere cannot keep a counter beside the state
	}
	if n.Op != OpEmpty || left || right {
		seq = append(seq, n)
	}
	if !right && (left || n.Op != OpEmpty) { // any text twice is any text
		seq = append(seq, l.any)
	}
	return l.whole(concat(n.Pos, seq...), b)
}

// searchBranches lowers each branch with its own anchors, and all branches without assertions together.
func (l *lowering) searchBranches(n *Node, b bounds) terminal.Expr {
	var plain []*Node
	var all []terminal.Expr
	for _, s := range n.Subs {
		if !s.asserts {
			plain = append(plain, s)
			continue
		}
		l.counted = false
		all = append(all, l.search(s, bounds{0, Unbounded}))
	}
	l.counted = false
	if plain != nil {
		all = append(all, l.search(alternate(n.Pos, plain...), bounds{0, Unbounded}))
	}
	return l.st.Counted(l.st.Or(all...), l.enc, b.min, b.max)
}

var anyText = repeat(0, class(0, anyRanges), 0, Unbounded)

// whole lowers the whole texts of n within bounds on their length. If n has a sole loop, the length determines the
// number of rounds (Lemma 5). Then the loop becomes a star, and one counter checks both bounds.
func (l *lowering) whole(n *Node, b bounds) terminal.Expr {
	n, b = hoistLength(n, b)
	if b.min > n.longest || b.max < n.shortest || b.min > b.max {
		return terminal.Empty
	}
	if at := soleLoop(n); at >= 0 && !l.inner {
		return l.foldLoop(n, at, b)
	}
	if b.min <= n.shortest && n.longest <= b.max {
		return l.sequence(n)
	}
	return l.count(n, b)
}

func (l *lowering) count(n *Node, b bounds) terminal.Expr {
	l.counted = true
	return l.st.Counted(l.sequence(n), l.enc, b.min, b.max)
}

// foldLoop lowers n within bounds; its part at index at must be its sole loop.
func (l *lowering) foldLoop(n *Node, at int, b bounds) terminal.Expr {
	loop := part(n, at)
	size := loop.Subs[0].shortest
	rest := n.shortest - loop.shortest
	lo, hi := max(b.min, n.shortest), min(b.max, n.longest)
	if lo > hi {
		return terminal.Empty
	}
	most := hi
	if most == Unbounded {
		most = lo
	}
	if !worthCounter(size, (most-rest)/size) {
		least, most := (lo-rest+size-1)/size, uint32(Unbounded) // in rounds
		if hi != Unbounded {
			most = (hi - rest) / size
		}
		if least > most {
			return terminal.Empty
		}
		return l.sequence(withPart(n, at, repeat(loop.Pos, loop.Subs[0], least, most)))
	}
	return l.count(withPart(n, at, repeat(loop.Pos, loop.Subs[0], 0, Unbounded)), bounds{lo, hi})
}

func (l *lowering) sequence(n *Node) terminal.Expr {
	if n.asserts {
		return l.resolve(n)
	}
	return l.plain(n)
}

func (l *lowering) plain(n *Node) terminal.Expr {
	switch n.Op {
	case OpEmpty:
		return terminal.Epsilon
	case OpLiteral:
		return l.st.Text(n.Text, l.enc)
	case OpClass:
		return l.class(n.Ranges)
	case OpConcat:
		var buf [8]terminal.Expr
		xs := buf[:0]
		for _, s := range n.Subs {
			xs = append(xs, l.plain(s))
		}
		return l.st.Concat(xs...)
	case OpAlternate:
		return l.alternatives(n)
	case OpRepeat:
		return l.loop(n.Subs[0], n.Min, n.Max)
	}
	return l.fail(n, diag.Internal, "", "an assertion was lowered without its surroundings; please report this pattern")
}

func (l *lowering) alternatives(n *Node) terminal.Expr {
	var literals []string
	var buf [8]terminal.Expr
	xs := buf[:0]
	for _, s := range n.Subs {
		if s.Op == OpLiteral {
			literals = append(literals, s.Text)
		} else {
			xs = append(xs, l.plain(s))
		}
	}
	if literals == nil {
		return l.st.Or(xs...)
	}
	trie := l.st.Texts(literals, l.enc, nil)
	if len(xs) == 0 {
		return trie
	}
	return l.st.Or(append(xs, trie)...)
}

// loop lowers lo to hi times x. Many repetitions of texts of one length become a star with a counter beside the state.
func (l *lowering) loop(x *Node, lo, hi uint32) terminal.Expr {
	size, fixed := x.fixed()
	most := hi
	if most == Unbounded {
		most = lo
	}
	if !l.counted && fixed && size > 0 && worthCounter(size, most) {
		if low, high := mulLength(lo, size), mulLength(hi, size); low != Unbounded &&
			(high != Unbounded || hi == Unbounded) {
			l.counted = true
			body := l.st.Star(l.plain(x))
			l.counted = false
			return l.st.Counted(body, l.enc, low, high)
		}
	}
	outer := l.counted
	l.counted = true
	e := l.plain(x)
	l.counted = outer
	return l.st.Repeat(e, lo, hi)
}

// worthCounter reports whether a counter is better than writing out so many rounds of a body of length size.
func worthCounter(size, rounds uint32) bool {
	if size > 1 {
		return rounds > limits.RegexGroupCounterFrom
	}
	return rounds > limits.RegexCounterFrom
}

func (l *lowering) class(ranges []rune) terminal.Expr {
	if len(ranges) == 0 {
		return terminal.Empty
	}
	if slices.Equal(ranges, anyRanges) {
		return l.st.AnyRune(l.enc)
	}
	for _, c := range l.classes {
		if slices.Equal(c.ranges, ranges) {
			return c.expr
		}
	}
	e := l.st.Runes(ranges, l.enc)
	if len(l.classes) < 64 {
		l.classes = append(l.classes, classExpr{ranges, e})
	}
	return e
}
