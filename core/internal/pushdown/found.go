package pushdown

// found holds what closures have gathered. Each list is a stack: nested closures work above each other.
type found struct {
	items    []Item
	booleans []BooleanItem
	ends     []nodeID // see scope.go
	predictions
}

// level is the heights of the stacks.
type level struct{ items, booleans, ends, calls int }

func (f *found) level() level { return level{len(f.items), len(f.booleans), len(f.ends), len(f.calls)} }

func (f *found) cut(l level) {
	f.items, f.booleans, f.ends, f.calls = f.items[:l.items], f.booleans[:l.booleans], f.ends[:l.ends], f.calls[:l.calls]
}

// prediction is a rule that a closure is going to run, and a node that waits for it.
type prediction struct {
	rank, rule uint32
	k          nodeID
}

func (p prediction) before(q prediction) bool {
	return p.rank < q.rank || p.rank == q.rank && p.rule < q.rule
}

// predictions is a stack of heaps, one for each closure that is being made. The prediction of least rank comes first,
// so all that waits for a rule is known before the rule runs.
type predictions struct {
	calls []prediction
	nodes []nodeID // the nodes that wait for the rule taken last
}

// add adds c to the heap calls[first:].
func (p *predictions) add(c prediction, first int) {
	p.calls = append(p.calls, c)
	heap := p.calls[first:]
	for i := len(heap) - 1; i > 0 && heap[i].before(heap[(i-1)/2]); i = (i - 1) / 2 {
		heap[i], heap[(i-1)/2] = heap[(i-1)/2], heap[i]
	}
}

// take removes all predictions of the first rule in the heap calls[first:]. It returns the rule and the nodes that wait
// for it. The next call overwrites the nodes.
func (p *predictions) take(first int) (rule uint32, ks []nodeID) {
	rule, p.nodes = p.calls[first].rule, p.nodes[:0]
	for len(p.calls) > first && p.calls[first].rule == rule {
		p.nodes = append(p.nodes, p.calls[first].k)
		last := len(p.calls) - 1
		p.calls[first] = p.calls[last]
		p.calls = p.calls[:last]
		sink(p.calls[first:])
	}
	return rule, p.nodes
}

// sink moves the first element of a heap to its place.
func sink(heap []prediction) {
	for i := 0; ; {
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
