package vocab

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
)

// scanner reads JSON from memory: callers walk objects and arrays, read some values and skip the rest. Strings without
// escapes are slices of the input. One goroutine.
//
// encoding/json would read the megabytes of merges in a tokenizer file, lose the order of maps, and replace invalid
// UTF-8 silently.
//
// PERF: BenchmarkLoad/gemma3 (33 MB, 262,145 ids): 83 ms for the whole vocabulary; json.Unmarshal takes 290 ms for the
// table alone.
type scanner struct {
	data    []byte
	pos     int
	scratch []byte
}

// newScanner returns a scanner of data, which must be UTF-8: a replacement character would silently change pieces.
func newScanner(data []byte) (*scanner, error) {
	s := &scanner{data: bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))}
	if !utf8.Valid(s.data) {
		at := diag.InvalidUTF8(string(s.data))
		return nil, s.failAt(at, "the file is not UTF-8: byte 0x%02X starts no character", s.data[at])
	}
	return s, nil
}

func (s *scanner) fail(format string, args ...any) error { return s.failAt(s.pos, format, args...) }

func (s *scanner) failAt(off int, format string, args ...any) error {
	off = min(off, len(s.data))
	e := diag.Errorf(diag.Syntax, source, textPlace(s.data, off), format, args...)
	e.Fragment = fragment(s.data[off:])
	return e
}

func textPlace(data []byte, off int) diag.Place {
	head := data[:off]
	return diag.Place{
		Line:   bytes.Count(head, []byte("\n")) + 1,
		Column: utf8.RuneCount(head[bytes.LastIndexByte(head, '\n')+1:]) + 1,
		Offset: off,
	}
}

func fragment(data []byte) string {
	data = data[:min(len(data), 2*limits.VocabularyFragment)]
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		data = data[:i]
	}
	return diag.Shorten(string(bytes.ToValidUTF8(data, []byte("�"))), limits.VocabularyFragment)
}

func (s *scanner) peek() byte {
	for ; s.pos < len(s.data); s.pos++ {
		if c := s.data[s.pos]; c > ' ' || c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			return c
		}
	}
	return 0
}

func (s *scanner) expect(c byte) error {
	if s.peek() != c || s.pos >= len(s.data) {
		return s.unexpected("`" + string(rune(c)) + "`")
	}
	s.pos++
	return nil
}

func (s *scanner) unexpected(want string) error {
	if s.peek(); s.pos >= len(s.data) {
		return s.fail("the JSON ends where %s is expected: the file is cut off", want)
	}
	return s.fail("%s is expected here", want)
}

// object calls member for each member of the object at the position. member must consume the value; key is valid until
// then.
func (s *scanner) object(member func(key []byte) error) error {
	if err := s.expect('{'); err != nil {
		return err
	}
	if s.peek() == '}' {
		s.pos++
		return nil
	}
	for {
		key, err := s.str()
		if err != nil {
			return err
		}
		if err := s.expect(':'); err != nil {
			return err
		}
		if err := member(key); err != nil {
			return err
		}
		if more, err := s.more('}'); !more {
			return err
		}
	}
}

func (s *scanner) array(element func(index int) error) error {
	if err := s.expect('['); err != nil {
		return err
	}
	if s.peek() == ']' {
		s.pos++
		return nil
	}
	for i := 0; ; i++ {
		if err := element(i); err != nil {
			return err
		}
		if more, err := s.more(']'); !more {
			return err
		}
	}
}

// more consumes a comma (true) or the closing byte (false).
func (s *scanner) more(closing byte) (bool, error) {
	switch c := s.peek(); {
	case c == ',':
		s.pos++
		return true, nil
	case c == closing && s.pos < len(s.data):
		s.pos++
		return false, nil
	}
	return false, s.unexpected("`,` or `" + string(rune(closing)) + "`")
}

// str reads a string. The result is valid until the next call and must not be changed.
func (s *scanner) str() ([]byte, error) {
	if s.peek() != '"' {
		return nil, s.unexpected("a string")
	}
	start := s.pos + 1
	for i := start; i < len(s.data); i++ {
		switch c := s.data[i]; {
		case c == '"':
			s.pos = i + 1
			return s.data[start:i], nil
		case c == '\\':
			return s.escaped(start, i)
		case c < ' ':
			return nil, s.failAt(i, "a control character stands in a string: write it as \\u%04x", c)
		}
	}
	return nil, s.fail("the string never ends: the file is cut off")
}

var simpleEscapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

func (s *scanner) escaped(start, i int) ([]byte, error) {
	s.scratch = append(s.scratch[:0], s.data[start:i]...)
	for i < len(s.data) {
		switch c := s.data[i]; {
		case c == '"':
			s.pos = i + 1
			return s.scratch, nil
		case c < ' ':
			return nil, s.failAt(i, "a control character stands in a string: write it as \\u%04x", c)
		case c != '\\':
			s.scratch = append(s.scratch, c)
			i++
			continue
		}
		if i+1 < len(s.data) && s.data[i+1] != 'u' {
			plain := simpleEscapes[s.data[i+1]]
			if plain == 0 {
				return nil, s.failAt(i, "this is no escape sequence of JSON")
			}
			s.scratch = append(s.scratch, plain)
			i += 2
			continue
		}
		r := s.hex4(i)
		if r < 0 {
			return nil, s.failAt(i, "\\u takes four hexadecimal digits")
		}
		n := 6
		if utf16.IsSurrogate(r) {
			r = utf16.DecodeRune(r, s.hex4(i+6))
			n = 12
			if r == utf8.RuneError {
				return nil, s.failAt(i, "half of a surrogate pair stands alone: it is no character")
			}
		}
		s.scratch = utf8.AppendRune(s.scratch, r)
		i += n
	}
	return nil, s.failAt(start-1, "the string never ends: the file is cut off")
}

func (s *scanner) hex4(i int) rune {
	if i+6 > len(s.data) || s.data[i] != '\\' || s.data[i+1] != 'u' {
		return -1
	}
	var r rune
	for _, c := range s.data[i+2 : i+6] {
		d := hexDigit(c)
		if d < 0 {
			return -1
		}
		r = r<<4 | rune(d)
	}
	return r
}

func hexDigit(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

func (s *scanner) id() (uint32, error) {
	s.peek()
	start, n := s.pos, int64(0)
	for ; s.pos < len(s.data) && '0' <= s.data[s.pos] && s.data[s.pos] <= '9'; s.pos++ {
		if n = n*10 + int64(s.data[s.pos]-'0'); n >= limits.VocabularyIDs {
			err := diag.Errorf(diag.Limit, source, diag.Place{}, idOutOfRange, s.digits(start), limits.VocabularyIDs-1)
			err.Place, err.Fragment = textPlace(s.data, start), fragment(s.data[start:])
			return 0, err
		}
	}
	end := s.pos
	if c := s.peek(); end == start || end > start+1 && s.data[start] == '0' || c != 0 && c != ',' && c != '}' &&
		c != ']' {
		return 0, s.failAt(start, "a token id is a whole number from 0 on")
	}
	return uint32(n), nil
}

func (s *scanner) digits(start int) string {
	end := start
	for end < len(s.data) && '0' <= s.data[end] && s.data[end] <= '9' {
		end++
	}
	return diag.Shorten(string(s.data[start:end]), limits.VocabularyFragment)
}

func (s *scanner) boolean() (bool, error) {
	s.peek()
	rest := s.data[s.pos:]
	switch {
	case bytes.HasPrefix(rest, []byte("true")):
		s.pos += 4
		return true, nil
	case bytes.HasPrefix(rest, []byte("false")):
		s.pos += 5
		return false, nil
	}
	return false, s.unexpected("true or false")
}

// skip consumes any value and returns its bytes. It checks only that brackets and strings close, because nothing uses
// the value.
//
// PERF: BenchmarkLoad/gemma3/skip: 33 MB in 24 ms; json.Valid takes 97 ms.
func (s *scanner) skip() ([]byte, error) {
	s.peek()
	start := s.pos
	var open [limits.TokenizerNesting]byte // pending closing brackets
	depth := 0
	for s.pos < len(s.data) {
		switch c := s.data[s.pos]; c {
		case '"':
			if err := s.skipString(); err != nil {
				return nil, err
			}
		case '{', '[':
			if depth == len(open) {
				return nil, s.fail("the JSON nests deeper than %d levels", limits.TokenizerNesting)
			}
			open[depth] = c + 2 // in ASCII a closing bracket is two after its opening one
			depth++
			s.pos++
			continue
		case '}', ']':
			if depth == 0 || open[depth-1] != c {
				return nil, s.fail("this bracket closes nothing")
			}
			depth--
			s.pos++
		case ',', ':', ' ', '\n', '\t', '\r':
			if depth == 0 {
				return nil, s.unexpected("a value")
			}
			s.pos++
			continue
		default:
			if !s.skipWord() {
				return nil, s.unexpected("a value")
			}
		}
		if depth == 0 {
			return s.data[start:s.pos], nil
		}
	}
	return nil, s.unexpected("the rest of a value")
}

func (s *scanner) skipWord() bool {
	start := s.pos
	for ; s.pos < len(s.data); s.pos++ {
		if c := s.data[s.pos]; (c < '0' || c > '9') && (c < 'a' || c > 'z') && c != 'E' && c != '-' && c != '+' &&
			c != '.' {
			break
		}
	}
	return s.pos > start
}

func (s *scanner) skipString() error {
	start := s.pos
	for i := start + 1; ; {
		n := bytes.IndexByte(s.data[i:], '"')
		if n < 0 {
			return s.fail("the string never ends: the file is cut off")
		}
		i += n
		// The quote closes after an even number of backslashes. start is a quote, so this ends.
		back := i
		for s.data[back-1] == '\\' {
			back--
		}
		if (i-back)%2 == 0 {
			s.pos = i + 1
			return nil
		}
		i++
	}
}
