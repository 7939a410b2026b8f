package pushdown

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// Objects in any order have one register for each set of keys so far, in whichever order the keys came. Registers and
// sets are counted.
func TestRegistersAreCounted(t *testing.T) {
	const n = 5
	st := terminal.NewStore()
	names := make([]string, n)
	object := grammar.Object{
		Open: st.Literal("{"), Close: st.Literal("}"), Comma: st.Literal(","), Quote: st.Literal(`"`),
		Colon: st.Literal(":"), MaxMembers: grammar.Unbounded, AnyOrder: true,
	}
	for i := range names {
		names[i] = string(rune('a' + i))
		object.Properties = append(object.Properties, grammar.Property{Value: grammar.T(st.Literal("1"))})
	}
	object.Keys = st.Keys(names, terminal.JSONString, st.Literal(`"`))
	g := grammar.New()
	g.Start = g.NewRule("s")
	g.Add(g.Start, g.NewObject(object))
	p, err := NewProgram(st, g)
	require.NoError(t, err)
	size, grown := p.Size(), p.Grown()
	var walk func(a *Automaton, members []string)
	walk = func(a *Automaton, members []string) {
		text := "{" + strings.Join(members, ",") + "}"
		require.True(t, accepts(a, text), "should accept %s", text)
		for _, name := range names {
			if member := fmt.Sprintf("%q:1", name); !strings.Contains(text, member) {
				walk(a, append(members[:len(members):len(members)], member))
			}
		}
	}
	for range 2 { // another automaton has the same registers
		walk(NewAutomaton(p), nil)
		sets := 1 << n
		require.Equal(t, sets*pairBytes+(sets-1)*setBytes, p.Grown()-grown)
		require.Equal(t, p.Grown()-grown, p.Size()-size)
	}
}
