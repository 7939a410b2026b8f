package lark

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/rules"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/work"
)

// compileWithin compiles a grammar. It returns an error beyond the budget, as a compiler does.
func compileWithin(st *terminal.Store, text string, o *source.Options) (err error) {
	defer func() {
		if r := recover(); r != nil {
			ended, ok := r.(work.Ended)
			if !ok {
				panic(r)
			}
			err = rules.Failure(diag.Limit, sourceName, text, 0, "", "%v", ended.At)
		}
	}()
	_, _, err = Compile(st, []byte(text), o)
	return err
}

// FuzzLark checks that no text makes the reader or the lowering panic, that errors have a place, and that reading twice
// gives the same answer.
func FuzzLark(f *testing.F) {
	for _, c := range cases {
		f.Add(c.text)
	}
	for _, c := range wrong {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<12 {
			return
		}
		again := ""
		for range 2 {
			st := terminal.NewStore()
			o := options()
			o.Work = work.New(limits.DefaultBudgets().Compile/16, nil)
			st.SetWork(o.Work)
			answer := "compiled"
			if err := compileWithin(st, text, o); err != nil {
				var e *diag.Error
				require.True(t, errors.As(err, &e), "%v", err)
				require.Positive(t, e.Place.Line)
				answer = e.Error()
			}
			if again != "" {
				require.Equal(t, again, answer)
			}
			again = answer
		}
	})
}
