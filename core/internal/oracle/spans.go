package oracle

import (
	"bytes"
	"unicode/utf8"

	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// ends holds the ends of matches that start at one place, and their tags: end position → tags. Never changed after it
// has been returned.
type ends map[int]tags

func (e ends) add(j int, t tags) {
	if len(t) > 0 {
		e[j] = e[j].union(t)
	}
}

// spans matches trees against one text by memoised recursion, by the definition of each operator.
type spans struct {
	text []byte
	memo map[spanKey]ends
}

type spanKey struct {
	t *tree
	i int
}

func newSpans(text []byte) *spans { return &spans{text: text, memo: map[spanKey]ends{}} }

// from returns the ends of matches of t that start at i.
func (s *spans) from(t *tree, i int) ends {
	if e, ok := s.memo[spanKey{t, i}]; ok {
		return e
	}
	e := s.match(t, i)
	s.memo[spanKey{t, i}] = e
	return e
}

func (s *spans) match(t *tree, i int) ends {
	out := ends{}
	switch t.op {
	case opEmpty:
	case opEpsilon:
		out.add(i, tags{bare})
	case opTag:
		out.add(i, tags{t.tag})
	case opSet:
		if i < len(s.text) && t.set[s.text[i]] {
			out.add(i+1, tags{bare})
		}
	case opConcat:
		out = ends{i: {bare}}
		for _, a := range t.args {
			out = s.then(out, a)
		}
	case opOr:
		for _, a := range t.args {
			for j, g := range s.from(a, i) {
				out.add(j, g)
			}
		}
	case opAnd:
		for j := i; j <= len(s.text); j++ {
			g := tags{bare}
			for _, a := range t.args {
				g = g.meet(s.from(a, i)[j])
			}
			out.add(j, g)
		}
	case opNot:
		for j := i; j <= len(s.text); j++ {
			if len(s.from(t.args[0], i)[j]) == 0 {
				out.add(j, tags{bare})
			}
		}
	case opRepeat:
		return s.repeat(t, i)
	case opCounted:
		for j, g := range s.from(t.args[0], i) {
			n, ok := codePoints(s.text[i:j], t.enc)
			if ok && n >= int(t.min) && (t.max == terminal.Unbounded || n <= int(t.max)) {
				out.add(j, g)
			}
		}
	case opGiven:
		state, ok := t.state, true
		for j := i; ok; j++ {
			if t.given.Accepts(state) {
				out.add(j, tags{bare})
			}
			if j == len(s.text) {
				break
			}
			state, ok = t.given.Step(state, s.text[j])
		}
	case opScan:
		for j := i; j <= len(s.text); j++ {
			out.add(j, t.scanned(s.text[i:j]))
		}
	}
	return out
}

// then extends each of the ends by a match of t.
func (s *spans) then(from ends, t *tree) ends {
	out := ends{}
	for j, g := range from {
		for k, h := range s.from(t, j) {
			out.add(k, g.meet(h))
		}
	}
	return out
}

func (s *spans) repeat(t *tree, i int) ends {
	out, at := ends{}, ends{i: {bare}}
	// More rounds than bytes repeat known results: a body that consumes has no text left, and a body that does not has
	// already reached everything that it can.
	rounds := len(s.text) - i + 2
	for n := 0; ; n++ {
		if n >= int(t.min) || n >= rounds {
			for j, g := range at {
				out.add(j, g)
			}
		}
		if t.max != terminal.Unbounded && n >= int(t.max) || n >= rounds {
			return out
		}
		if at = s.then(at, t.args[0]); len(at) == 0 {
			return out
		}
	}
}

// scanned returns the tags of free text: see Store.Scan.
func (t *tree) scanned(text []byte) tags {
	patterns := t.scan
	if !t.isText(text, false) {
		return nil
	}
	// first is the end of the occurrence that ends earliest.
	first := -1
	for _, p := range patterns {
		if k := bytes.Index(text, []byte(p.Text)); k >= 0 && (first < 0 || k+len(p.Text) < first) {
			first = k + len(p.Text)
		}
	}
	if first < 0 {
		return tags{terminal.ScanEnd}
	}
	if first < len(text) {
		return nil
	}
	return ending(patterns, text)
}

// mark is a byte that always comes four times in a row in text, see spelling.Text.
const mark = 0xFF

// isText reports whether text consists of the characters, or the bytes, that free text may have; begun: it may be cut
// off.
func (t *tree) isText(text []byte, begun bool) bool {
	for len(text) > 0 {
		size := 1
		switch r, n := utf8.DecodeRune(text); {
		case !t.anyBytes && r == utf8.RuneError && n == 1:
			return begun && !utf8.FullRune(text)
		case !t.anyBytes:
			size = n
		case text[0] == mark:
			size = 0
			for size < len(text) && size < 4 && text[size] == mark {
				size++
			}
			if size < 4 {
				return begun && size == len(text)
			}
		}
		text = text[size:]
	}
	return true
}

// ending returns the tags of a text that ends in the first occurrence of a pattern, or of several at once: the longest
// counts.
func ending(patterns []terminal.ScanPattern, text []byte) tags {
	var out tags
	longest := 0
	for _, p := range patterns {
		if bytes.HasSuffix(text, []byte(p.Text)) {
			longest = max(longest, len(p.Text))
		}
	}
	for _, p := range patterns {
		if len(p.Text) == longest && bytes.HasSuffix(text, []byte(p.Text)) {
			if p.Kill {
				return nil
			}
			out = out.with(p.Tag)
		}
	}
	return out
}
