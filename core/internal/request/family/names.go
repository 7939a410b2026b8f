package family

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/limits"
)

// CheckName returns the error in a tool's name, or "": it must be readable in every family.
func CheckName(s string) string {
	if s == "" || len(s) > limits.ToolName {
		return fmt.Sprintf("the name of a tool must have 1 to %d bytes, not %d", limits.ToolName, len(s))
	}
	wrong := func(c rune) bool { return c <= ' ' || c == 0x7F || strings.ContainsRune(`"\<>&|$`, c) }
	if strings.ContainsFunc(s, wrong) {
		return `the name of a tool must not contain spaces, control characters or any of " \ < > & | $`
	}
	return ""
}

// checkNames refuses tools whose names the family's readers would not find again.
func (b *builder) checkNames() {
	if b.f.Names == "" {
		return
	}
	names := regexp.MustCompile(`^(?:` + b.f.Names + `)$`)
	for i := range b.use.Tools {
		if n := b.use.Tools[i].Name; !names.MatchString(n) {
			b.failTool(&b.use.Tools[i], "the name of a tool must match %s in the family %s, but %q does not; rename "+
				"the tool", b.f.Names, b.f.Name, n)
		}
	}
}
