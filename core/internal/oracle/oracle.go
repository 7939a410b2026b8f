// Package oracle is the second opinion on every answer of the engine: a slow recogniser that is easy to believe. Tests
// compare a mask with its verdict on the text followed by each token. It reads the same grammar.Grammar and the
// structure of the same terminal expressions, and then works differently throughout: it matches terminals by recursion
// over spans of the text, fills a chart from the right for grammars, and reads possible completions off automata built
// by subset construction, never by derivatives.
//
// Invariant: nothing here calls the automaton code of terminal, pushdown or mask; the package asks a Store only for the
// structure of its expressions (inspect.Of). The package is for tests and must not be linked into anything shipped.
// Start reading at Oracle, then chart.go (grammars), spans.go (matches of terminals) and automaton.go (their possible
// completions).
package oracle

import (
	"github.com/sluice-engine/sluice/core/internal/grammar"
	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// TooBig is the oracle's panic value if an automaton or a chart exceeds its bound.
type TooBig struct{ What string }

// Error names the structure that grew.
func (e TooBig) Error() string { return "oracle: too big for a naive answer: " + e.What }

// Special returns the byte string that stands for a token named by its id: text cannot contain it.
func Special(id uint32) []byte {
	return []byte{0xFF, byte(id >> 16), byte(id >> 8), byte(id)}
}

// Oracle answers for one grammar. One goroutine at a time.
type Oracle struct {
	g        *flat
	prefixes map[string]bool
}

// New reads the grammar and expands its lazy rules at once, so no engine that expects to be the only one to expand them
// may share g.
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
	// A text with a dead prefix needs no chart; this makes masks over many tokens affordable.
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

// LivePrefix is Prefix for a new text, tried from the left so that dead texts stay cheap.
func (o *Oracle) LivePrefix(text []byte) bool {
	for i := range text {
		if !o.Prefix(text[:i]) {
			return false
		}
	}
	return o.Prefix(text)
}

func join(a, b []byte) []byte { return append(append(make([]byte, 0, len(a)+len(b)), a...), b...) }
