// Package ending finds how few tokens complete an output, and which tokens leave too few for that.
//
// In a small vocabulary, the tokens to the end of a state are exact if a bounded search finds them. Else they are the
// tokens of a completion along shortest texts, cut into as few tokens as possible. A completion certifies either
// number: its first token leads to a state whose number is less by one. So a sequence that keeps to the numbers always
// ends in time.
//
// Invariant: an answer depends on the state, the vocabulary and the stop tokens alone; earlier questions only make it
// faster. The package knows neither history nor constraints. Start reading at Finder.Tokens.
package ending

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/sluice-engine/sluice/core/internal/mask"
	"github.com/sluice-engine/sluice/core/internal/pushdown"
)

// Unknown stands for the number of tokens if no completion is known or exists.
const Unknown = 1 << 30

// Stops is the tokens that end a sequence.
type Stops struct {
	Text []uint32 // those besides the vocabulary's end tokens; they never count as text
	None bool     // there are none, so that an end takes no token
}

// Finder finds tokens to the end for the states of one generation. Shared and growing; safe for concurrent use.
type Finder struct {
	masks   *mask.Masks
	a       *pushdown.Automaton
	lexicon *lexicon
	stops   Stops
	end     int  // tokens that the end takes
	limited bool // the grammar limits tokens of rules, so one token more can close a way to the end
	spells  bool // each byte except the mark is a token that counts as text

	mu       sync.Mutex
	shortest *pushdown.Shortest
	facts    map[pushdown.Counted]fact
	bytes    map[pushdown.StateID]uint32
	nexts    map[pushdown.StateID][]next
	texts    map[pushdown.StateID][]byte
	direct   map[pushdown.StateID]*direct
	searched map[pushdown.StateID]searched
	walks    map[pushdown.StateID]*walk
	loops    map[pushdown.StateID]*loop
	search   int // bounds one search for bytes
	gaveUp   int // searches for fewer tokens that took too much

	// The present question; see meter.go.
	most, spent int        // spent includes facts that the question has found and not paid for yet
	account     *account   // of the question, or of the fact that is being found
	accounts    []*account // by depth

	tokens   table[atomic.Int32] // by state: tokens to the end + 1
	profiles table[atomic.Pointer[Profile]]
	highest  *pushdown.Highest
	bounds   table[atomic.Int32] // by state: tokens that suffice behind each token, + 1
}

// New returns a finder for the states of m.
func New(m *mask.Masks, stops Stops) *Finder {
	a := m.Automaton()
	f := &Finder{
		masks: m, a: a, lexicon: lexiconOf(m.Engine().Tokens()), stops: stops, end: 1,
		limited: a.Program().Limited(), shortest: pushdown.NewShortest(a),
		facts: map[pushdown.Counted]fact{}, bytes: map[pushdown.StateID]uint32{},
		nexts: map[pushdown.StateID][]next{}, texts: map[pushdown.StateID][]byte{},
		direct: map[pushdown.StateID]*direct{}, searched: map[pushdown.StateID]searched{},
		walks: map[pushdown.StateID]*walk{}, loops: map[pushdown.StateID]*loop{},
	}
	f.search = m.Engine().Store().Budgets().Mask / share
	f.spells = f.lexicon.complete && !slices.ContainsFunc(stops.Text, func(id uint32) bool {
		return len(f.lexicon.Text(id, m.TextView())) == 1
	})
	if stops.None {
		f.end = 0
	}
	return f
}

// Compares reports whether the grammar compares items of arrays and Lemma 228 gives no bound: if shortest texts need
// several items, beside other boolean nodes, if rules limit tokens, or if a byte has no token. Limits of tokens are
// refused for it.
func (f *Finder) Compares() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	compares, hard := f.shortest.Compares()
	return hard || compares && (f.limited || !f.spells)
}

// Tokens returns how few tokens complete an output that has reached state s, the end token counted; Unknown if no
// completion is known, or finding one takes too much.
func (f *Finder) Tokens(s pushdown.StateID) int {
	n, ok := f.Known(s)
	if !ok && !f.ask(0, func() { n = f.toEnd(s) }) {
		return Unknown
	}
	return n
}

// Known is Tokens for states that were asked for before, or may end here. It takes no lock.
func (f *Finder) Known(s pushdown.StateID) (n int, ok bool) {
	switch {
	case s <= pushdown.Over:
		return Unknown, true
	case f.a.Accepts(s):
		return f.end, true
	}
	if p := f.tokens.at(s); p != nil {
		n = int(p.Load())
	}
	return n - 1, n > 0
}

// toEnd is Tokens within a question. The question pays even for a known number.
func (f *Finder) toEnd(s pushdown.StateID) int {
	switch {
	case s <= pushdown.Over:
		return Unknown
	case f.a.Accepts(s):
		return f.end
	}
	n := f.directTokens(s)
	n = f.fewer(s, n)
	f.tokens.grow(s).Store(int32(n) + 1)
	return n
}

// Fits reports whether an output that has reached state s can be completed with n tokens. ok is false if finding out
// takes too much.
func (f *Finder) Fits(s pushdown.StateID, n int) (fits, ok bool) {
	if have, ok := f.Known(s); ok {
		return have <= n, true
	}
	ok = f.ask(0, func() { fits = f.fits(s, n) })
	return fits, ok
}

func (f *Finder) fits(s pushdown.StateID, n int) bool {
	if f.leastTokens(s) > n {
		return false
	}
	return f.mostTokens(s) <= n || f.toEnd(s) <= n
}

// mostTokens returns a number of tokens that completes s: a token for each byte, if the vocabulary has them. It is
// Unknown if no completion is known.
func (f *Finder) mostTokens(s pushdown.StateID) int {
	switch {
	case s <= pushdown.Over:
		return Unknown
	case f.a.Accepts(s):
		return f.end
	case !f.spells || f.limited:
		return f.directTokens(s)
	}
	return f.tokenEach(f.toEndBytes(s))
}

// tokenEach returns the number of tokens that end a text of that many bytes with a token for each.
func (f *Finder) tokenEach(bytes uint32) int {
	if bytes >= Unknown-1 {
		return Unknown
	}
	return f.end + int(bytes)
}

// leastTokens returns a number of tokens that every completion of s takes at least.
func (f *Finder) leastTokens(s pushdown.StateID) int {
	switch {
	case s <= pushdown.Over:
		return Unknown
	case f.a.Accepts(s):
		return f.end
	case f.limited && f.shortest.Cuts():
		return f.end + 1
	}
	n := f.toEndBytes(s)
	if n >= Unknown-1 {
		return Unknown
	}
	return f.end + (int(n)+f.lexicon.longest-1)/f.lexicon.longest
}

// table holds a value for each state. Readers take no lock; it grows under the finder's.
type table[T any] struct {
	pages atomic.Pointer[[]*[tablePage]T]
}

const tablePage = 512

func (t *table[T]) at(s pushdown.StateID) *T {
	pages := t.pages.Load()
	if pages == nil || int(s)/tablePage >= len(*pages) || (*pages)[s/tablePage] == nil {
		return nil
	}
	return &(*pages)[s/tablePage][s%tablePage]
}

// grow is at, and makes room for a state that has none.
func (t *table[T]) grow(s pushdown.StateID) *T {
	if p := t.at(s); p != nil {
		return p
	}
	var pages []*[tablePage]T
	if old := t.pages.Load(); old != nil {
		pages = append(pages, *old...)
	}
	for int(s)/tablePage >= len(pages) {
		pages = append(pages, nil)
	}
	pages[s/tablePage] = new([tablePage]T)
	t.pages.Store(&pages)
	return t.at(s)
}
