package pushdown

import (
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/shortest"
)

// withKey returns the members of an object after declared key j and its value.
func (p *Program) withKey(o *object, m pair, j uint32) pair { return p.members(o, p.afterKey(o, m, j)) }

// object returns how few bytes an object takes.
func (x *Shortest) object(o *object) Distance {
	m := pair{}
	if o.anyOrder {
		m.owed = o.requiredFrom[0]
	}
	return x.terminal(o.open).Plus(x.members(o, m, opObjectFirst))
}

func (x *Shortest) terminal(e terminal.Expr) Distance { return x.start(e).Bare }

// members returns how few bytes complete an object of which m has come, from at on: opObjectFirst or opObjectNext.
func (x *Shortest) members(o *object, m pair, at op) Distance {
	sum, owed := x.owed(o, m)
	n := owed
	if o.counts && m.members < o.minMembers {
		n = max(n, o.minMembers-m.members)
	}
	if n > owed {
		sum = sum.Plus(x.cheapest(o).Times(n - owed))
		sum.Exact = false
	}
	close := x.terminal(o.close)
	switch {
	case n == 0:
		return sum.Plus(close)
	case at == opObjectFirst:
		sum = sum.Plus(x.terminal(o.quote)).Plus(x.terminal(o.commaQuote).Times(n - 1))
	default:
		sum = sum.Plus(x.terminal(o.commaQuote).Times(n))
	}
	return sum.Plus(close)
}

// key is members after the quote of a key, which has to follow.
func (x *Shortest) key(o *object, m pair) Distance {
	sum, n := x.owed(o, m)
	least := uint32(1)
	if o.counts && m.members < o.minMembers {
		least = max(least, o.minMembers-m.members)
	}
	if n < least {
		if n == 0 && least == 1 {
			sum = x.anyMember(o, m)
		} else {
			sum = sum.Plus(x.cheapest(o).Times(least - n))
			sum.Exact = false
		}
		n = least
	}
	return sum.Plus(x.terminal(o.commaQuote).Times(n - 1)).Plus(x.terminal(o.close))
}

// owed returns how few bytes the required members take that have not come, without separators, and
// their number.
func (x *Shortest) owed(o *object, m pair) (sum Distance, n uint32) {
	sum.Exact = true
	if n = o.owes(m); n == 0 {
		return sum, 0
	}
	ends := x.start(o.keys)
	for j := range uint32(len(o.values)) {
		if !o.required(j) || x.taken(o, m, j) {
			continue
		}
		sum = sum.Plus(x.member(o, &ends, j))
	}
	return sum, n
}

// taken reports whether declared key j has come, or been passed over.
func (x *Shortest) taken(o *object, m pair, j uint32) bool {
	switch {
	case !o.anyOrder:
		return j < m.index
	case j < o.ordered:
		return j < m.from
	}
	return x.a.p.setHas(m.index, j, setHeight(len(o.values)))
}

// member returns how few bytes declared key j takes with its value.
func (x *Shortest) member(o *object, keys *shortest.Ends, j uint32) Distance {
	if o.values[j] == 0 {
		return shortest.None
	}
	tag := j
	if o.place != nil {
		d := shortest.None
		for t, k := range o.place {
			if k == j {
				d = d.Or(keys.Tag(uint32(t)))
			}
		}
		return d.Plus(x.sequence(o.values[j]))
	}
	return keys.Tag(tag).Plus(x.sequence(o.values[j]))
}

// cheapest returns a bound for any member.
func (x *Shortest) cheapest(o *object) Distance {
	d, ends := shortest.None, x.start(o.keys)
	for j := range uint32(len(o.values)) {
		d = d.Or(x.member(o, &ends, j))
	}
	return d.Or(x.undeclared(o))
}

// anyMember is cheapest for members that may come after m.
func (x *Shortest) anyMember(o *object, m pair) Distance {
	d, ends := shortest.None, x.start(o.keys)
	for j := range uint32(len(o.values)) {
		if x.a.p.mayTake(o, m, j) {
			d = d.Or(x.member(o, &ends, j))
		}
	}
	if o.extrasAllowed(m) {
		d = d.Or(x.undeclared(o))
	}
	return d
}

// undeclared returns how few bytes an undeclared key takes with its value.
func (x *Shortest) undeclared(o *object) Distance {
	d := shortest.None
	for _, e := range o.extras {
		d = d.Or(x.terminal(e.key).Plus(x.sequence(e.value)))
	}
	return d
}
