package family

import (
	"slices"
	"strings"
)

// Texts of a file are text, or tokens if the vocabulary has them as special tokens.

// split cuts a text at the special tokens of the vocabulary, into texts and tokens. The result must not be changed.
func (b *builder) split(text string) []piece {
	out, ok := b.splits[text] // the calls of every tool share the texts of a template
	if !ok {
		out = b.cut(text)
		b.splits[text] = out
	}
	return out
}

func (b *builder) cut(text string) (out []piece) {
	for text != "" {
		at, found := len(text), ""
		for _, t := range b.f.Tokens {
			if i := strings.Index(text, t); i >= 0 && (i < at || i == at && len(t) > len(found)) && b.special(t) {
				at, found = i, t
			}
		}
		if at > 0 {
			out = append(out, piece{text: text[:at]})
		}
		if found != "" {
			out = append(out, piece{text: found, token: true})
		}
		text = text[at+len(found):]
	}
	return out
}

// A piece is a text or a token, or a format between them.
type piece struct {
	text   string
	token  bool
	format format
}

func (p piece) asFormat() format {
	switch {
	case p.format != nil:
		return p.format
	case p.token:
		return token(p.text)
	}
	return constant(p.text)
}

func (b *builder) fixed(text string) (out []format) {
	for _, p := range b.split(text) {
		out = append(out, p.asFormat())
	}
	return out
}

func (b *builder) anyOf(texts []string) format {
	alternatives := make([]format, len(texts))
	for i, t := range texts {
		alternatives[i] = sequence(b.fixed(t)...)
	}
	return or(alternatives...)
}

func (b *builder) hasToken(text string) bool {
	return slices.ContainsFunc(b.split(text), func(p piece) bool { return p.token })
}

// mark returns the beginning or the end of a tag, one of several texts. inner holds formats between the mark and the
// content if the mark is more than one text or one token.
func (b *builder) mark(texts []string, end bool) (mark any, inner []format) {
	if len(texts) > 1 {
		if end && !slices.ContainsFunc(texts, b.hasToken) {
			return texts, nil
		}
		return "", []format{b.anyOf(texts)} // a tag has one begin, and ends that are texts
	}
	pieces := b.split(texts[0])
	if len(pieces) == 0 {
		return "", nil
	}
	outer := pieces[0]
	rest := pieces[1:]
	if end {
		outer, rest = pieces[len(pieces)-1], pieces[:len(pieces)-1]
	}
	for _, p := range rest {
		inner = append(inner, p.asFormat())
	}
	if outer.token {
		return token(outer.text), inner
	}
	return outer.text, inner
}

// block returns content between the marks of a block, without the first mark if the prompt has it.
func (b *builder) block(x *Block, opened bool, content format) format {
	begin := any("")
	var parts []format
	if !opened {
		begin, parts = b.mark(x.Begin, false)
	}
	end, inner := b.mark(x.End, true)
	return tag(begin, end, sequence(append(append(parts, content), inner...)...))
}
