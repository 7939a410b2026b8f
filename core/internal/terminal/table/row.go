package table

// row holds the transitions of a state as runs of bytes with one target, in order. nil leads nowhere.
type row []run

type run struct {
	last uint8 // the last byte of the run
	to   uint32
}

// with returns r extended up to byte last, with target to.
func (r row) with(last uint8, to uint32) row {
	if n := len(r); n > 0 && r[n-1].to == to {
		r[n-1].last = last
		return r
	}
	return append(r, run{last, to})
}

// runs appends the last byte of every run of bytes with one value to ends.
func runs[T comparable](value *[256]T, ends []uint8) []uint8 {
	for b := range 255 {
		if value[b] != value[b+1] {
			ends = append(ends, uint8(b))
		}
	}
	return append(ends, 255)
}

// ofRows returns the table of rows. Bytes with the same targets in all rows are one class.
func ofRows(rows []row, final []bool) *Table {
	c := newClasses(rows)
	for _, r := range rows {
		c.split(r)
	}
	t := &Table{final: final, classes: c.count, next: make([]uint32, len(rows)*c.count)}
	b := 0
	for i, last := range c.runs {
		for ; b <= int(last); b++ {
			t.class[b] = c.of[i]
		}
	}
	for state, r := range rows {
		next := t.next[state*c.count:]
		c.all(r, func(i int, to uint32) { next[c.of[i]] = to })
	}
	return t.finish()
}

// classes are the classes of bytes that rows distinguish, by runs of bytes that no row divides.
type classes struct {
	runs  []uint8 // the last byte of each run
	of    []uint8 // its class
	count int
}

// newClasses returns the runs of rows, in two classes: continuation bytes, and others.
func newClasses(rows []row) *classes {
	var after [256]int // how many runs end before a byte
	cut := func(last uint8) {
		if last < 255 {
			after[last+1] = 1
		}
	}
	cut(0x7F)
	cut(0xBF)
	for _, r := range rows {
		for _, x := range r {
			cut(x.last)
		}
	}
	for b := 1; b < len(after); b++ {
		after[b] += after[b-1]
	}
	c := &classes{runs: runs(&after, nil), count: 2}
	c.of = make([]uint8, len(c.runs))
	for i, last := range c.runs {
		if isContinuation(last) {
			c.of[i] = 1
		}
	}
	return c
}

// all calls f with every run, and its target in r.
func (c *classes) all(r row, f func(i int, to uint32)) {
	i := 0
	for _, x := range r {
		for ; i < len(c.runs) && c.runs[i] <= x.last; i++ {
			f(i, x.to)
		}
	}
}

// split divides the classes that r distinguishes.
func (c *classes) split(r row) {
	var first [256]uint32 // by class: one more than the target of its first run
	same := true
	c.all(r, func(i int, to uint32) {
		switch k := c.of[i]; first[k] {
		case 0:
			first[k] = to + 1
		case to + 1:
		default:
			same = false
		}
	})
	if same {
		return
	}
	type part struct {
		class uint8
		to    uint32
	}
	parts := map[part]uint8{}
	c.all(r, func(i int, to uint32) {
		p := part{c.of[i], to}
		k, ok := parts[p]
		if !ok {
			k = uint8(len(parts))
			parts[p] = k
		}
		c.of[i] = k
	})
	c.count = len(parts)
}
