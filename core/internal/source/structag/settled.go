package structag

import (
	"slices"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/grammar"
)

// Bounds of a settled document; larger ones are lowered at once.
const (
	settledFormats = 4096
	settledBytes   = 1 << 16 // of begins and ends
	settledStrings = 32      // watched strings of one free text
)

// Settled reports whether lowering cannot fail or add notes, and each part of the document matches something. Most
// requests with tools are settled: settled schemas, fixed texts and tokens, and free text whose watched strings do not
// contain one another (freetext/overlap.go). It may return false for such documents.
func (d *Document) Settled() bool {
	s := settling{formats: settledFormats, bytes: settledBytes}
	return s.format(d.Format, nil)
}

type settling struct{ formats, bytes int }

func (s *settling) format(f, around *Format) bool {
	if s.formats--; s.formats < 0 || !s.within(f) {
		return false
	}
	switch f.Kind {
	case ConstString, Token, ExcludeToken:
		return true
	case AnyTokens:
		return f.MaxTokens == grammar.Unbounded
	case JSONSchema:
		return f.Schema.Settled()
	case AnyText:
		return f.MaxChars == grammar.Unbounded && f.MaxTokens == grammar.Unbounded && f.apart(around)
	case Triggered:
		if !f.apart(around) {
			return false
		}
	case Repeat:
		if f.Max != 1 && f.Max != grammar.Unbounded || f.Subs[0].Kind == Repeat {
			return false
		}
	case Tag:
		around = f
	case Sequence, Or, Separated, TokenTriggered:
	default:
		return false
	}
	return !slices.ContainsFunc(f.Subs, func(sub *Format) bool { return !s.format(sub, around) })
}

func (s *settling) within(f *Format) bool {
	s.bytes -= len(f.Text)
	for _, texts := range [][]string{f.Begin.Texts, f.End.Texts, f.Excludes, f.Triggers} {
		for _, t := range texts {
			s.bytes -= len(t)
		}
	}
	return s.bytes >= 0
}

func (f *Format) apart(around *Format) bool {
	all := slices.Concat(f.Triggers, f.Excludes)
	if around != nil {
		all = append(all, around.End.Texts...)
	}
	if len(all) > settledStrings {
		return false
	}
	for i, s := range all {
		for j, t := range all {
			if i != j && strings.Contains(s, t) {
				return false
			}
		}
	}
	return true
}
