package jsontext_test

import (
	"fmt"

	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// Every node has its place, and nothing of the text is lost.
func ExampleTree() {
	var t jsontext.Tree
	root, err := t.Read([]byte(`{"b": [1, 2.50], "a": null}`), "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	list := t.Get(root, "b")
	fmt.Println(t.Pointer(t.At(list, 1)), t.Raw(t.At(list, 1)), t.Node(t.Node(root).First).Key)
	_, err = t.Read([]byte(`{"a": 1, "a": 2}`), "example")
	fmt.Println(err)
	// Output:
	// /b/1 2.50 b
	// example:/a: the key "a" is given twice in one object; remove one of the two (near `2}`)
}
