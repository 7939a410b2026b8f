package structag

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/freetext"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// region returns free text with its tags. The text must not contain ends. If closing is a tag, the ends close the
// region and are part of it; otherwise the region ends before its continuation.
func (l *lowering) region(f *Format, ends []string, closing *Format) grammar.Sequence {
	if f.Kind == AnyText && f.MaxTokens != grammar.Unbounded {
		return l.limitedText(f, ends, closing)
	}
	if f.Kind == AnyText && f.MaxChars != grammar.Unbounded {
		return l.boundedText(f, ends, closing)
	}
	loop := l.g.NewRule("free text")
	rest := grammar.Sequence{grammar.N(loop)} // after a tag
	if f.StopAfterFirst {
		rest = nil
		if closing != nil {
			rest = l.end(closing)
		}
	}
	r := freetext.Region{
		Kills: f.Excludes, Stops: slices.Concat(f.Triggers, ends), Ends: ends,
		Open: closing == nil || len(ends) < len(closing.End.Texts),
		Refuse: func(code diag.Code, tag int, message string) error {
			e := diag.Errorf(code, sourceName, diag.At(l.pointer(f)), "%s", message)
			if tag >= 0 {
				begin := f.Subs[tag].Begin
				e.Place = diag.At(l.places.tree.Pointer(begin.at))
				e.Fragment = diag.Shorten(begin.Texts[0], limits.TagFragment)
			}
			return e
		},
	}
	after := make([]grammar.Sequence, len(f.Subs))
	for i, tag := range f.Subs {
		after[i] = append(l.closed(tag), rest...)
		r.Goals = append(r.Goals, freetext.Goal{
			Text: tag.Begin.Texts[0], Follow: after[i], Tag: i,
			MayBegin: tag.Subs[0].mayBegin,
		})
	}
	if closing != nil {
		for _, e := range ends {
			r.Goals = append(r.Goals, freetext.Goal{Text: e, Tag: -1})
		}
	}
	text, err := freetext.Lower(l.st, l.g, &r)
	l.fail(err)
	l.g.Add(loop, text...)
	if f.AtLeastOne {
		return l.choose(f.Subs, after)
	}
	return grammar.Sequence{grammar.N(loop)}
}

// boundedText is region for free text of at most MaxChars code points, which must be UTF-8. The end is counted with
// its text.
func (l *lowering) boundedText(f *Format, ends []string, closing *Format) grammar.Sequence {
	st, char := l.st, l.st.AnyRune(terminal.UTF8)
	text, watched := st.Star(char), slices.Concat(freetext.Excluded(f.Excludes, ends), ends)
	// upTo returns the bounded texts followed by end, without an earlier start of a watched string.
	upTo := func(end string) grammar.Sequence {
		n := uint32(utf8.RuneCountInString(end))
		e := st.Concat(text, st.Text(end, terminal.UTF8))
		if len(watched) > 0 {
			early := st.And(st.Concat(st.Texts(watched, terminal.UTF8, nil), text), st.Repeat(char, n+1,
				grammar.Unbounded))
			e = st.And(e, st.Not(st.Concat(text, early)))
		}
		return grammar.Sequence{grammar.T(st.Counted(e, terminal.UTF8, 0, f.MaxChars+n))}
	}
	if closing == nil {
		return upTo("")
	}
	alts := make([]grammar.Sequence, len(closing.End.Texts))
	for i, end := range closing.End.Texts {
		alts[i] = upTo(end)
	}
	return grammar.Sequence{l.rule("bounded text", alts...)}
}

// limitedText is region for free text of at most MaxTokens tokens. The end has its own automaton, so no excluded
// string may extend into the end.
func (l *lowering) limitedText(f *Format, ends []string, closing *Format) (out grammar.Sequence) {
	watched := slices.Concat(freetext.Excluded(f.Excludes, ends), ends)
	if f.MaxTokens > 0 {
		text := *f
		text.MaxTokens, text.Excludes = grammar.Unbounded, watched
		out = l.limited(f, l.region(&text, nil, nil))
	}
	if closing == nil {
		return out
	}
	for _, end := range closing.End.Texts {
		for _, w := range watched {
			for i := 1; i < len(w); i++ {
				if len(w)-i < len(end) && strings.HasPrefix(end, w[i:]) {
					l.fail(diag.Errorf(diag.Unsupported, sourceName, diag.At(l.pointer(f)+"/max_tokens"), "with "+
						"max_tokens, no excluded string may end as an end of the tag begins, but %q does, and the "+
						"tag may end with %q", w, end))
				}
			}
		}
	}
	return append(out, l.end(closing)...)
}

// limited returns the symbols of a text in which at most MaxTokens tokens of f may begin.
func (l *lowering) limited(f *Format, text grammar.Sequence) grammar.Sequence {
	id := l.g.NewRule("limited text")
	l.g.Rules[id].Scope = &grammar.Scope{MaxTokens: f.MaxTokens}
	l.g.Add(id, text...)
	return grammar.Sequence{grammar.N(id)}
}

// mayBegin reports whether a text of the format may begin with s, or be a prefix of s. It may return true if it does
// not know.
func (f *Format) mayBegin(s string) bool {
	switch f.Kind {
	case ConstString:
		return strings.HasPrefix(s, f.Text) || strings.HasPrefix(f.Text, s)
	case JSONSchema:
		return f.Schema.styled || strings.IndexByte(`{["-0123456789tfn`, s[0]) >= 0
	}
	return true
}
