package structag

import (
	"slices"
	"strconv"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/source/jsontext"
)

// A dispatch is a list of triggered tags without ends, written as pairs of a trigger and its continuation. Both may be
// tokens.

// dispatch reads {"type": "dispatch", "rules": [[string, format], …], "loop", "excludes"}.
func (r *reader) dispatch(f *Format, v value) {
	f.Excludes = r.texts(v, "excludes")
	r.pairs(f, v, func(at value) Mark {
		n := r.tree.Node(at.id)
		if n.Kind != jsontext.String || n.Text == "" {
			r.invalid(at, "a rule must begin with a string of at least one character")
		}
		f.Triggers = append(f.Triggers, n.Text)
		return Mark{at: at.id, Texts: []string{n.Text}}
	})
	r.excluded(f, v)
}

// tokenDispatch reads {"type": "token_dispatch", "rules": [[token, format], …], "loop", "exclude_tokens"}.
func (r *reader) tokenDispatch(f *Format, v value) {
	f.IDs = r.tokens(v, "exclude_tokens")
	r.pairs(f, v, func(at value) Mark {
		ids := r.token(at)
		f.TriggerIDs = append(f.TriggerIDs, ids...)
		return Mark{at: at.id, IsToken: true, IDs: ids}
	})
	r.excludedTokens(f, v)
}

// pairs reads rules and loop; begin reads the first element of a rule.
func (r *reader) pairs(f *Format, v value, begin func(at value) Mark) {
	for _, rule := range r.list(v, "rules") {
		if n := r.tree.Node(rule.id); n.Kind != jsontext.Array || n.Count != 2 {
			r.invalid(rule, "a rule is a list of two elements: its trigger, and the format that follows")
			return
		}
		parts := r.children(rule)
		f.Subs = append(f.Subs, &Format{
			Kind: Tag, at: rule.id, Min: 1, Max: 1, Begin: begin(parts[0]), End: Mark{Texts: []string{""}},
			Subs: []*Format{r.format(parts[1])},
		})
	}
	f.StopAfterFirst = r.optional(v, "loop").id != 0 && !r.flag(v, "loop")
}

// tokenTriggered reads {"type": "token_triggered_tags", "trigger_tokens", "tags", "exclude_tokens", …}.
func (r *reader) tokenTriggered(f *Format, v value) {
	f.IDs = r.tokens(v, "exclude_tokens")
	r.list(v, "trigger_tokens")
	f.TriggerIDs = r.tokens(v, "trigger_tokens")
	r.tags(f, v)
	for _, tag := range f.Subs {
		other := func(id uint32) bool { return !slices.Contains(f.TriggerIDs, id) }
		if !tag.Begin.IsToken || slices.ContainsFunc(tag.Begin.IDs, other) {
			r.failPointer(diag.Invalid, r.tree.Pointer(tag.Begin.at), r.tree.Get(v.id, "tags"), "begin",
				`a begin must be one of trigger_tokens here, {"type": "token", "token": …}`)
		}
	}
	r.bounds(f, v)
	r.excludedTokens(f, v)
}

func (r *reader) excludedTokens(f *Format, v value) {
	at := r.member(v, "exclude_tokens")
	opens := func(id uint32) bool { return slices.Contains(f.TriggerIDs, id) }
	if at.id == 0 || !slices.ContainsFunc(f.IDs, opens) {
		return
	}
	for i, x := range r.children(at) {
		if slices.ContainsFunc(r.token(x), opens) {
			r.failPointer(diag.Invalid, r.pointer(at)+"/"+strconv.Itoa(i), at.id, "",
				"excluded token number %d opens tags, so they could never be opened; remove one of the two", i+1)
		}
	}
}

func (l *lowering) tokenRegion(f, around *Format) grammar.Sequence {
	loop := l.g.NewRule("free tokens")
	var rest grammar.Sequence // after a tag
	if !f.StopAfterFirst {
		rest = grammar.Sequence{grammar.N(loop)}
	}
	after := make([]grammar.Sequence, len(f.Subs))
	for i, tag := range f.Subs {
		after[i] = append(l.closed(tag), rest...)
	}
	tags := l.choose(f.Subs, after)
	if f.AtLeastOne && f.StopAfterFirst {
		return tags
	}
	free := grammar.T(l.st.Star(l.anyToken(slices.Concat(f.IDs, f.TriggerIDs), around)))
	l.g.Add(loop, free, l.rule("tags", nil, tags))
	if f.AtLeastOne {
		return tags
	}
	return grammar.Sequence{grammar.N(loop)}
}
