package structag

import (
	"sync"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// schemaKey tells contents apart: the schema's text and the options it is read with.
type schemaKey struct {
	text              string
	anyOrder, compact bool
	blanks            int // longest gap, 0: as the options say
}

// content is a JSON schema inside a document, checked but not yet lowered. Tools often share one, so equal ones are one.
type content struct {
	checked *jsonschema.Checked
	pointer string // of its first occurrence

	lowering sync.Mutex // a Checked is lowered by one goroutine at a time
}

// lower makes the rules of the schema.
func (c *content) lower(st *terminal.Store) (*grammar.Grammar, error) {
	c.lowering.Lock()
	defer c.lowering.Unlock()
	g, err := c.checked.Lower(st)
	return g, within(err, c.pointer)
}

// schema reads and checks the schema id.
func (r *reader) schema(id jsontext.ID, path string, key schemaKey) (*content, error) {
	key.text = r.tree.Raw(id)
	return r.schemaText(path, key)
}

// legacySchema reads the schema of a structure, which may also be written as a string that holds JSON.
func (r *reader) legacySchema(id jsontext.ID, path string) (*content, error) {
	if n := r.tree.Node(id); n.Kind == jsontext.String {
		return r.schemaText(path, schemaKey{text: n.Text})
	}
	return r.schema(id, path, schemaKey{})
}

func (r *reader) schemaText(path string, key schemaKey) (*content, error) {
	if c, ok := r.schemas[key]; ok {
		return c, nil
	}
	o := r.o
	if key.anyOrder || key.compact || key.blanks > 0 {
		changed := *r.o
		changed.AnyOrder = changed.AnyOrder || key.anyOrder
		changed.Compact = changed.Compact || key.compact
		if key.blanks > 0 {
			changed.MaxWhitespace = key.blanks
		}
		o = &changed
	}
	checked, err := jsonschema.Check([]byte(key.text), o)
	if err != nil {
		return nil, within(err, path)
	}
	for _, n := range checked.Notes() {
		if len(r.notes) == limits.TagNotes {
			break
		}
		n.Pointer = path + n.Pointer
		r.notes = append(r.notes, n)
	}
	c := &content{checked: checked, pointer: path}
	r.schemas[key] = c
	return c, nil
}
