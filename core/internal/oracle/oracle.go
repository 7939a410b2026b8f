// Package oracle is the second opinion on every answer of the engine: a recogniser and a mask that are slow and easy to
// believe. It reads the same grammar.Grammar and the structure of the same terminal expressions, and then works in
// another way altogether: terminals are matched by recursion over spans of the text, grammars by filling a chart from
// the right, and what may still be completed is read off automata built by subset construction, never by derivatives.
//
// Invariant: nothing here calls the automaton code of terminal, pushdown or mask; the only thing asked of a Store is
// Inspect. The package is for tests and must not be linked into anything that is shipped. Start reading at Oracle,
// then chart.go (grammars), spans.go (what a terminal matches) and automaton.go (what it may still become).
package oracle

import (
	"fmt"

	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// TooBig is what the oracle panics with when an automaton or a chart outgrows what a test should ask of it.
type TooBig struct{ What string }

// Error says what grew.
func (e TooBig) Error() string { return "oracle: too big for a naive answer: " + e.What }

// Token is an entry of a vocabulary as the oracle sees it.
type Token struct {
	// Spellings are the byte strings the token may stand for. An ordinary token has one; a special token has
	// Special(id), and besides it its text where special tokens count as the text they spell. None: never allowed.
	Spellings [][]byte
	End       bool // allowed where the text may end, and only there
}

// Special returns the byte string that stands for a token named by its id: text cannot contain it.
func Special(id uint32) []byte {
	return []byte{0xFF, byte(id >> 16), byte(id >> 8), byte(id)}
}

// Oracle answers for one grammar. One goroutine at a time.
type Oracle struct {
	g        *flat
	prefixes map[string]bool
}

// New reads the grammar. Lazy rules are expanded at once, so g must not be shared with an engine that expects to be
// the only one to expand them.
func New(st *terminal.Store, g *grammar.Grammar) *Oracle {
	return &Oracle{g: flatten(st, g), prefixes: map[string]bool{}}
}

// Accepts reports whether the whole text is in the language.
func (o *Oracle) Accepts(text []byte) bool {
	c := newChart(o.g, text, spanTerminals{newSpans(text)})
	return c.symbol(grammar.N(o.g.start), 0).has(len(text))
}

// Prefix reports whether some continuation of text, the empty one included, is in the language.
func (o *Oracle) Prefix(text []byte) bool {
	if v, ok := o.prefixes[string(text)]; ok {
		return v
	}
	// A text whose own prefix is dead needs no chart; masks over many tokens live from this.
	if n := len(text); n > 0 {
		if v, ok := o.prefixes[string(text[:n-1])]; ok && !v {
			o.prefixes[string(text)] = false
			return false
		}
	}
	c := newChart(o.g, text, automatonTerminals{o.g, text})
	whole := c.symbol(grammar.N(o.g.start), 0)
	v := whole.alive
	if whole.has(len(text)) && !v {
		panic("oracle: an accepted text is a prefix of itself")
	}
	o.prefixes[string(text)] = v
	return v
}

// LivePrefix is Prefix for a text of which nothing is known, tried from the left so that dead texts stay cheap.
func (o *Oracle) LivePrefix(text []byte) bool {
	for i := range text {
		if !o.Prefix(text[:i]) {
			return false
		}
	}
	return o.Prefix(text)
}

// Histories returns the texts that a sequence of tokens may stand for and that are still alive: one, unless some of the
// tokens have two spellings. It is empty if some token was not allowed.
func (o *Oracle) Histories(vocabulary []Token, ids []int32) [][]byte {
	alive := [][]byte{nil}
	for _, id := range ids {
		var next [][]byte
		for _, h := range alive {
			for _, s := range vocabulary[id].Spellings {
				if t := join(h, s); len(s) > 0 && o.LivePrefix(t) {
					next = append(next, t)
				}
			}
		}
		alive = next
	}
	return alive
}

// Mask tries every token after each of the texts: true where the token may come next.
func (o *Oracle) Mask(histories [][]byte, vocabulary []Token) []bool {
	mask := make([]bool, len(vocabulary))
	for _, h := range histories {
		ends := o.Accepts(h)
		for id, t := range vocabulary {
			if mask[id] || t.End {
				mask[id] = mask[id] || t.End && ends
				continue
			}
			for _, s := range t.Spellings {
				if len(s) > 0 && o.extend(h, s) {
					mask[id] = true
				}
			}
		}
	}
	return mask
}

// extend reports whether history followed by s is a live prefix, given that history is one.
func (o *Oracle) extend(history, s []byte) bool {
	t := join(history, s)
	for n := len(history) + 1; n <= len(t); n++ {
		if !o.Prefix(t[:n]) {
			return false
		}
	}
	return true
}

func join(a, b []byte) []byte { return append(append(make([]byte, 0, len(a)+len(b)), a...), b...) }

// Language returns every text of at most maxLen bytes of the alphabet that the grammar accepts, shortest first. It asks
// Accepts about every live prefix and so checks Prefix on the way: a live prefix that has an accepted extension within
// the bound is fine, a dead one with an accepted extension is reported as an error.
func (o *Oracle) Language(alphabet []byte, maxLen int) ([]string, error) {
	var out []string
	level := []string{""}
	for n := 0; n <= maxLen; n++ {
		var next []string
		for _, s := range level {
			accepted, live := o.Accepts([]byte(s)), o.Prefix([]byte(s))
			if accepted && !live {
				return nil, fmt.Errorf("%q is accepted but not a live prefix", s)
			}
			if accepted {
				out = append(out, s)
			}
			if !live {
				continue
			}
			for _, b := range alphabet {
				next = append(next, s+string([]byte{b}))
			}
		}
		level = next
	}
	return out, nil
}
