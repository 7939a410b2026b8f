package pushdown

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// An object with a least number of members leaves enough keys for them. Keys whose value matches nothing do not count.
func TestKeysWithoutValueDoNotCount(t *testing.T) {
	st := terminal.NewStore()
	names := []string{"a", "c", "d", "b"}
	object := grammar.Object{
		Open: st.Literal("{"), Close: st.Literal("}"), Comma: st.Literal(","), Quote: st.Literal(`"`),
		Colon: st.Literal(":"), MinMembers: 2, MaxMembers: grammar.Unbounded,
		Keys: st.Keys(names, terminal.JSONString, st.Literal(`"`)),
	}
	for _, name := range names {
		value := terminal.Expr(terminal.Empty)
		if name != "b" {
			value = st.Literal("1")
		}
		object.Properties = append(object.Properties, grammar.Property{Value: grammar.T(value)})
	}
	g := grammar.New()
	g.Start = g.NewRule("s")
	g.Add(g.Start, g.NewObject(object))
	a := automaton(t, st, g)
	check(t, a, `{"a":1,"c":1}|{"a":1,"d":1}|{"c":1,"d":1}|{"a":1,"c":1,"d":1}`, `{"d":1}|{"a":1}|{"a":1,"b":1}`)
	for _, text := range []string{`{"`, `{"a":1,"`, `{"c":1,"`} {
		s := a.StepBytes(a.Start(), []byte(text))
		for _, name := range names {
			next := a.StepBytes(s, []byte(name+`":`))
			require.Equal(t, next > Over, name == "d" && text != `{"` || name == "c" && text != `{"c":1,"` ||
				name == "a" && text == `{"`, "%s%s", text, name)
		}
	}
}
