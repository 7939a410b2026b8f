package ebnf

import (
	"strings"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/source/rules"
)

// settings reads the options of a rule, name[lazy, capture="x", stop="y"] ::= …, from a token of kind tClass.
type settings struct {
	*parser
	at, to int
}

func (p *parser) ruleOptions(t *token, rule string) (o rules.Options, err error) {
	s := settings{p, t.at + 1, t.end - 1}
	r := p.tree.OptionReader(rule, "option", "a string")
	for {
		one := rules.Setting{At: s.skip(), Name: s.word()}
		if one.Name == "" {
			return o, r.NoName(one.At)
		}
		if err = s.value(&one); err == nil {
			err = r.Read(one)
		}
		if one.EndsNothing() {
			p.note(one.At, rule, diag.Ignored, rules.EmptySuffix)
		}
		if err != nil {
			return o, err
		}
		switch at := s.skip(); {
		case at == s.to:
			if r.Ends() {
				r.End = p.tree.Node(rules.Node{Kind: rules.Text, At: r.Ending.At, Text: r.Ending.Text})
				r.Hidden = r.Ending.Name == "stop"
			}
			return r.Options, r.Done()
		case p.src[at] != ',':
			return o, p.syntax(at, "options are separated by commas")
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

func (s *settings) value(one *rules.Setting) (err error) {
	one.Value = rules.NoValue
	if at := s.skip(); at == s.to || s.src[at] != '=' {
		return nil
	}
	s.at++
	one.Value, one.ValueAt = rules.Unknown, s.skip()
	if s.src[s.at] == '"' {
		one.Value = rules.String
		l := &lexer{src: s.src[:s.to], i: s.at, work: s.o.Work}
		one.Text, err = l.quoted()
		s.at = l.i
	} else if one.Text = rules.Numeral(s.src[s.at:s.to]); one.Text != "" {
		one.Value = rules.Number
		s.at += len(one.Text)
	}
	return err
}
