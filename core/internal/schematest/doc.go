// Package schematest holds the tests that compare the texts that random JSON Schemas accept with readers of values: in
// JSON, and in the styles of models' arguments.
//
// Invariant: expected results come from a reader that knows nothing of grammars. The package exports nothing. Start
// reading at schemas_test.go.
package schematest
