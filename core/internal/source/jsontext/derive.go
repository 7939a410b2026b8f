package jsontext

// Derived nodes are values outside of documents, built from nodes of documents: an object with some members of
// another, an array of values from several places, a copy of a subtree. Each has an origin, a node of a document, and
// reports that node's place and text.

// Origin returns the origin of a derived node, id itself for a node of a document.
func (t *Tree) Origin(id ID) ID {
	for t.nodes[id].origin != 0 {
		id = t.nodes[id].origin
	}
	return id
}

// Select returns an object with origin from and the members of from that keep names. It shares the members' values,
// whose parent is still from.
func (t *Tree) Select(from ID, keep func(key string) bool) ID {
	id := t.derive(from, Object)
	last := ID(0)
	for c := t.nodes[from].First; c != 0; c = t.nodes[c].Next {
		if keep(t.nodes[c].Key) {
			last = t.append(id, last, t.alias(c))
		}
	}
	return id
}

// NewObject returns an empty object with origin from. Put adds members.
func (t *Tree) NewObject(from ID) ID { return t.derive(from, Object) }

// NewArray returns an array with origin from and the given elements, whose contents are shared.
func (t *Tree) NewArray(from ID, elements ...ID) ID {
	id := t.derive(from, Array)
	last := ID(0)
	for _, e := range elements {
		last = t.append(id, last, t.alias(e))
	}
	return id
}

// NewBool returns a boolean with origin from.
func (t *Tree) NewBool(from ID, value bool) ID {
	if value {
		return t.derive(from, True)
	}
	return t.derive(from, False)
}

// NewNull returns a null with origin from.
func (t *Tree) NewNull(from ID) ID { return t.derive(from, Null) }

// NewNumber returns a number with origin from.
func (t *Tree) NewNumber(from ID, text string) ID {
	id := t.derive(from, Number)
	t.nodes[id].Text = text
	return id
}

// NewString returns a string with origin from.
func (t *Tree) NewString(from ID, text string) ID {
	id := t.derive(from, String)
	t.nodes[id].Text = text
	return id
}

// Put adds a member to a derived object and shares its value's contents.
func (t *Tree) Put(object ID, key string, value ID) {
	last := t.nodes[object].First
	for last != 0 && t.nodes[last].Next != 0 {
		last = t.nodes[last].Next
	}
	m := t.alias(value)
	t.nodes[m].Key = key
	t.append(object, last, m)
}

// PutAll adds a member with the same value for each key.
func (t *Tree) PutAll(object ID, keys []string, value ID) {
	last := t.nodes[object].First
	for last != 0 && t.nodes[last].Next != 0 {
		last = t.nodes[last].Next
	}
	for _, key := range keys {
		m := t.alias(value)
		t.nodes[m].Key = key
		last = t.append(object, last, m)
	}
}

// Clone returns a copy of the subtree at from, a node of a document, and its size: the copy of node from + k is root +
// k.
func (t *Tree) Clone(from ID) (root ID, size int) {
	end := from + 1
	for end < t.read && t.nodes[end].Parent >= from {
		end++
	}
	root = ID(len(t.nodes))
	shift := root - from
	for id := from; id < end; id++ {
		n := t.nodes[id]
		n.origin = id
		if id != from {
			n.Parent += shift
		}
		if n.First != 0 {
			n.First += shift
		}
		switch {
		case id == from:
			n.Next = 0
		case n.Next != 0:
			n.Next += shift
		}
		t.nodes = append(t.nodes, n)
	}
	return root, int(end - from)
}

// Part returns the value at id, a node of a document, as the root of a new document.
func (t *Tree) Part(id ID) (part *Tree, root ID) {
	end := id
	for ; end != 0 && t.nodes[end].Next == 0; end = t.nodes[end].Parent {
	}
	if end = t.nodes[end].Next; end == 0 {
		end = t.read
	}
	whole := t.nodes[id:end]
	part = &Tree{Work: t.Work, read: ID(1 + len(whole)), nodes: make([]Node, 1, 1+len(whole))}
	part.docs = []document{{1, t.Raw(id)}}
	shift, start := id-1, whole[0].start
	for _, n := range whole {
		n.Parent -= shift
		n.start, n.end = n.start-start, n.end-start
		if n.First != 0 {
			n.First -= shift
		}
		if n.Next != 0 {
			n.Next -= shift
		}
		part.nodes = append(part.nodes, n)
	}
	part.nodes[1].Key, part.nodes[1].Parent, part.nodes[1].Next = "", 0, 0
	return part, 1
}

func (t *Tree) derive(from ID, k Kind) ID {
	n := t.nodes[from]
	t.nodes = append(t.nodes, Node{Key: n.Key, Parent: n.Parent, origin: from, Kind: k, start: n.start, end: n.end})
	return ID(len(t.nodes) - 1)
}

func (t *Tree) alias(id ID) ID {
	n := t.nodes[id]
	n.Next, n.origin = 0, id
	t.nodes = append(t.nodes, n)
	return ID(len(t.nodes) - 1)
}

func (t *Tree) append(container, last, element ID) ID {
	t.nodes[element].Parent = container
	if last == 0 {
		t.nodes[container].First = element
	} else {
		t.nodes[last].Next = element
	}
	t.nodes[container].Count++
	return element
}
