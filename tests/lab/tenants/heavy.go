package main

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/tests/corpus"
)

// neighbour is a tenant that compiles ever new heavy constraints and fills masks along a text. Immutable.
type neighbour struct {
	name string
	kind core.Kind
	spec func(n int) string // the n-th variant: no two have the same expressions
	text string
}

// start begins the load in a goroutine; stop ends it and waits.
func (n neighbour) start(c *core.Compiler) (stop func()) {
	var done atomic.Bool
	var over sync.WaitGroup
	over.Go(func() {
		row := make([]uint32, c.Vocabulary().Words())
		for i := 0; !done.Load(); i++ {
			g, err := c.Compile(n.kind, []byte(n.spec(i)), nil)
			if err != nil {
				continue // to be refused is an answer, too
			}
			m, err := core.NewMatcher(g, core.MatcherOptions{})
			if err != nil {
				continue
			}
			for k := range n.text {
				_, fillErr := m.Fill(row)
				ok, err := m.AcceptBytes([]byte(n.text[k : k+1]))
				if done.Load() || !ok || err != nil || fillErr != nil {
					break
				}
			}
		}
	})
	return func() {
		done.Store(true)
		over.Wait()
	}
}

// neighbours returns all of them: built-in shapes, and the heavy schemas beside the shared data if they exist.
func neighbours(data string) ([]neighbour, error) {
	all := []neighbour{
		{
			"divisors", core.JSONSchema,
			func(n int) string { return fmt.Sprintf(`{"type": "integer", "multipleOf": %d}`, 1_000_000+n) },
			"98765432109876543210",
		},
		{"passwords", core.JSONSchema, func(n int) string {
			return fmt.Sprintf(`{"type": "string", "pattern": `+
				`"^(?=.*[A-Z])(?=.*[a-z])(?=.*\\d)(?=.*[!@#%%&*])(?!.*(aa|bb|%d))[A-Za-z\\d!@#%%&*]{8,64}$"}`, n)
		}, `"aB3!cDe56f7`},
		{
			"overlapping loops", core.Regex,
			func(n int) string { return fmt.Sprintf("(x%d)?", n) + strings.Repeat("[ab]*[bc]*[cd]*", 60) }, "abcdabcd",
		},
		{"windows", core.JSONSchema, func(n int) string {
			return fmt.Sprintf(`{"type": "string", "allOf": [{"pattern": "^x?%d[ab]*a[ab]{14}$"}, {"pattern": `+
				`"^x?%d[ab]*b[ab]{14}$"}]}`, n, n)
		}, `"`},
		{"windows in forty properties", core.JSONSchema, func(n int) string {
			var list []string
			for i := range 40 {
				list = append(list, fmt.Sprintf(`"p%d": {"type": "string", "allOf": [{"pattern": `+
					`"^[ab]*a[ab]{14}x%dy%d$"}, `+
					`{"pattern": "^[ab]*b[ab]{14}x%dy%d$"}]}`, i, i, n, i, n))
			}
			return `{"type": "object", "properties": {` + strings.Join(list, ", ") + "}}"
		}, `{"p0": "ab`},
		{
			"ambiguous words", core.EBNF,
			func(n int) string { return fmt.Sprintf("root ::= \"<%d>\"? ([a-z ]{1,%d})+", n, 8+n%8) }, "ab cde",
		},
		{"many tools", core.StructuralTag, func(n int) string {
			var tags []string
			for i := range 200 {
				tags = append(tags, fmt.Sprintf(`{"begin": "<f=%d-%d>", "content": {"type": "json_schema", `+
					`"json_schema": `+
					`{"type": "object", "properties": {"x%d": {"type": "string", "maxLength": %d}}}}, "end": `+
					`"</f>"}`, n, i, n, 10+i))
			}
			return `{"type": "structural_tag", "format": {"type": "triggered_tags", "triggers": ["<f="], "tags": ` +
				`[` + strings.Join(tags, ", ") + "]}}"
		}, "text <f="},
	}
	err := corpus.Heavy(data, func(x *corpus.Job) {
		spec := string(x.Spec)
		all = append(all, neighbour{x.ID, core.JSONSchema, func(n int) string {
			return strings.ReplaceAll(spec, `[aA][12].*[zZ]`, fmt.Sprintf(`[aA%c][12].*[zZ]`, rune(0x400+n)))
		}, `"a`})
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil // they belong to no collection
	}
	return all, err
}
