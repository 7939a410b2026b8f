package analysis

import (
	"slices"

	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// Many conditions on one string make an intersection with a state for each set of those that are still open, and a
// search that proves of each of them that something can follow would take longer than all else. But mostly no search is
// needed: conditions that stay met once they are met can be met one after the other. Let one member of the
// intersection, its body, end in a loop: B = y·R*. Say of another member L
//
//	promise  it is C*·Z·D* for classes C and D that all characters of B are of, and R* has a string of L
//	ending   it is C*·Z, and R* has a string of L
//
// Lemma: a body, promises and at most one ending have a string in common, y·w1·…·wn·v, where w1 … wn are the
// strings that R* has of the promises, and v that of the ending. Proof: what is before wi consists of characters of B
// and is in C*, and what is after it is in D*, so the whole is in Li, as wi is; with v likewise; and y followed by
// strings of R* is in B. ∎ The same holds of unions that have such a member, of intersections of promises, and of
// what excludes finitely many strings, since any string of the body can be made longer first.

// promised says what a member is known to ask of a text that goes on in a loop.
type promised uint8

const (
	unknownPromise promised = iota
	endingPromise
	keptPromise
)

// promiser is one look at an intersection.
type promiser struct {
	s    *Analysis
	enc  expr.Encoding
	body expr.Expr     // y·R*
	loop expr.Expr     // R*
	q    *expr.Inquiry // counts what is decided

	parts  int    // that may still be looked at
	longer uint32 // than this, in code points, a text has to be
}

// promiseBodies bounds the members that are tried as bodies, promiseParts the parts that are looked at for one.
const (
	promiseBodies = 4
	promiseParts  = 128
)

// Promises reports whether x is known to match something by the lemma, and of what lengths (a zero step: not known).
func (s *Analysis) Promises(x expr.Expr, only expr.Encoding, q *expr.Inquiry) (r room, some bool) {
	n := s.Node(x)
	if n.Kind != expr.KAnd || n.Flags&(expr.FTag|expr.FCount) != 0 || n.N > promiseParts {
		return room{}, false
	}
	members := s.List(n)
	tried := 0
	for i, b := range members {
		loop := s.tailLoop(b)
		if loop == expr.Empty || s.Node(b).Subset>>only&1 == 0 {
			continue
		}
		if tried++; tried > promiseBodies {
			break
		}
		p := promiser{s: s, enc: only, body: b, loop: loop, q: q, parts: promiseParts}
		r, some = p.all(members, i)
		if p.done(); some {
			return r, true
		}
	}
	// Any text is a body, too: to be one as well only leaves strings out.
	any := s.AnyText[only]
	p := promiser{s: s, enc: only, body: any, loop: any, q: q, parts: promiseParts}
	r, some = p.all(members, -1)
	p.done()
	return r, some
}

// done counts the parts that have been looked at.
func (p *promiser) done() { p.q.Own += (promiseParts - p.parts) / looksAtOne }

// tailLoop returns R* if x is y·R* with a plain y, Empty if it is not.
func (s *Analysis) tailLoop(x expr.Expr) expr.Expr {
	n := s.Node(x)
	if n.Flags&(expr.FBoolean|expr.FTag|expr.FCount) != 0 {
		return expr.Empty
	}
	for ; n.Kind == expr.KConcat; n = s.Node(x) {
		x = n.Tail()
	}
	if n.Kind == expr.KStar {
		return x
	}
	return expr.Empty
}

// all reports whether the members but the one at index i are promises, and one ending at most.
func (p *promiser) all(members []expr.Expr, i int) (r room, some bool) {
	s := p.s
	endings, sum := 0, s.shortestPlain(p.body)
	for j, x := range members {
		if j == i {
			continue
		}
		kept, least := p.promise(x)
		switch kept {
		case unknownPromise:
			return room{}, false
		case endingPromise:
			if endings++; endings > 1 {
				return room{}, false
			}
		}
		sum += uint64(least)
	}
	round := s.Node(p.loop).Body()
	r.Step = 1
	if !s.conditionOf(round, p.enc).single {
		r.Step = uint32(max(min(s.shortestPlain(round), leftMost), 1))
		if s.Maybe(round) {
			r.Step = 0
		}
	}
	if sum = max(sum, uint64(p.longer)+uint64(r.Step)); sum > leftMost {
		r.Step = 0
	}
	r.Enough = uint32(min(sum, leftMost))
	return r, true
}

// promise says what x is to the body, and how many bytes meeting it takes.
func (p *promiser) promise(x expr.Expr) (kept promised, least uint32) {
	s := p.s
	n := s.Node(x)
	if p.parts--; p.parts < 0 {
		return unknownPromise, 0
	}
	switch n.Kind {
	case expr.KTop:
		return keptPromise, 0
	case expr.KOr:
		return p.best(s.List(n), p.promise)
	case expr.KAnd:
		return p.every(s.List(n), p.promise)
	case expr.KNot:
		return p.excluded(n.Body())
	case expr.KStar:
		if p.covers(x) {
			return keptPromise, 0
		}
	case expr.KConcat:
		if s.Node(n.Head()).Kind != expr.KStar || n.Flags&(expr.FTag|expr.FCount) != 0 ||
			!p.covers(n.Head()) {
			return unknownPromise, 0
		}
		f := p.decide(s.And(p.loop, x))
		if f.v != expr.Something {
			return unknownPromise, 0
		}
		if end := s.tailLoop(x); end != expr.Empty && p.covers(end) {
			return keptPromise, f.bytes
		}
		return endingPromise, f.bytes
	}
	return unknownPromise, 0
}

// excluded says what the complement of x is to the body.
func (p *promiser) excluded(x expr.Expr) (kept promised, least uint32) {
	s := p.s
	n := s.Node(x)
	if n.Subset&expr.ExtentFinite != 0 {
		steps := leftSteps
		p.longer = max(p.longer, s.longest(x, p.enc, &steps))
		return keptPromise, 0
	}
	switch n.Kind {
	case expr.KNot:
		return p.promise(n.Body())
	case expr.KAnd:
		return p.best(s.List(n), p.excluded)
	case expr.KOr:
		return p.every(s.List(n), p.excluded)
	}
	return unknownPromise, 0
}

// best returns the most that one of several members of a union is, and of those the one that takes least.
func (p *promiser) best(members []expr.Expr, what func(expr.Expr) (promised, uint32)) (kept promised, least uint32) {
	before, longer := p.longer, uint32(0)
	for _, y := range members {
		p.longer = 0
		if k, n := what(y); k > kept || k == kept && max(n, p.longer) < max(least, longer) {
			kept, least, longer = k, n, p.longer
		}
	}
	p.longer = max(before, longer)
	return kept, least
}

// every returns what an intersection is whose members are all promises.
func (p *promiser) every(members []expr.Expr, what func(expr.Expr) (promised, uint32)) (kept promised, sum uint32) {
	for _, y := range members {
		k, n := what(y)
		if k != keptPromise {
			return unknownPromise, 0
		}
		sum = min(sum+n, leftMost)
	}
	return keptPromise, sum
}

// covers reports whether x is any number of characters of a class that all of the body are of.
func (p *promiser) covers(x expr.Expr) bool {
	s := p.s
	class := s.Node(x).Body()
	if e := slices.Index(s.AnyText[:], x); e >= 0 && s.Node(p.body).Subset>>e&1 != 0 {
		return true
	}
	switch {
	case !s.conditionOf(class, p.enc).single:
		return false
	case x == p.body:
		return true
	}
	return p.decide(s.And(p.body, s.Not(x))).v == expr.Nothing
}

// decide is emptiness of an expression of a body and one condition. It is found by search alone, as the lemma rests on
// it, and kept apart from what is found by the lemma. The lemma is to spare a search: what takes a good part of one is
// given up, and where there have been many of them nothing more is decided.
func (p *promiser) decide(x expr.Expr) decision {
	s := p.s
	if x == expr.Empty {
		return decision{v: expr.Nothing}
	}
	if p.q.Spent() > s.Budgets.Search {
		return decision{}
	}
	f, ok := s.decided[x]
	if !ok {
		q := expr.Inquiry{S: s.Store}
		f.v = s.SearchFor(x, &q, s.Budgets.Search/decidedOfSearch, func(at expr.Expr, bytes uint32) bool {
			n := s.Node(at)
			if n.Flags&expr.FBoolean != 0 && n.Flags&expr.FMaybe == 0 {
				return false
			}
			f.bytes = bytes
			if n.Flags&expr.FMaybe == 0 {
				f.bytes = uint32(min(uint64(bytes)+s.shortestPlain(at), leftMost))
			}
			return true
		})
		f.question = q.Keep()
		remember(s, &s.decided, x, f)
	}
	p.q.Ask(f.question)
	return f
}

// decidedOfSearch is the part of a search that deciding one expression may take.
const decidedOfSearch = 8

// decision is a verdict, the question that led to it, and the length of the string that it has found.
type decision struct {
	v        expr.Verdict
	question uint32
	bytes    uint32
}

// shortestPlain returns how long the shortest string of plain x is, in bytes, or more than leftMost.
func (s *Analysis) shortestPlain(x expr.Expr) uint64 {
	steps := leftSteps
	if n := s.left(x, &steps); steps >= 0 {
		return uint64(n)
	}
	return leftMost + 1
}

// longest returns a number of code points that no string of x, which has finitely many, has more of; leftMost if that
// takes more than a look.
func (s *Analysis) longest(x expr.Expr, enc expr.Encoding, steps *int) uint32 {
	n := s.Node(x)
	if *steps--; *steps < 0 {
		return leftMost
	}
	switch n.Kind {
	case expr.KEmpty, expr.KEps, expr.KTag:
		return 0
	case expr.KBytes:
		return 1
	case expr.KConcat, expr.KSpelled:
		return min(s.longest(n.Head(), enc, steps)+s.longest(n.Tail(), enc, steps), leftMost)
	case expr.KOr:
		if s.conditionOf(x, enc).single {
			return 1
		}
		most := uint32(0)
		for _, y := range s.List(n) {
			most = max(most, s.longest(y, enc, steps))
		}
		return most
	case expr.KRepeat:
		return uint32(min(uint64(n.C)*uint64(s.longest(n.Body(), enc, steps)), leftMost))
	case expr.KText:
		return uint32(len(s.Texts.At(n.A).Str)) // escapes are one each
	}
	return leftMost
}
