package diag_test

import (
	"fmt"

	"github.com/sluice-engine/sluice/core/internal/diag"
)

// An error is complete: code, place, keyword, the broken rule and the offending text.
func ExampleError() {
	e := diag.Errorf(diag.Invalid, "json_schema", diag.At("/properties/a"), "a length is at least 0")
	e.Keyword, e.Fragment = "minLength", diag.Shorten(`{"minLength": -1}`, 12)
	fmt.Println(e.Code, "|", e)
	// Output:
	// invalid | json_schema:/properties/a: minLength: a length is at least 0 (near `{"minLength"…`)
}
