// Package jsontext reads JSON into an ordered tree with places.
//
// Unlike encoding/json it keeps the order of keys, rejects repeated keys, and keeps numbers as text. It computes the
// JSON pointer of a node on request. Several documents may share one Tree.
//
// Invariant: every node but a document's root has a parent with a smaller ID, so a walk towards the root ends. Start
// reading at Tree.Read.
package jsontext

import (
	"iter"
	"strconv"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/work"
)

// ID identifies a node of one Tree; zero is no node.
type ID uint32

// Kind is the kind of a node.
type Kind uint8

// The kinds of JSON value. False and True are separate kinds, so that a boolean needs no payload.
const (
	Null Kind = iota + 1
	False
	True
	Number
	String
	Array
	Object
)

var kindNames = [...]string{"nothing", "null", "a boolean", "a boolean", "a number", "a string", "an array", "an " +
	"object"}

// String names the kind for error messages ("a string").
func (k Kind) String() string { return kindNames[k] }

// Node is one JSON value. Only the reader changes its fields.
type Node struct {
	Key    string // decoded name, if the parent is an object
	Text   string // String: decoded text; Number: the text as written
	Parent ID
	First  ID
	Next   ID
	Count  uint32
	start  uint32 // the value's bytes in its document
	end    uint32
	origin ID // origin of a derived node; see derive.go
	Kind   Kind
}

// Tree is an arena of nodes. One goroutine changes it by Read, by deriving nodes and by Remove. Afterwards it is
// immutable and may be shared.
type Tree struct {
	Work *work.Meter // of the compilation that reads; nil counts nothing

	nodes []Node
	read  ID // the first node outside of documents
	docs  []document
	stack []frame
}

type document struct {
	root ID
	text string
}

// Node returns the node id, which must be valid. The pointer is valid until the next Read.
func (t *Tree) Node(id ID) *Node { return &t.nodes[id] }

// Kind returns the kind of id.
func (t *Tree) Kind(id ID) Kind { return t.nodes[id].Kind }

// Len returns the number of nodes plus one: every valid ID is below it.
func (t *Tree) Len() int { return len(t.nodes) }

// Children returns the elements or members of id, in order.
func (t *Tree) Children(id ID) iter.Seq[ID] { return t.From(t.nodes[id].First) }

// From returns a node and the siblings after it, none for 0.
func (t *Tree) From(c ID) iter.Seq[ID] {
	return func(yield func(ID) bool) {
		for ; c != 0 && yield(c); c = t.nodes[c].Next {
		}
	}
}

// Get returns the object's member with a key, or zero. It takes time linear in the number of members.
func (t *Tree) Get(object ID, key string) ID {
	n := &t.nodes[object]
	if n.Kind != Object {
		return 0
	}
	for c := n.First; c != 0; c = t.nodes[c].Next {
		if t.nodes[c].Key == key {
			return c
		}
	}
	return 0
}

// Remove removes a member from its object. The member keeps its place.
func (t *Tree) Remove(member ID) {
	up := &t.nodes[t.nodes[member].Parent]
	link := &up.First
	for *link != member {
		link = &t.nodes[*link].Next
	}
	*link = t.nodes[member].Next
	up.Count--
}

// At returns element i of the array, or zero.
func (t *Tree) At(array ID, i int) ID {
	n := &t.nodes[array]
	if n.Kind != Array || i < 0 {
		return 0
	}
	c := n.First
	for ; c != 0 && i > 0; i-- {
		c = t.nodes[c].Next
	}
	return c
}

// Root returns the root of id's document.
func (t *Tree) Root(id ID) ID {
	id = t.Origin(id)
	lo, hi := 0, len(t.docs)
	for hi-lo > 1 {
		mid := (lo + hi) / 2
		if t.docs[mid].root <= id {
			lo = mid
		} else {
			hi = mid
		}
	}
	return t.docs[lo].root
}

// Raw returns the text of id as written.
func (t *Tree) Raw(id ID) string {
	id = t.Origin(id)
	root := t.Root(id)
	for i := range t.docs {
		if t.docs[i].root == root {
			return t.docs[i].text[t.nodes[id].start:t.nodes[id].end]
		}
	}
	return ""
}

// Pointer returns the JSON pointer (RFC 6901) of id within its document.
func (t *Tree) Pointer(id ID) string {
	var path []ID
	size := 0
	for id = t.Origin(id); id != 0 && t.nodes[id].Parent != 0; id = t.Origin(t.nodes[id].Parent) {
		path = append(path, id)
		size += len(t.nodes[id].Key) + 4
	}
	var b strings.Builder
	b.Grow(size)
	for i := len(path) - 1; i >= 0; i-- {
		b.WriteByte('/')
		n := &t.nodes[path[i]]
		up := t.Origin(n.Parent)
		if t.nodes[up].Kind == Object {
			b.WriteString(EscapePointer(n.Key))
			continue
		}
		index := 0
		for c := t.nodes[up].First; c != path[i]; c = t.nodes[c].Next {
			index++
		}
		b.WriteString(strconv.Itoa(index))
	}
	return b.String()
}

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// EscapePointer returns key as a reference token of a JSON pointer.
func EscapePointer(key string) string {
	if !strings.ContainsAny(key, "~/") {
		return key
	}
	return pointerEscapes.Replace(key)
}

// Resolve follows a JSON pointer from node from, or returns zero. It unescapes tokens; percent-encoding is the
// caller's.
func (t *Tree) Resolve(from ID, pointer string) ID {
	for pointer != "" && from != 0 {
		if pointer[0] != '/' {
			return 0
		}
		token := pointer[1:]
		if i := strings.IndexByte(token, '/'); i >= 0 {
			token, pointer = token[:i], token[i:]
		} else {
			pointer = ""
		}
		if strings.IndexByte(token, '~') >= 0 {
			token = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
		}
		switch t.nodes[from].Kind {
		case Object:
			from = t.Get(from, token)
		case Array:
			i, err := strconv.Atoi(token)
			if err != nil || token != strconv.Itoa(i) {
				return 0
			}
			from = t.At(from, i)
		default:
			return 0
		}
	}
	return from
}
