package schema_test

import (
	"fmt"

	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/jsonschema/schema"
)

// A schema is read once, before its nodes are examined.
func ExampleRead() {
	r, err := schema.Read([]byte(`{
		"$schema": "http://json-schema.org/draft-07/schema",
		"properties": {"a": {"$ref": "#/definitions/name"}},
		"definitions": {"name": {"type": "string", "maxLenght": 3}}
	}`), &source.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	a := r.Tree.Resolve(r.Root, "/properties/a")
	target := r.Resolve(r.Tree.Get(a, "$ref"))
	r.NoteKeys(target, r.DialectAt(target))
	fmt.Println(r.Pointer(target), r.DialectAt(target) == schema.Draft7)
	fmt.Println(r.Notes[0].Pointer, r.Notes[0].Text)
	// Output:
	// /definitions/name true
	// /definitions/name/maxLenght there is no such keyword, so this is ignored; did you mean maxLength?
}
