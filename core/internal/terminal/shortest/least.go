package shortest

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// AtLeast returns a lower bound for the bytes that complete state e with counter c, from the structure of e alone.
// Exact says that some text takes no more.
func (f *Finder) AtLeast(e expr.Expr, c counters.Counter) Distance {
	v := f.st.View()
	n := v.Node(e)
	if n.Flags&expr.FHead == 0 {
		return f.leastOf(e)
	}
	head := v.CountHead(e)
	b := v.BoundsOf(head)
	body := f.leastOf(head.Body())
	if body.Bytes == Never {
		return body
	}
	left := tailOf[c.Phase()]
	if c.Between() {
		left = f.continuation(head.Body())
	}
	rest := uint32(0) // code points that are missing
	if done := c.Count(); done < b.Min {
		rest = b.Min - done
	}
	exact := f.anyCount(head.Body()) || rest <= body.Bytes && body.Bytes <= b.Max-c.Count() && f.isPlain(head.Body())
	d := Distance{max(body.Bytes, left+rest), c.Between() && left == 0 && exact}
	if n.Kind == expr.KConcat {
		return d.Plus(f.leastOf(n.Tail()))
	}
	return d
}

// anyCount reports whether a counted body matches texts of n bytes and n code points for every n.
func (f *Finder) anyCount(body expr.Expr) bool {
	n := f.st.View().Node(body)
	return n.Kind == expr.KStar && f.hasPlain(n.Body())
}

// isPlain reports whether e matches a text of leastOf(e) bytes that are ASCII characters and begin no escape. Such a
// text has as many code points as bytes. Recursion is as deep as the expression.
func (f *Finder) isPlain(e expr.Expr) bool {
	if is, ok := f.plains[e]; ok {
		return is
	}
	is, v := false, f.st.View()
	switch n := v.Node(e); n.Kind {
	case expr.KEps, expr.KStar, expr.KTag, expr.KCount:
		is = true
	case expr.KBytes:
		is = f.hasPlain(e)
	case expr.KText:
		is = plain(v.TextOf(n))
	case expr.KConcat, expr.KSpelled:
		is = f.isPlain(n.Head()) && f.isPlain(n.Tail())
	case expr.KOr:
		d := f.leastOf(e)
		is = slices.ContainsFunc(v.List(n), func(x expr.Expr) bool { return f.leastOf(x) == d && f.isPlain(x) })
	case expr.KRepeat:
		is = n.B == 0 || f.isPlain(n.Body())
	}
	is = is && f.leastOf(e).Exact
	f.plains[e] = is
	return is
}

// hasPlain reports whether e matches an ASCII character that begins no escape.
func (f *Finder) hasPlain(e expr.Expr) bool {
	v := f.st.View()
	switch n := v.Node(e); n.Kind {
	case expr.KBytes:
		set := v.SetOf(n)
		b := set.Next(0)
		if b == '\\' {
			b = set.Next(b + 1)
		}
		return b < 0x80
	case expr.KOr:
		return slices.ContainsFunc(v.List(n), f.hasPlain)
	}
	return false
}

// tailOf holds lower bounds for the bytes that are left of an escape, by the phase of a counter; see package analysis.
var tailOf = [16]uint32{0, 1, 4, 3, 2, 7, 3, 2, 1, 6, 5, 4, 3, 2, 1}

// continuation returns how many bytes at the start of a body begin no code point. The digits of a KSpelled all do.
func (f *Finder) continuation(body expr.Expr) (n uint32) {
	v := f.st.View()
	for {
		x := v.Node(body)
		part := x
		if x.Kind == expr.KConcat {
			part = v.Node(x.Head())
		}
		if part.Kind != expr.KBytes || !continues(v.SetOf(part)) {
			return n
		}
		n++
		if part == x {
			return n
		}
		body = x.Tail()
	}
}

// continues reports whether no byte of a set begins a code point.
func continues(set *expr.ByteSet) bool {
	b := set.Next(0)
	for ; b < 256; b = set.Next(b + 1) {
		if b&0xC0 != 0x80 {
			return false
		}
	}
	return true
}

// leastOf is AtLeast without a counter. Recursion is as deep as the expression.
func (f *Finder) leastOf(e expr.Expr) Distance {
	if d, ok := f.bounds[e]; ok {
		return d
	}
	d := f.leastNode(e)
	f.bounds[e] = d
	return d
}

func (f *Finder) leastNode(e expr.Expr) Distance {
	v := f.st.View()
	n := v.Node(e)
	switch n.Kind {
	case expr.KEmpty:
		return None
	case expr.KEps, expr.KStar, expr.KTag:
		return Distance{0, true}
	case expr.KBytes:
		return Distance{1, true}
	case expr.KText:
		text := v.TextOf(n)
		return Distance{uint32(len(text)), expr.Encoding(n.C) == expr.UTF8 || plain(text)}
	case expr.KConcat, expr.KSpelled:
		return f.leastOf(n.Head()).Plus(f.leastOf(n.Tail()))
	case expr.KOr:
		d := None
		for _, x := range v.List(n) {
			d = d.Or(f.leastOf(x))
		}
		return d
	case expr.KAnd:
		d := Distance{}
		for _, x := range v.List(n) {
			d.Bytes = max(d.Bytes, f.leastOf(x).Bytes)
		}
		return d
	case expr.KRepeat:
		return f.leastOf(n.Body()).Times(n.B)
	case expr.KCount:
		d, b := f.leastOf(n.Body()), v.BoundsOf(n)
		if d.Bytes == Never {
			return d
		}
		exact := f.anyCount(n.Body()) || b.Min <= d.Bytes && d.Bytes <= b.Max && f.isPlain(n.Body())
		return Distance{max(d.Bytes, b.Min), exact}
	case expr.KMachine:
		return Distance{Bytes: v.LeastOf(n)}
	}
	return Distance{Exact: v.Nullable(e)} // complements, scans: they may match the empty string
}

// plain reports whether every encoding may write text as it is.
func plain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}
