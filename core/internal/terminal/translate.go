package terminal

// Translation carries expressions of one store over to another one; both lie over the same store, or over none. What
// was brought into normal form there is in normal form here, so that contents are interned as they are. One use, one
// goroutine.
type Translation struct {
	from, to *Store
	done     []Expr // by expression above those of the store below; Empty: not yet
	bytes    int    // what has been made in the target, about
}

// NewTranslation returns a Translation between two stores over the same one.
func NewTranslation(from, to *Store) *Translation {
	if from.below != to.below {
		panic("terminal: expressions are carried between stores that lie over different ones")
	}
	return &Translation{from: from, to: to}
}

// Bytes returns how many bytes of memory the expressions take that have been carried over, about.
func (t *Translation) Bytes() int { return t.bytes }

// Expr returns the expression of the target store that equals e. Expressions can be as deep as texts are long, so there
// is no recursion.
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
		t.parts(x, func(y Expr) {
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
		t.done = append(t.done, make([]Expr, max(i+1, int(t.from.nodes.Len()))-len(t.done))...)
	}
	t.done[i] = x
}

// first returns the first expression that is not the same in both stores.
func (t *Translation) first() Expr { return max(t.from.from, TooHard+1) }

func (t *Translation) known(e Expr) (Expr, bool) {
	if e < t.first() {
		return e, true
	}
	if i := int(e - t.first()); i < len(t.done) && t.done[i] != Empty {
		return t.done[i], true
	}
	return Empty, false
}

// parts calls f with each expression that e is made of.
func (t *Translation) parts(e Expr, f func(Expr)) {
	n := t.from.node(e)
	switch n.kind {
	case kConcat, kSpelled:
		f(Expr(n.a))
		f(Expr(n.b))
	case kOr, kAnd:
		for _, x := range t.from.list(n) {
			f(x)
		}
	case kNot, kStar, kRepeat, kCount:
		f(Expr(n.a))
	}
}

// copyOf interns e, whose parts are known.
func (t *Translation) copyOf(e Expr) Expr {
	from, to := t.from, t.to
	n := from.node(e)
	a, b, list := n.a, n.b, []Expr(nil)
	part := func(x uint32) uint32 { y, _ := t.known(Expr(x)); return uint32(y) }
	switch n.kind {
	case kBytes:
		a = to.internSet(*from.sets.At(n.a))
	case kConcat, kSpelled:
		a, b = part(n.a), part(n.b)
	case kOr, kAnd:
		for _, x := range from.list(n) {
			y, _ := t.known(x)
			list = append(list, y)
		}
		list = to.sortedSet(list)
	case kNot, kStar, kRepeat:
		a = part(n.a)
	case kCount:
		a, b = part(n.a), to.internBounds(*from.bounds.At(n.b))
	case kText:
		a = to.internText(from.texts.At(n.a).string)
	case kScan:
		a = to.internScan(*from.scans.At(n.a))
	case kMachine:
		a, b = to.internMachine(from.namedMachine(n.a)), to.internText(from.texts.At(n.b).string)
	}
	before := to.made.Load()
	x := to.intern(n.kind, a, b, n.c, list)
	if to.made.Load() > before {
		t.bytes += nodeBytes + indexBytes + 4*len(list)
	}
	if x >= to.from {
		to.node(x).subset |= n.subset
	}
	return x
}
