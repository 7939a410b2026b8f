package oracle

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// automaton is the minimal complete deterministic automaton of a tree, built operator by operator: products for the
// boolean ones, subset construction for the rest, and a minimisation after each. Immutable once built.
type automaton struct {
	next   [][]int // state → byte class → state
	accept []tags
	live   []tags // the tags that some continuation can still carry at its end; none: the state is dead
}

// maxStates bounds one automaton. A JSON string takes about 30 states, a text of 128 counted code points 1,000.
const maxStates = 30_000

// builder builds the automata of one expression over the byte classes that the whole expression distinguishes.
type builder struct {
	class   [256]int
	classes []byte // a byte of each class
	done    map[*tree]*automaton
}

func newBuilder(t *tree) *builder {
	b := &builder{done: map[*tree]*automaton{}}
	// Bytes that no set of the expression distinguishes have the same signature.
	var sig [256][]byte
	seen := map[*tree]bool{}
	var visit func(t *tree)
	split := func(set *[256]bool) {
		for c := range sig {
			if set[c] {
				sig[c] = append(sig[c], 1)
			} else {
				sig[c] = append(sig[c], 0)
			}
		}
	}
	visit = func(t *tree) {
		if seen[t] {
			return
		}
		seen[t] = true
		switch t.op {
		case opSet:
			split(&t.set)
		case opScan:
			for _, p := range t.scan {
				visit(literal(p.Text))
			}
			visit(anyRune(terminal.UTF8))
			visit(one(mark))
		case opGiven:
			set := t.given.Bytes()
			for c := set.Next(0); c < 256; c = set.Next(c + 1) {
				var one [256]bool
				one[c] = true
				split(&one)
			}
		case opCounted:
			visit(anyRune(t.enc))
		}
		for _, a := range t.args {
			visit(a)
		}
	}
	visit(t)
	ids := map[string]int{}
	for c := range sig {
		id, ok := ids[string(sig[c])]
		if !ok {
			id = len(b.classes)
			ids[string(sig[c])] = id
			b.classes = append(b.classes, byte(c))
		}
		b.class[c] = id
	}
	return b
}

// run is a set of positions in other automata, the state of one under construction.
type run []int

func (r run) key() string {
	b := make([]byte, 0, len(r)*4)
	for _, x := range r {
		b = binary.LittleEndian.AppendUint32(b, uint32(x))
	}
	return string(b)
}

// build explores from start: step returns the state after a class, accept the tags that a state carries.
func (b *builder) build(start run, step func(run, int) run, accept func(run) tags) *automaton {
	a := &automaton{}
	ids := map[string]int{}
	var states []run
	id := func(r run) int {
		k := r.key()
		if n, ok := ids[k]; ok {
			return n
		}
		if len(states) >= maxStates {
			panic(TooBig{"an automaton has too many states"})
		}
		ids[k] = len(states)
		states = append(states, r)
		return len(states) - 1
	}
	id(start)
	for n := 0; n < len(states); n++ {
		row := make([]int, len(b.classes))
		for c := range row {
			row[c] = id(step(states[n], c))
		}
		a.next = append(a.next, row)
		a.accept = append(a.accept, accept(states[n]))
	}
	return a.minimise()
}

// minimise merges states that no continuation distinguishes, by refining the partition until it is stable.
func (a *automaton) minimise() *automaton {
	part := make([]int, len(a.next))
	count := renumber(part, func(n int) string { return run(toInts(a.accept[n])).key() })
	for {
		c := renumber(part, func(n int) string {
			r := run{part[n]}
			for _, m := range a.next[n] {
				r = append(r, part[m])
			}
			return r.key()
		})
		if c == count {
			break
		}
		count = c
	}
	m := &automaton{next: make([][]int, count), accept: make([]tags, count)}
	for n, p := range part {
		if m.next[p] == nil {
			m.accept[p] = a.accept[n]
			for _, t := range a.next[n] {
				m.next[p] = append(m.next[p], part[t])
			}
		}
	}
	return m
}

// renumber gives states with equal keys equal numbers, in order of first appearance, so that state 0 stays the start.
func renumber(part []int, key func(n int) string) int {
	ids := map[string]int{}
	fresh := make([]int, len(part))
	for n := range part {
		k := key(n)
		id, ok := ids[k]
		if !ok {
			id = len(ids)
			ids[k] = id
		}
		fresh[n] = id
	}
	copy(part, fresh)
	return len(ids)
}

func toInts(t tags) []int {
	out := make([]int, len(t))
	for i, x := range t {
		out[i] = int(x)
	}
	return out
}

// automaton returns the automaton of t, building it first.
func (b *builder) automaton(t *tree) *automaton {
	if a, ok := b.done[t]; ok {
		return a
	}
	a := b.make(t)
	b.done[t] = a
	return a
}

func (b *builder) make(t *tree) *automaton {
	switch t.op {
	case opEmpty:
		return b.word(nil, nil)
	case opEpsilon:
		return b.word(nil, tags{bare})
	case opTag:
		return b.word(nil, tags{t.tag})
	case opSet:
		return b.word(&t.set, tags{bare})
	case opConcat:
		// From the right, so that each step joins one piece to its continuation.
		a := b.word(nil, tags{bare})
		for _, x := range slices.Backward(t.args) {
			a = b.concat(b.automaton(x), a)
		}
		return a
	case opOr:
		return b.product(b.all(t.args), func(a, x tags) tags { return a.union(x) }, nil)
	case opAnd:
		return b.product(b.all(t.args), func(a, x tags) tags { return a.meet(x) }, tags{bare})
	case opNot:
		return b.product(b.all(t.args), func(_, x tags) tags {
			if len(x) > 0 {
				return nil
			}
			return tags{bare}
		}, nil)
	case opRepeat:
		return b.repeat(b.automaton(t.args[0]), t.min, t.max)
	case opCounted:
		counted := &tree{op: opRepeat, args: []*tree{anyRune(t.enc)}, min: t.min, max: t.max}
		return b.automaton(&tree{op: opAnd, args: []*tree{t.args[0], counted}})
	case opScan:
		return b.scan(t)
	case opGiven:
		return b.given(t)
	}
	panic("oracle: unknown tree op")
}

// given explores a machine. It computes anew which states can be completed.
func (b *builder) given(t *tree) *automaton {
	const dead = -1
	names := []string{t.state}
	ids := map[string]int{t.state: 0}
	return b.build(run{0}, func(r run, c int) run {
		if r[0] == dead {
			return run{dead}
		}
		next, ok := t.given.Step(names[r[0]], b.classes[c])
		if !ok {
			return run{dead}
		}
		id, known := ids[next]
		if !known {
			id = len(names)
			ids[next], names = id, append(names, next)
		}
		return run{id}
	}, func(r run) tags {
		if r[0] != dead && t.given.Accepts(names[r[0]]) {
			return tags{bare}
		}
		return nil
	})
}

func (b *builder) all(ts []*tree) []*automaton {
	var as []*automaton
	for _, t := range ts {
		as = append(as, b.automaton(t))
	}
	return as
}

// word matches one byte of set, or nothing but the empty string if set is nil, and carries g then.
func (b *builder) word(set *[256]bool, g tags) *automaton {
	const start, end, dead = 0, 1, 2
	return b.build(run{start}, func(r run, c int) run {
		if r[0] == start && set != nil && set[b.classes[c]] {
			return run{end}
		}
		return run{dead}
	}, func(r run) tags {
		if r[0] == start && set == nil || r[0] == end {
			return g
		}
		return nil
	})
}

// product runs automata side by side and folds their tags.
func (b *builder) product(as []*automaton, fold func(a, x tags) tags, zero tags) *automaton {
	return b.build(make(run, len(as)), func(r run, c int) run {
		next := make(run, len(r))
		for i, n := range r {
			next[i] = as[i].next[n][c]
		}
		return next
	}, func(r run) tags {
		g := zero
		for i, n := range r {
			g = fold(g, as[i].accept[n])
		}
		return g
	})
}

// concat returns the automaton of x followed by y: its states are pairs of a state of x and a set of states of y. Tags
// end a terminal, so tags of x matter only if y adds nothing.
func (b *builder) concat(x, y *automaton) *automaton {
	for _, g := range x.accept {
		if len(g) > 0 && !slices.Equal(g, tags{bare}) && len(y.next) > 2 {
			panic("oracle: a tag stands inside a terminal, not at its end")
		}
	}
	enter := func(r run) run {
		if len(x.accept[r[0]]) > 0 && !slices.Contains(r[1:], 0) {
			r = append(r, 0)
		}
		slices.Sort(r[1:])
		return r
	}
	return b.build(enter(run{0}), func(r run, c int) run {
		next := run{x.next[r[0]][c]}
		for _, n := range r[1:] {
			if m := y.next[n][c]; !slices.Contains(next[1:], m) {
				next = append(next, m)
			}
		}
		return enter(next)
	}, func(r run) tags {
		var g tags
		for _, n := range r[1:] {
			g = g.union(y.accept[n])
		}
		if h := x.accept[r[0]]; len(h) > 0 && len(y.accept[0]) > 0 && !slices.Equal(h, tags{bare}) {
			return h.meet(y.accept[0])
		}
		return g
	})
}

// repeat is x min..max times: a run is a set of (rounds finished, state of x).
func (b *builder) repeat(x *automaton, least, most uint32) *automaton {
	switch {
	case least > most:
		return b.word(nil, nil)
	case most == 0:
		return b.word(nil, tags{bare})
	case least == 0:
		// No round differs from a round that returned to its start.
		return b.product([]*automaton{b.word(nil, tags{bare}), b.repeat(x, 1, most)},
			func(a, y tags) tags { return a.union(y) }, nil)
	}
	// Rounds past the last bound that matters are equal.
	top := int(least)
	if most != terminal.Unbounded {
		top = int(most)
	}
	if top > maxStates {
		panic(TooBig{"a repetition count"})
	}
	size := len(x.next)
	nullable := len(x.accept[0]) > 0
	settle := func(r run) run {
		// A finished round may begin the next one.
		for i := 0; i < len(r); i++ {
			n, s := r[i]/size, r[i]%size
			if len(x.accept[s]) == 0 || most != terminal.Unbounded && n+1 >= top {
				continue
			}
			if begin := min(n+1, top) * size; !slices.Contains(r, begin) {
				r = append(r, begin)
			}
		}
		slices.Sort(r)
		return r
	}
	return b.build(settle(run{0}), func(r run, c int) run {
		var next run
		for _, p := range r {
			if q := p/size*size + x.next[p%size][c]; !slices.Contains(next, q) {
				next = append(next, q)
			}
		}
		return settle(next)
	}, func(r run) tags {
		for _, p := range r {
			n, done := p/size, len(x.accept[p%size]) > 0
			if done && (n+1 >= int(least) || nullable) {
				return tags{bare}
			}
		}
		return nil
	})
}

// scan reads free text: a run is the longest end of the text that begins a pattern, and the bytes of an unfinished code
// point; it is over when a pattern has been read.
func (b *builder) scan(t *tree) *automaton {
	const dead, over, going = 0, 1, 2
	patterns := t.scan
	begins := func(tail []byte) bool {
		return slices.ContainsFunc(patterns, func(p terminal.ScanPattern) bool {
			return strings.HasPrefix(p.Text,
				string(tail))
		})
	}
	encode := func(kind int, tail, partial []byte) run {
		r := run{kind, len(partial)}
		for _, x := range slices.Concat(partial, tail) {
			r = append(r, int(x))
		}
		return r
	}
	decode := func(r run) (tail, partial []byte) {
		for _, x := range r[2:] {
			tail = append(tail, byte(x))
		}
		return tail[r[1]:], tail[:r[1]]
	}
	return b.build(encode(going, nil, nil), func(r run, c int) run {
		if r[0] != going {
			return encode(dead, nil, nil)
		}
		tail, partial := decode(r)
		tail, partial = join(tail, b.classes[c:c+1]), join(partial, b.classes[c:c+1])
		switch {
		case !t.isText(partial, true):
			return encode(dead, nil, nil)
		case t.isText(partial, false):
			partial = nil
		}
		for _, p := range patterns {
			if bytes.HasSuffix(tail, []byte(p.Text)) {
				return encode(over, tail, partial)
			}
		}
		for len(tail) > 0 && !begins(tail) {
			tail = tail[1:]
		}
		return encode(going, tail, partial)
	}, func(r run) tags {
		tail, partial := decode(r)
		switch {
		case r[0] == dead || len(partial) > 0:
			return nil
		case r[0] == going:
			return tags{terminal.ScanEnd}
		}
		return ending(patterns, tail)
	})
}

// enliven computes the tags that each state may still reach.
func (a *automaton) enliven() {
	a.live = slices.Clone(a.accept)
	for changed := true; changed; {
		changed = false
		for n := range a.next {
			g := a.live[n]
			for _, m := range a.next[n] {
				g = g.union(a.live[m])
			}
			if len(g) > len(a.live[n]) {
				a.live[n], changed = g, true
			}
		}
	}
}

// machine is the automaton of an expression over bytes.
type machine struct {
	class [256]int
	*automaton
}

func newMachine(t *tree) *machine {
	b := newBuilder(t)
	m := &machine{class: b.class, automaton: b.automaton(t)}
	m.enliven()
	return m
}

// from returns the ends of matches that start at text[i:], and the tags of matches that begin with all of it.
func (m *machine) from(text []byte, i int) (ends, tags) {
	out, n := ends{}, 0
	for j := i; ; j++ {
		if len(m.accept[n]) > 0 {
			out[j] = m.accept[n]
		}
		if j == len(text) || len(m.live[n]) == 0 {
			break
		}
		n = m.next[n][m.class[text[j]]]
	}
	return out, m.live[n]
}
