// Package analysis finds what the structure of an expression alone does not show.
//
//	rows.go, exclusion.go, fan.go    the transitions of a state, none of which leads to a dead end
//	life.go                          whether an expression matches anything
//	structure.go, lengths.go, nearest.go, gaps.go    the numbers of code points that a string of it can have
//
// Invariant: an answer is a fact about the expression, whatever was asked before. Package expr reads and makes
// expressions. Start reading at Analysis.
package analysis

import (
	"math"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/arena"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/terminal/expr"
)

// Analysis is what is found out about expressions: their transitions, of which none leads to a dead end, and for that
// whether an expression matches anything, and of what lengths. It is guarded by the lock of whoever holds it.
type Analysis struct {
	*expr.Store
	Budgets limits.Budgets

	textRows expr.Dict[uint16, textRow]
	openRows expr.Dict[expr.ByteSet, uint32]  // rows by the bytes that go on, of states with open targets
	resolved expr.Dict[transition, expr.Expr] // what stands for unresolved targets

	life map[expr.Expr]*lifeNode

	lengths  arena.Table[Spectrum]
	lengthOf expr.Dict[lengthKey, uint32] // lengths that found their node's place taken
	repeats  map[expr.Expr]uint32         // of ends of sequences, see SetRepeatsLeft

	structures map[lengthKey]structure
}

// Init begins to find out about x, within budgets.
func (s *Analysis) Init(x *expr.Store, b limits.Budgets) {
	s.Store, s.Budgets = x, b
}

// InitOver begins with what below has found out about the store that x lies over.
func (s *Analysis) InitOver(x *expr.Store, below *Analysis, b limits.Budgets) {
	s.Init(x, b)
	s.textRows, s.openRows = expr.Over(&below.textRows), expr.Over(&below.openRows)
	s.resolved = expr.Over(&below.resolved)
	s.lengths, s.lengthOf = arena.Over(&below.lengths), expr.Over(&below.lengthOf)
}

// RepeatsLeft returns what SetRepeatsLeft remembered of e.
func (s *Analysis) RepeatsLeft(e expr.Expr) (left uint32, ok bool) {
	left, ok = s.repeats[e]
	return left, ok
}

// SetRepeatsLeft remembers how often a repetition in e may still happen at least, for package relax.
func (s *Analysis) SetRepeatsLeft(e expr.Expr, left uint32) {
	remember(s, &s.repeats, e, left)
}

// Size returns how many bytes of memory its tables hold, approximately.
func (s *Analysis) Size() int {
	return s.lengths.Cap()*48 + len(s.lengthOf.Own)*2*12 + len(s.textRows.Own)*2*10 + len(s.openRows.Own)*2*40 +
		len(s.resolved.Own)*2*12
}

// mapEntry is what an entry of the maps here takes, about.
const mapEntry = 64

// remember adds an entry to one of the maps of s, and counts what it takes.
func remember[K comparable, V any](s *Analysis, m *map[K]V, key K, v V) {
	if *m == nil {
		*m = map[K]V{}
	}
	(*m)[key] = v
	s.Extra.Add(mapEntry)
}

// resolve returns the target of e for byte b where e's row has it unresolved. That of a state whose transitions are
// made one by one is found again by its name.
func (s *Analysis) resolve(e expr.Expr, b byte) expr.Expr {
	if n := s.Node(e); s.Sprawls(n) {
		return s.Derive(e, b)
	}
	at := transition{e, b}
	t, ok := s.resolved.Get(at)
	if !ok {
		tally := s.Count(expr.NoBudget)
		t = s.target(s.Derive(e, b))
		tally.Close()
		s.resolved.Put(at, t)
	}
	return t
}

// Delta is Delta under the lock.
func (s *Analysis) Delta(e expr.Expr, b byte) expr.Expr {
	n := s.Node(e)
	r := s.Fact(e, expr.FactRow)
	if r == 0 {
		if t, ok := s.Direct(n, b); ok {
			return t
		}
		if n.Kind == expr.KConcat {
			if m := s.Node(n.Head()); m.Kind == expr.KSpelled {
				return s.Concat(m.Tail(), n.Tail()) // found again sooner than a row is made
			}
		}
		r = s.fillRow(e)
	}
	if t := s.Lookup(r, b); t != expr.Unresolved {
		return t
	}
	return s.resolve(e, b)
}

// AliveIn is Alive under the lock.
func (s *Analysis) AliveIn(e expr.Expr) *expr.ByteSet {
	if set := s.AliveKnown(e); set != nil {
		return set
	}
	return s.Sets.At(s.Rows.At(s.fillRow(e)).Alive)
}

// AliveKnown returns what Alive does where no row has to be filled for it, else nil.
func (s *Analysis) AliveKnown(e expr.Expr) *expr.ByteSet {
	n := s.Node(e)
	if r := s.Fact(e, expr.FactRow); r != 0 {
		return s.Sets.At(s.Rows.At(r).Alive)
	}
	switch n.Kind {
	case expr.KEmpty, expr.KEps, expr.KTag, expr.KTooHard:
		return s.Sets.At(0)
	case expr.KBytes:
		return s.Sets.At(n.A)
	case expr.KConcat:
		m := s.Node(n.Head())
		if m.Kind == expr.KSpelled {
			m = s.Node(m.Head())
		}
		if m.Kind == expr.KBytes && n.Flags&expr.FBoolean == 0 {
			return s.Sets.At(m.A)
		}
	case expr.KSpelled:
		return s.Sets.At(s.Node(n.Head()).A)
	}
	return nil
}

// fillRow computes all transitions of e, one derivative for each class of bytes that e cannot tell apart.
func (s *Analysis) fillRow(e expr.Expr) uint32 {
	if r, ok := s.fillTextRow(e); ok {
		return r
	}
	if r, ok := s.fillExclusionRow(e); ok {
		return r
	}
	if r, ok := s.fillSprawlingRow(e); ok {
		return r
	}
	switch n := s.Node(e); {
	case n.Kind == expr.KAnd, n.Kind == expr.KNot:
		s.Emptiness(e)
		s.explore(e)
		if r := s.Fact(e, expr.FactRow); r != 0 {
			return r
		}
		s.partRows(e)
	case n.Flags&expr.FBoolean != 0:
		s.partRows(e)
	}
	tally := s.Count(s.rowBudget(e))
	defer tally.Close()
	var sig [256]uint64
	s.Sign(e, &sig)
	var classes [256]uint8
	var keys [256]uint64
	var vals [256]expr.Expr
	var alive expr.ByteSet
	k := 0
	for b := 0; b < 256; b++ {
		j := k - 1
		for j >= 0 && keys[j] != sig[b] {
			j--
		}
		if j < 0 {
			s.Work.Spend(4 + 3*s.Weight(e))
			keys[k], vals[k] = sig[b], s.rowTarget(e, byte(b))
			j = k
			k++
		}
		classes[b] = uint8(j)
		if vals[j] != expr.Empty {
			alive.Add(byte(b))
		}
	}
	return s.keepRow(e, s.internClasses(&classes), vals[:k], s.InternSet(alive), s.rowCost(e, &tally, k))
}

// rowTarget returns what e's row says of byte b, which may stand for others.
func (s *Analysis) rowTarget(e expr.Expr, b byte) expr.Expr {
	if looks := beginLooks; b == '\\' && s.beginsText(e, &looks) {
		return expr.Unresolved
	}
	if s.Spent() {
		return expr.TooHard
	}
	t := s.Derive(e, b)
	if s.Spent() {
		return expr.TooHard
	}
	return s.target(t)
}

// target returns what a row has for derivative t: Empty if t matches nothing, TooHard if that is not known or t is too
// heavy.
func (s *Analysis) target(t expr.Expr) expr.Expr {
	n := s.Node(t)
	if int(n.Weight) > s.Budgets.Expression {
		return expr.TooHard
	}
	if n.Flags&expr.FBoolean == 0 {
		return t
	}
	aside := s.Count(expr.NoBudget)
	v := s.Emptiness(t)
	aside.Close()
	switch v {
	case expr.Nothing:
		return expr.Empty
	case expr.GivenUp:
		return expr.TooHard
	}
	return t
}

// rowBudget returns what the derivatives of e may take: as much as a mask if they are counted.
func (s *Analysis) rowBudget(e expr.Expr) int {
	if n := s.Node(e); n.Counted() || n.Flags&expr.FBoolean != 0 {
		return s.Budgets.Mask / limits.PartCost
	}
	return expr.NoBudget
}

// rowCost returns the price of the row of e, which has so many derivatives: what was counted, see expr.Node.Counted, or
// the parts that e has, and for an intersection or complement twice the comparisons of members of unions, since what is
// compared is also made, and memberRow for each derivative of a member of a union. A part of either kind of row takes
// 10 to 20 ns.
func (s *Analysis) rowCost(e expr.Expr, tally *expr.Tally, derived int) int {
	n := s.Node(e)
	own := machineRow * s.machines(n)
	switch {
	case n.Counted():
		made := tally.Made()
		if n.Flags&expr.FRepeat == 0 { // it has more parts than are looked at, each of which is sorted
			made = max(made, s.estimate(e))
		}
		return own + made
	case n.Flags&expr.FBoolean != 0:
		own += 2 * tally.Compared()
		if n.Kind == expr.KOr {
			own += memberRow * int(n.N) * derived
		}
	}
	return own + s.estimate(e)
}

// machines returns the number of members of n that begin with a machine.
func (s *Analysis) machines(n *expr.Node) (machines int) {
	switch n.Kind {
	case expr.KConcat:
		return s.machines(s.Node(n.Head()))
	case expr.KOr:
		for _, x := range s.List(n) {
			machines += s.machines(s.Node(x))
		}
	case expr.KMachine:
		machines = 1
	}
	return machines
}

// memberRow is the price of each derivative of a member of a union with intersections and complements, besides its
// parts: 80 ns, to find it and to put it in its place.
const memberRow = 5

// machineRow is the price of the row of a machine besides its weight, in parts: about 8 µs, for a dozen numbers that
// are made and named.
const machineRow = 400

// estimate returns the price of a row of which nothing is counted.
func (s *Analysis) estimate(e expr.Expr) int { return expr.RowWeight * s.DistinctParts(e) }

// partRows makes the transitions of the largest parts of e that a transition looks at and that contain neither
// intersections nor complements: many combinations share them.
func (s *Analysis) partRows(e expr.Expr) {
	seen := map[expr.Expr]bool{}
	for left := []expr.Expr{e}; len(left) > 0; {
		x := left[len(left)-1]
		left = left[:len(left)-1]
		if seen[x] {
			continue
		}
		seen[x] = true
		n := s.Node(x)
		if n.Flags&expr.FBoolean == 0 {
			if _, direct := s.Direct(n, 0); !direct && s.Fact(x, expr.FactRow) == 0 {
				s.fillRow(x)
			}
			continue
		}
		switch n.Kind {
		case expr.KConcat:
			left = append(left, n.Head())
			if s.Maybe(n.Head()) {
				left = append(left, n.Tail())
			}
		case expr.KOr, expr.KAnd:
			left = append(left, s.List(n)...)
		case expr.KNot, expr.KStar, expr.KRepeat, expr.KCount:
			left = append(left, n.Body())
		}
	}
}

// beginsText reports whether e begins with one of several texts of JSON strings, as between the keys of an object, and
// with nothing else, nor within a character of them: then a backslash begins an escape, and is in a class of its own.
// looks is how many parts it may still look at; beyond that it says no. Guarded by mu.
func (s *Analysis) beginsText(e expr.Expr, looks *int) bool {
	n := s.Node(e)
	if *looks--; *looks < 0 {
		return false
	}
	switch n.Kind {
	case expr.KText:
		return n.Enc().HasEscapes() && utf8.RuneStart(s.Texts.At(n.A).Str[n.B])
	case expr.KConcat:
		return s.beginsText(n.Head(), looks)
	case expr.KOr:
		for _, x := range s.List(n) {
			if !s.beginsText(x, looks) {
				return false
			}
		}
		return true
	}
	return false
}

// beginLooks is above the number of keys of objects that are compiled.
const beginLooks = 1 << 20

func (s *Analysis) internClasses(classes *[256]uint8) uint32 {
	cm, ok := s.ClassOf.Get(*classes)
	if !ok {
		cm = s.ClassMaps.Append(*classes)
		s.ClassOf.Put(*classes, cm)
	}
	return cm
}

// keepRow publishes the row of e, with its price.
func (s *Analysis) keepRow(e expr.Expr, classes uint32, targets []expr.Expr, alive uint32, price int) uint32 {
	at := s.Targets.Span(len(targets))
	copy(s.Targets.Slice(at, len(targets)), targets)
	r := s.Rows.Append(expr.Row{
		Classes: classes, Targets: at, Alive: alive, N: uint32(len(targets)), Price: uint32(min(price, math.MaxInt32)),
	})
	s.SetFact(e, expr.FactRow, r)
	return r
}

// textRow is what the rows of all texts that stand before the same byte share.
type textRow struct{ classes, alive uint32 }

// fillTextRow is fillRow for a state within a text, of which key tries have tens of thousands: one byte goes on, and in
// a JSON string a backslash.
func (s *Analysis) fillTextRow(e expr.Expr) (uint32, bool) {
	n, tail := s.Node(e), expr.Epsilon
	if n.Kind == expr.KConcat && n.Flags&expr.FBoolean == 0 {
		tail = n.Tail()
		n = s.Node(n.Head())
	}
	if n.Kind == expr.KBytes && tail != expr.Epsilon && s.Sets.At(n.A).Len() == 1 {
		shape := s.TextRow(uint16(s.Sets.At(n.A).Next(0))<<2 | 1)
		return s.keepRow(e, shape.classes, []expr.Expr{expr.Empty, tail, expr.Empty}, shape.alive, 0), true
	}
	if n.Kind != expr.KText {
		return 0, false
	}
	enc := n.Enc()
	c := s.Texts.At(n.A).Str[n.B]
	targets := []expr.Expr{expr.Empty, expr.Empty, expr.Empty}
	if expr.RawByte(c, enc) {
		targets[1] = s.TextDerivative(n, c, tail)
	}
	if enc.HasEscapes() && utf8.RuneStart(c) {
		targets[2] = expr.Unresolved // every character can be written as an escape
	}
	key := uint16(c) << 2
	if targets[1] != expr.Empty {
		key |= 1
	}
	if targets[2] != expr.Empty {
		key |= 2
	}
	shape := s.TextRow(key)
	return s.keepRow(e, shape.classes, targets, shape.alive, s.estimate(e)), true
}

// TextRow returns what all rows of texts have in common that go on with byte key>>2 or, as the lower bits say, an
// escape.
func (s *Analysis) TextRow(key uint16) textRow {
	shape, ok := s.textRows.Get(key)
	if !ok {
		var classes [256]uint8
		var alive expr.ByteSet
		if c := byte(key >> 2); key&1 != 0 {
			classes[c] = 1
			alive.Add(c)
		}
		if key&2 != 0 {
			classes['\\'] = 2
			alive.Add('\\')
		}
		shape = textRow{s.internClasses(&classes), s.InternSet(alive)}
		s.textRows.Put(key, shape)
	}
	return shape
}

// open is a state of a sprawling machine, and what follows it.
type open struct {
	M     expr.Sprawling
	State string
	Tail  expr.Expr
}

// Opened returns the machines' states that n, which sprawls, is the union of, and what else it is.
func (s *Analysis) Opened(n *expr.Node) (parts []open, rest expr.Expr) {
	if n.Kind == expr.KOr {
		var others []expr.Expr
		for _, x := range s.List(n) {
			if y := s.Node(x); y.Kind == expr.KMachine && y.Flags&expr.FOpen != 0 {
				parts = append(parts, s.openOf(y, expr.Epsilon))
			} else {
				others = append(others, x)
			}
		}
		return parts, s.Or(others...)
	}
	tail := expr.Epsilon
	if n.Kind == expr.KConcat {
		tail = n.Tail()
		n = s.Node(n.Head())
	}
	return []open{s.openOf(n, tail)}, expr.Empty
}

func (s *Analysis) openOf(n *expr.Node, tail expr.Expr) open {
	return open{s.MachineOf(n.A).(expr.Sprawling), s.Texts.At(n.B).Str, tail}
}

// fillSprawlingRow is fillRow for an expression that sprawls: which bytes go on is known, and where they lead is left
// open.
func (s *Analysis) fillSprawlingRow(e expr.Expr) (uint32, bool) {
	n := s.Node(e)
	if !s.Sprawls(n) {
		return 0, false
	}
	parts, rest := s.Opened(n)
	alive := *s.AliveIn(rest)
	for _, o := range parts {
		bytes := o.M.Alive(o.State)
		alive.Union(&bytes)
		if o.M.Accepts(o.State) {
			bytes = s.First(o.Tail)
			alive.Union(&bytes)
		}
	}
	r, ok := s.openRows.Get(alive)
	if !ok {
		var classes [256]uint8
		for b := alive.Next(0); b < 256; b = alive.Next(b + 1) {
			classes[b] = 1
		}
		r = s.keepRow(e, s.internClasses(&classes), []expr.Expr{expr.Empty, expr.Unresolved}, s.InternSet(alive), 0)
		s.openRows.Put(alive, r)
	}
	s.SetFact(e, expr.FactRow, r)
	return r, true
}

// transition is a state and a byte.
type transition struct {
	e expr.Expr
	b byte
}
