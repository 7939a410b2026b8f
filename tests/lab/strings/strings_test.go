package main

import "testing"

// A short search with the committed vocabulary finds nothing.
func TestShort(t *testing.T) {
	ok, err := run("small", 1, 40, 0)
	if err != nil {
		t.Fatal(err)
	}
	if !ok {
		t.Fatal("a constraint compiles and cannot be served")
	}
}
