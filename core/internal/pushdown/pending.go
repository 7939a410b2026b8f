package pushdown

// The rules that a closure is going to predict lie on a stack, a part of it for each closure that is going on, and the
// one of the least rank is next. There are mostly a handful, among which it is looked for one by one. Where there are
// many, as with a rule of ten thousand alternatives, their part of the stack is a heap, and a rule may be in it more
// than once: what waits for it is put together when it is taken out.

// pendingHeap is from how many rules on they are a heap.
const pendingHeap = 32

func (c pendingCall) before(d pendingCall) bool {
	return c.rank < d.rank || c.rank == d.rank && c.rule < d.rule
}

// addPending adds a call to those from index first on.
func (a *Automaton) addPending(c pendingCall, first int) {
	a.pending = append(a.pending, c)
	heap := a.pending[first:]
	switch i := len(heap) - 1; {
	case len(heap) == pendingHeap:
		for j := len(heap)/2 - 1; j >= 0; j-- {
			sink(heap, j)
		}
	case len(heap) > pendingHeap:
		for ; i > 0 && heap[i].before(heap[(i-1)/2]); i = (i - 1) / 2 {
			heap[i], heap[(i-1)/2] = heap[(i-1)/2], heap[i]
		}
	}
}

// takePending takes the first call out of those from index first on, with all that waits for its rule.
func (a *Automaton) takePending(first int) pendingCall {
	c := a.takeOne(first)
	for len(a.pending) > first {
		i := a.leastPending(first)
		if a.pending[i].rule != c.rule {
			break
		}
		d := a.takeOne(first)
		c.more = append(append(c.more, d.k), d.more...)
	}
	if c.more != nil {
		c.k, c.more = a.unite(append(c.more, c.k)), nil
	}
	return c
}

// leastPending returns the index of the call that is next.
func (a *Automaton) leastPending(first int) int {
	best := first
	if len(a.pending)-first < pendingHeap {
		for i := first + 1; i < len(a.pending); i++ {
			if a.pending[i].before(a.pending[best]) {
				best = i
			}
		}
	}
	return best
}

func (a *Automaton) takeOne(first int) pendingCall {
	best := a.leastPending(first)
	c := a.pending[best]
	last := len(a.pending) - 1
	a.pending[best] = a.pending[last]
	a.pending = a.pending[:last]
	if last-first >= pendingHeap {
		sink(a.pending[first:], 0)
	}
	return c
}

// sink moves the call at index i of a heap down to where it belongs.
func sink(heap []pendingCall, i int) {
	for {
		least := i
		for j := 2*i + 1; j <= 2*i+2 && j < len(heap); j++ {
			if heap[j].before(heap[least]) {
				least = j
			}
		}
		if least == i {
			return
		}
		heap[i], heap[least] = heap[least], heap[i]
		i = least
	}
}
