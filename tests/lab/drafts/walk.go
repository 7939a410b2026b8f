package main

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/tests/corpus"
)

// walker follows the outputs of a collection with one tokenizer.
type walker struct {
	c     *core.Compiler
	v     *core.Vocabulary
	o     *options
	list  []corpus.Layout
	relay func(*corpus.Layout, string) (string, int)
	all   []figures // by layout
	jobs  int
	err   error
}

// take follows the valid outputs of a job in every layout.
func (w *walker) take(x *corpus.Job) {
	if w.jobs++; w.err != nil || w.jobs%w.o.every != 0 {
		return
	}
	var g *core.Grammar
	for i := range x.Tests {
		text := x.Tests[i].Text()
		plain, _ := w.relay(&w.list[0], text)
		if compact, _ := w.relay(&w.list[1], text); !x.Tests[i].Valid || plain != text || compact == text {
			continue // it has no JSON, or is written otherwise
		}
		if g == nil {
			var err error
			if g, err = w.c.Compile(x.Kind, x.Spec, &x.Options); err != nil {
				return // the collections have constraints that are not supported
			}
		}
		for k := range w.list {
			out, longest := w.relay(&w.list[k], text)
			if !w.list[k].Fits(longest) {
				continue
			}
			if err := w.output(g, out, &w.all[k]); err != nil {
				w.err = fmt.Errorf("%s, test %d, %s: %w", x.ID, i, w.list[k].Name, err)
				return
			}
		}
	}
}

func (w *walker) output(g *core.Grammar, text string, f *figures) error {
	ids, err := w.cut(text)
	if err != nil || ids == nil {
		return err
	}
	m, err := core.NewMatcher(g, core.MatcherOptions{})
	if err != nil {
		return err
	}
	n, err := m.Accept(ids) // computes the states
	if err != nil || n < len(ids) || !m.Completed() {
		return err
	}
	f.outputs++
	f.tokens += len(ids)
	if err := w.forced(m, ids, f); err != nil {
		return err
	}
	return w.drafted(m, ids, f)
}

// cut returns the tokens of a text, or nil if it is not known how the tokenizer cuts all of it.
func (w *walker) cut(text string) ([]int32, error) {
	spec, err := json.Marshal([]string{text})
	if err != nil {
		return nil, err
	}
	g, err := w.c.Compile(core.Choice, spec, nil)
	if err != nil {
		return nil, err
	}
	m, err := core.NewMatcher(g, core.MatcherOptions{})
	if err != nil {
		return nil, err
	}
	var ids []int32
	for !m.Completed() {
		n := len(ids)
		if ids, err = m.ForcedTokens(ids); err != nil || len(ids) == n {
			return nil, err
		}
		if _, err = m.Accept(ids[n:]); err != nil {
			return nil, err
		}
	}
	return ids, nil
}

func (w *walker) decode(ids []int32) (text []byte) {
	for _, id := range ids {
		b, _ := w.v.Token(uint32(id))
		text = append(text, b...)
	}
	return text
}

// forced requests the forced tokens at every step, and counts the steps that they save.
func (w *walker) forced(m *core.Matcher, ids []int32, f *figures) error {
	if err := m.Reset(); err != nil {
		return err
	}
	var memory [256]int32
	wrong, next := false, 0
	for i := range ids {
		list, err := m.ForcedTokens(memory[:0])
		if err != nil {
			return err
		}
		if n := len(list); n > len(ids)-i || !slices.Equal(list, ids[i:i+n]) {
			wrong = true
			fmt.Printf("wrong: behind %q %q is forced\n", w.decode(ids[:i]), w.decode(list))
		}
		if i >= next {
			f.forced += len(list)
			next = i + len(list) + 1 // the model's own token comes behind them
		}
		if _, err := m.Accept(ids[i : i+1]); err != nil {
			return err
		}
	}
	if wrong {
		f.wrong++
	}
	return nil
}

// drafted follows an output as an engine does: it accepts the right part of a draft and a token of the model behind it.
func (w *walker) drafted(m *core.Matcher, ids []int32, f *figures) error {
	if err := m.Reset(); err != nil {
		return err
	}
	var memory [256]int32
	for i := 0; i < len(ids); {
		draft, err := m.Drafts(memory[:0], w.o.k)
		if err != nil {
			return err
		}
		n := 0
		for n < len(draft) && i+n < len(ids) && draft[n] == ids[i+n] {
			n++
		}
		if n < len(draft) && w.o.show > 0 {
			w.o.show--
			fmt.Printf("wrong: behind %q %q is drafted, not %q\n", w.decode(ids[max(0, i-20):i]), w.decode(draft),
				w.decode(ids[i:min(len(ids), i+len(draft)+1)]))
		}
		f.proposed += len(draft)
		f.drafted += n
		f.steps++
		n = min(i+n+1, len(ids)) - i
		if _, err := m.Accept(ids[i : i+n]); err != nil {
			return err
		}
		i += n
	}
	return nil
}
