package core

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"

	"github.com/sluice-engine/sluice/core/internal/cache"
	"github.com/sluice-engine/sluice/core/internal/compiled"
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source"
)

// outcome is what a compilation came to. Immutable, but for what the grammar finds for its matchers.
type outcome struct {
	grammar *compiled.Grammar
	err     error
}

// errorBytes is what an error takes, about.
const errorBytes = 1024

func (c outcome) size() int {
	if c.grammar == nil {
		return errorBytes
	}
	return c.grammar.Held()
}

// fate says who may have it. A compilation that was stopped says nothing of the constraint. What a budget decided is
// passed on to those who wait, and not kept: nothing outlives the call but what follows from the text alone.
func (c outcome) fate() cache.Fate {
	if c.err == nil {
		return cache.Keep
	}
	switch AsError(c.err).Code {
	case CodeSyntax, CodeInvalid, CodeUnsupported, CodeUnsatisfiable:
		return cache.Keep
	case CodeLimit:
		return cache.Pass
	}
	return cache.Own
}

// compile returns the grammar of a constraint that is no request, one for all who ask for an equal one.
func (c *Compiler) compile(kind Kind, spec []byte, o *Options) (*compiled.Grammar, error) {
	// The text is the caller's; a structural tag reads its schemas when a tag is first entered, long after the call.
	run := func() (*compiled.Grammar, error) {
		g, err := inTurn(o, func(o *Options) (*compiled.Grammar, error) {
			return c.c.Compile(kind, bytes.Clone(spec), o)
		})
		if err == nil && c.warm > 0 && g.Effort() <= limits.WarmCompile {
			warmer.add(g, c.warm)
		}
		return g, err
	}
	if c.cache == nil || len(spec) > limits.SpecBytes { // the latter is refused unread
		if o.Stop != nil && o.Stop() {
			return nil, notBegun(kind)
		}
		return run()
	}
	result, ok := c.cache.Get(keyOf(kind, spec, o), o.Stop, func() (outcome, cache.Fate) {
		g, err := run()
		made := outcome{g, err}
		return made, made.fate()
	})
	if !ok {
		return nil, notBegun(kind)
	}
	return result.grammar, result.err
}

func notBegun(kind Kind) error {
	return diag.Errorf(CodeUnfinished, kind.String(), Place{}, "the compilation was stopped before it began")
}

// keyOf hashes what a grammar of a compiler depends on. The hash is one that nobody finds two texts for: a grammar is
// what keeps a model's output within bounds, and texts come from strangers.
func keyOf(kind Kind, spec []byte, o *Options) cache.Key {
	if kind == source.JSONObject || kind == source.AnyJSON {
		spec = nil // it is ignored
	}
	h := sha256.New()
	var room [128]byte
	head := binary.AppendUvarint(room[:0], uint64(kind))
	head = binary.AppendUvarint(head, uint64(len(spec)))
	h.Write(o.AppendKey(head))
	h.Write(spec)
	return cache.Key(h.Sum(nil))
}

// CacheStats counts what a compiler's cache of grammars has done, and what the compiler holds.
type CacheStats struct {
	cache.Stats
	// TokenSetBytes is what the token sets take that the compiler's grammars share, about: 64 MiB at most. Those that a
	// grammar uses count as its own too, so that the sum of all is no less than what they take.
	TokenSetBytes int
}

// CacheStats returns what the cache of grammars has done, and what it holds; 0 where there is none. Grammars are
// kept by a hash of kind, text and options, up to CompilerConfig.CacheBytes. Where there is no room, those that are
// asked for again take the place of those that nobody has asked for the longest time, which matchers and whoever holds
// them do not notice. Errors are kept too, if they are about what was written. Equal constraints that are asked for at
// the same time are compiled once.
func (c *Compiler) CacheStats() CacheStats {
	s := CacheStats{TokenSetBytes: c.c.TokenSetBytes()}
	if c.cache != nil {
		s.Stats = c.cache.Stats()
	}
	return s
}

// ClearCache lets go of the grammars that are kept.
func (c *Compiler) ClearCache() {
	if c.cache != nil {
		c.cache.Clear()
	}
}
