package pushdown

import (
	"fmt"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// The size of a program has its registers, and the lists in objects and switches.
func TestSizeHasLists(t *testing.T) {
	require.EqualValues(t, pairBytes, 3*unsafe.Sizeof(pair{})+2*4)
	require.EqualValues(t, setBytes, 3*unsafe.Sizeof(setNode{})+2*4)
	st := terminal.NewStore()
	size := func(properties, cases int) int {
		g := grammar.New()
		g.Start = g.NewRule("s")
		one := grammar.T(st.Literal("1"))
		names := make([]string, properties)
		for i := range names {
			names[i] = fmt.Sprintf("%04d", i)
		}
		keys := func(names []string) terminal.Expr { return st.Keys(names, terminal.JSONString, st.Literal(`"`)) }
		o := grammar.Object{
			Open: st.Literal("{"), Close: st.Literal("}"), Comma: st.Literal(","), Quote: st.Literal(`"`),
			Colon: st.Literal(":"), MaxMembers: grammar.Unbounded, Keys: keys(names),
		}
		for range names {
			o.Properties = append(o.Properties, grammar.Property{Value: one})
		}
		g.Add(g.Start, g.NewObject(o))
		var list []grammar.Case
		for i := range cases {
			list = append(list, grammar.Case{Tag: uint32(i), Then: grammar.Sequence{one}})
		}
		g.Add(g.Start, g.NewSwitch(keys(names[:1]), list...))
		p, err := NewProgram(st, g)
		require.NoError(t, err)
		require.Equal(t, p.Size(), p.Renew(st).Size())
		return p.Size()
	}
	base := size(1, 1)
	require.GreaterOrEqual(t, size(1000, 1)-base, 999*2*4)
	require.GreaterOrEqual(t, size(1, 1000)-base, 999*int(unsafe.Sizeof(switchCase{})))
}
