package dump

import (
	"fmt"
	"io"
)

// disagreements is the number of tokens that Agreement lists.
const disagreements = 20

// Agreement compares a mask with a trial of every token and writes the tokens on which they differ. Each of these is a
// bug in the engine. texts holds the tokens' spellings by id.
func Agreement(w io.Writer, mask []uint32, texts [][]byte, accepts func(id int32) (bool, error)) error {
	fmt.Fprintln(w, "== mask against trying every token ==")
	n := 0
	for id, text := range texts {
		accepted, err := accepts(int32(id))
		if err != nil {
			return err
		}
		if allowed := mask[id>>5]>>(id&31)&1 == 1; allowed == accepted {
			continue
		}
		if n++; n > disagreements {
			continue
		}
		says := "allowed, but not accepted"
		if accepted {
			says = "not allowed, but accepted"
		}
		fmt.Fprintf(w, "  %d %q is %s\n", id, text, says)
	}
	switch {
	case n == 0:
		fmt.Fprintln(w, "  the same")
	case n > disagreements:
		fmt.Fprintf(w, "  and %d more\n", n-disagreements)
	}
	return nil
}
