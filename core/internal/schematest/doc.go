// Package schematest holds the tests that compare what random JSON Schemas let through with readers of values: in JSON,
// and in the styles in which models write arguments.
//
// Invariant: what is expected comes from a reader that knows nothing of grammars. It has no code of its own that could be
// imported. Start reading at schemas_test.go.
package schematest
