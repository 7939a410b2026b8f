package diag_test

import (
	"fmt"

	"github.com/sluice-engine/sluice/core/internal/diag"
)

// An error is complete by itself: code, place, keyword, the rule that is broken, and what stands there.
func ExampleError() {
	e := diag.Errorf(diag.Invalid, "json_schema", diag.At("/properties/a"), "a length is at least 0")
	e.Keyword, e.Fragment = "minLength", diag.Shorten(`{"minLength": -1}`, 12)
	fmt.Println(e.Code, "|", e)
	// Output:
	// invalid | json_schema:/properties/a: minLength: a length is at least 0 (near `{"minLength"…`)
}
