package compiler

import (
	"errors"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/source/ebnf"
	"github.com/sluice-engine/sluice/core/internal/source/lark"
	"github.com/sluice-engine/sluice/core/internal/work"
)

// EBNF returns a grammar of kind EBNF or Lark as EBNF in normal form, with the start rule "root". o is not changed.
func EBNF(kind source.Kind, spec []byte, o *source.Options) (string, error) {
	if len(spec) > limits.SpecBytes {
		return "", tooLong(kind, spec)
	}
	c, opts := checker(), *o
	m := work.New(c.config.Budgets.Compile, o.Stop)
	defer m.End()
	opts.Work, opts.Stop = m, nil
	return c.ebnf(kind, spec, &opts)
}

func (c *Compiler) ebnf(kind source.Kind, spec []byte, opts *source.Options) (out string, err error) {
	defer func() { err = c.ended(kind, recover(), err) }()
	defer opts.Work.At(func() *diag.Error { return beginning(kind, spec) })()
	names := newAnyTokens(1 << 31) // above all ids that can be written
	opts.TokenIDs, opts.TokenCount, opts.EndTokens = names.id, 0, nil
	if kind == source.EBNF {
		out, err = ebnf.Normal(string(spec), opts, names.text)
	} else {
		var r *lark.Read
		if r, err = lark.Parse(string(spec), opts); err == nil {
			out, err = ebnf.Print(r.Tree(), opts, names.text)
		}
	}
	if err != nil {
		return "", err
	}
	// Expanded templates and ranges of tokens may exceed a limit.
	opts.StartRule = ""
	if _, err = ebnf.Parse(out, opts); err != nil {
		var e *diag.Error
		if errors.As(err, &e) {
			e.Message = "written as EBNF, the grammar cannot be read: " + e.Message
		}
		return "", err
	}
	return out, nil
}
