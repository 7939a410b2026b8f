package dump

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// scanner goes through one line.
type scanner struct {
	text string
	at   int
}

// syntaxError ends the reading of a line.
type syntaxError string

func (e syntaxError) Error() string { return string(e) }

func (s *scanner) fail(format string, args ...any) {
	panic(syntaxError(fmt.Sprintf("at %q: %s", s.rest(), fmt.Sprintf(format, args...))))
}

func (s *scanner) rest() string { return s.text[s.at:] }

// take skips word if it comes next.
func (s *scanner) take(word string) bool {
	if !strings.HasPrefix(s.rest(), word) {
		return false
	}
	s.at += len(word)
	return true
}

func (s *scanner) expect(word string) {
	if !s.take(word) {
		s.fail("%q is needed", word)
	}
}

func (s *scanner) end() {
	if s.rest() != "" {
		s.fail("the line should end here")
	}
}

// word steps over a name.
func (s *scanner) word() string {
	n := strings.IndexFunc(s.rest(), func(c rune) bool {
		return c != '$' && c != '@' && c != '.' && c != '_' && c != '-' &&
			(c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z')
	})
	if n < 0 {
		n = len(s.rest())
	}
	if n == 0 {
		s.fail("a name is needed")
	}
	s.at += n
	return s.text[s.at-n : s.at]
}

func (r *reader) integer() uint32 {
	n := 0
	for n < len(r.s.rest()) && r.s.rest()[n] >= '0' && r.s.rest()[n] <= '9' {
		n++
	}
	x, err := strconv.ParseUint(r.s.rest()[:n], 10, 32)
	if err != nil {
		r.s.fail("a number is needed")
	}
	r.s.at += n
	return uint32(x)
}

// counts reads {2,5} or {2,}.
func (r *reader) counts() (low, high uint32) {
	r.s.expect("{")
	low, high = r.integer(), terminal.Unbounded
	r.s.expect(",")
	if !r.s.take("}") {
		high = r.integer()
		r.s.expect("}")
	}
	return low, high
}

func (r *reader) quoted() string {
	q, err := strconv.QuotedPrefix(r.s.rest())
	if err != nil || q[0] != '"' {
		r.s.fail("a string in quotes is needed")
	}
	r.s.at += len(q)
	text, err := strconv.Unquote(q)
	if err != nil {
		r.s.fail("%v", err)
	}
	return text
}

func (r *reader) byteSet() (set terminal.ByteSet) {
	for !r.s.take("]") {
		lo := r.setByte()
		hi := lo
		if r.s.take("-") {
			hi = r.setByte()
		}
		if hi < lo {
			r.s.fail("the range goes backwards")
		}
		set.AddRange(lo, hi)
	}
	return set
}

func (r *reader) setByte() byte {
	if r.s.take(`\x`) {
		if len(r.s.rest()) < 2 {
			r.s.fail("two hexadecimal digits are needed")
		}
		x, err := strconv.ParseUint(r.s.rest()[:2], 16, 8)
		if err != nil {
			r.s.fail("two hexadecimal digits are needed")
		}
		r.s.at += 2
		return byte(x)
	}
	r.s.take(`\`)
	if r.s.rest() == "" {
		r.s.fail("the set does not end")
	}
	r.s.at++
	return r.s.text[r.s.at-1]
}
