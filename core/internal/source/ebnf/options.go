package ebnf

import (
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/source/rules"
	"github.com/sluice-engine/sluice/core/internal/source/syntax"
)

// settings reads the options of a rule, name[lazy, capture="x", stop="y"] ::= …, from a token of kind tClass.
type settings struct {
	*parser
	at, to int
}

func (p *parser) ruleOptions(t *token, rule string) (o rules.Options, err error) {
	s := settings{p, t.at + 1, t.end - 1}
	r := p.OptionReader(rule, "option", "a string")
	for {
		one := syntax.Setting{At: s.skip(), Name: s.word()}
		if one.Name == "" {
			return o, r.NoName(one.At)
		}
		if err = s.value(&one); err == nil {
			err = r.Read(one)
		}
		if one.EndsNothing() {
			p.Note(one.At, rule, diag.Ignored, syntax.EmptySuffix)
		}
		if err != nil {
			return o, err
		}
		switch at := s.skip(); {
		case at == s.to:
			if r.Ends() {
				r.End = p.Tree.Node(rules.Node{Kind: rules.Text, At: r.Ending.At, Text: r.Ending.Text})
				r.Hidden = r.Ending.Name == "stop"
			}
			return r.Options, r.Done()
		case p.src[at] != ',':
			return o, p.Syntax(at, "options are separated by commas")
		}
		s.at++
	}
}

func (s *settings) skip() int {
	for s.at < s.to && strings.IndexByte(" \t\r\n", s.src[s.at]) >= 0 {
		s.at++
	}
	return s.at
}

func (s *settings) word() string {
	from := s.at
	for s.at < s.to && (s.src[s.at] == '_' || s.src[s.at]|0x20 >= 'a' && s.src[s.at]|0x20 <= 'z') {
		s.at++
	}
	return s.src[from:s.at]
}

func (s *settings) value(one *syntax.Setting) (err error) {
	one.Value = syntax.NoValue
	if at := s.skip(); at == s.to || s.src[at] != '=' {
		return nil
	}
	s.at++
	one.Value, one.ValueAt = syntax.Unknown, s.skip()
	if s.src[s.at] == '"' {
		one.Value = syntax.String
		c := cursor(s.Source, s.src[:s.to], s.at)
		one.Text, err = c.Quoted()
		s.at = c.I
	} else if one.Text = syntax.Numeral(s.src[s.at:s.to]); one.Text != "" {
		one.Value = syntax.Number
		s.at += len(one.Text)
	}
	return err
}
