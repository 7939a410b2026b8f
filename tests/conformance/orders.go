package main

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/sluice-engine/sluice/core"
)

// acceptsSomeOrder reports whether the instance is accepted with the keys of its objects in some other order. It builds
// that order member by member, beginning with those after which the members that could have come instead can still come:
// that finds the declared order without trying all of them. The instance has to be one that is spelled by respell.
func acceptsSomeOrder(g *core.Grammar, text string) bool {
	m, err := core.NewMatcher(g, core.MatcherOptions{})
	if err != nil {
		return false
	}
	s := orderSearch{budget: 300_000}
	m = s.value(m, json.RawMessage(text))
	return m != nil && m.Completed()
}

// orderSearch bounds the work of one search.
type orderSearch struct{ budget int }

// text returns a matcher that is after the text, nil if it is not allowed. m stays where it is.
func (s *orderSearch) text(m *core.Matcher, text string) *core.Matcher {
	if s.budget--; s.budget < 0 || m == nil {
		return nil
	}
	f, err := m.Fork()
	if err != nil {
		return nil
	}
	if ok, err := f.AcceptBytes([]byte(text)); !ok || err != nil {
		return nil
	}
	return f
}

// value returns a matcher that is after the value.
func (s *orderSearch) value(m *core.Matcher, raw json.RawMessage) *core.Matcher {
	if after := s.text(m, string(raw)); after != nil || raw[0] != '[' && raw[0] != '{' {
		return after
	}
	names, parts := split(raw)
	if raw[0] == '{' {
		return s.object(s.text(m, "{"), names, parts)
	}
	before := "["
	for _, part := range parts {
		if m = s.text(m, before); m == nil {
			return nil
		}
		if m = s.value(m, part); m == nil {
			return nil
		}
		before = ", "
	}
	return s.text(m, "]")
}

// object returns a matcher that is after the members and the closing bracket.
func (s *orderSearch) object(m *core.Matcher, names []string, parts []json.RawMessage) *core.Matcher {
	if m == nil {
		return nil
	}
	o := memberSearch{orderSearch: s, names: names, parts: parts, failed: map[string]bool{}}
	return o.rest(m, "", strings.Repeat("-", len(names)))
}

// memberSearch looks for an order of one object's members. What is written is a mark per member.
type memberSearch struct {
	*orderSearch
	names  []string
	parts  []json.RawMessage
	failed map[string]bool // sets of written members that lead nowhere
}

// rest returns a matcher that is after all members that are not written and the closing bracket.
func (s *memberSearch) rest(m *core.Matcher, separator, written string) *core.Matcher {
	if !strings.Contains(written, "-") {
		return s.text(m, "}")
	}
	if s.failed[written] {
		return nil
	}
	var possible []int
	for i := range s.names {
		if written[i] == '-' && s.text(m, separator+s.names[i]) != nil {
			possible = append(possible, i)
		}
	}
	// The most promising member is the one after which most of the others are still possible.
	candidates := make([][]candidate, len(possible)+1)
	for _, i := range possible {
		next := s.value(s.text(m, separator+s.names[i]+": "), s.parts[i])
		if next == nil {
			continue
		}
		open := 0
		for _, other := range possible {
			if other != i && s.text(next, ", "+s.names[other]) != nil {
				open++
			}
		}
		if open == len(possible)-1 {
			if after := s.rest(next, ", ", mark(written, i)); after != nil {
				return after
			}
			continue
		}
		candidates[open] = append(candidates[open], candidate{i, next})
	}
	for _, group := range slices.Backward(candidates) {
		for _, c := range group {
			if after := s.rest(c.after, ", ", mark(written, c.member)); after != nil {
				return after
			}
		}
	}
	s.failed[written] = true
	return nil
}

// candidate is a member that may come next, and the matcher after it.
type candidate struct {
	member int
	after  *core.Matcher
}

func mark(written string, i int) string { return written[:i] + "x" + written[i+1:] }

// split cuts an array or object into its parts; names are the quoted keys of an object.
func split(raw json.RawMessage) (names []string, parts []json.RawMessage) {
	depth, begin := 0, 1
	for i := 0; i < len(raw); i++ {
		switch raw[i] {
		case '"':
			i += stringLength(raw[i:]) - 1
			continue
		case '[', '{':
			depth++
			continue
		case ']', '}':
			depth--
		}
		if depth > 1 || depth == 1 && raw[i] != ',' {
			continue
		}
		if part := strings.TrimSpace(string(raw[begin:i])); part != "" {
			if raw[0] == '{' {
				n := stringLength([]byte(part))
				names = append(names, part[:n])
				part = strings.TrimPrefix(part[n:], ": ")
			}
			parts = append(parts, json.RawMessage(part))
		}
		begin = i + 1
	}
	return names, parts
}
