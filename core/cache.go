package core

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"

	"github.com/sluice-engine/sluice/core/internal/cache"
	"github.com/sluice-engine/sluice/core/internal/compiled"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/metrics"
	"github.com/sluice-engine/sluice/core/internal/source"
)

// outcome is the result of a compilation: a grammar or an error. Immutable except for the grammar's own caches.
type outcome struct {
	grammar *compiled.Grammar
	err     error
}

// errorBytes is the approximate size of an error.
const errorBytes = 1024

func (c outcome) size() int {
	if c.grammar == nil {
		return errorBytes
	}
	return c.grammar.Held()
}

// fate decides who gets the outcome. Only results that follow from the text alone are cached. An error of a budget goes to
// the callers that wait, too. A stopped compilation says nothing about the constraint, so its error goes to its caller.
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

// compile returns the grammar of a constraint other than a request. Equal constraints share it.
func (c *Compiler) compile(kind Kind, spec []byte, o *source.Options) (*compiled.Grammar, error) {
	// A structural tag reads its schemas when a tag is first entered, after the caller may have changed the text.
	run := func() (*compiled.Grammar, error) {
		begin := metrics.Now()
		g, err := inTurn(o, func(o *source.Options) (*compiled.Grammar, error) {
			return c.c.Compile(source.Kind(kind), bytes.Clone(spec), o)
		})
		if err == nil && c.warm > 0 && g.Effort() <= limits.WarmCompile {
			warmer.add(g, c.warm)
		}
		if err == nil || AsError(err).Code != CodeUnfinished {
			c.c.Metrics().Compiled.Since(begin)
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
	return Errorf(CodeUnfinished, kind.String(), "the compilation was stopped before it began")
}

// keyOf hashes everything that a grammar of a compiler depends on. The hash resists collisions, because constraints
// come from strangers and a wrong grammar would let their outputs escape.
func keyOf(kind Kind, spec []byte, o *source.Options) cache.Key {
	if kind == JSONObject || kind == AnyJSON {
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

// CacheStats counts the work of a compiler's cache of grammars, and the memory that the compiler holds.
type CacheStats struct {
	Hits      uint64 // compilations that found a grammar in the cache
	Misses    uint64 // compilations that made one
	Joined    uint64 // compilations that waited for another one of an equal constraint
	Evictions uint64 // grammars dropped for lack of room
	Entries   int    // grammars and errors in the cache
	Bytes     int    // memory of all entries, approximately
	Limit     int    // the most that Bytes may be
	// TokenSetBytes is the memory of the token sets that the compiler's grammars share, approximately; 64 MiB at most.
	// Stats.Bytes of each grammar counts the sets that it uses too, so the sum over all grammars exceeds the memory.
	TokenSetBytes int
}

// CacheStats returns the counters of the cache; they are 0 if CompilerConfig.CacheBytes turns it off.
//
// The cache holds grammars by a hash of kind, text and options, up to CompilerConfig.CacheBytes. When it is full,
// grammars that are asked for again replace those that were not asked for longest; their matchers keep working. Errors
// about the constraint are cached too. Equal constraints that are compiled at the same time are compiled once.
func (c *Compiler) CacheStats() CacheStats {
	s := CacheStats{TokenSetBytes: c.c.TokenSetBytes()}
	if c.cache != nil {
		x := c.cache.Stats()
		s.Hits, s.Misses, s.Joined, s.Evictions = x.Hits, x.Misses, x.Joined, x.Evictions
		s.Entries, s.Bytes, s.Limit = x.Entries, x.Bytes, x.Limit
	}
	return s
}

// ClearCache empties the cache. Grammars that are in use stay.
func (c *Compiler) ClearCache() {
	if c.cache != nil {
		c.cache.Clear()
	}
}
