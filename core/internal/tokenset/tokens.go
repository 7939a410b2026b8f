// Package tokenset finds and keeps the tokens of a vocabulary in which one terminal state goes on.
//
// Tokens is a vocabulary. Sets holds a Class for each terminal state that deserves one: tokens that stay inside the
// terminal, and tokens that leave it part of the way. A class is a difference from a wider one (difference.go), or the
// result of a walk. Walk (walk.go) follows a trie along the states of a terminal (facts.go). Its visitor gathers a
// class (classwalk.go) or a counted class (countedwalk.go). All grammars of a vocabulary share classes (shared.go),
// which can be saved to a file (saved.go). Costs are counted as if no class were known (meter.go).
//
// Invariant: a class equals the result of following every token, which tests compare. The package knows terminals and
// tokens, but neither automata nor grammars. Start reading at Sets.Class (find.go).
package tokenset

import (
	"bytes"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/spelling"
	"github.com/sluice-engine/sluice/core/internal/tokentrie"
)

// Config describes a vocabulary.
type Config struct {
	// Bytes is the text of every token by id, and of a special token the text that it spells. nil: no text, as for end
	// tokens.
	Bytes   [][]byte
	Special []uint32 // special tokens; some masks allow them as the text that they spell, see Tokens.Text
	End     []uint32
	Words   int      // 32-bit words of a row
	Order   []uint32 // Trie.Order of an equal vocabulary, to save the sorting; nil: unknown
}

// Tokens is a vocabulary as masks see it, with the token sets that all its compilers share. Shared and growing; safe
// for concurrent use.
type Tokens struct {
	distinctTokens
	Keeper
	Trie      *tokentrie.Trie
	Count     uint32 // number of ids
	words     int
	EndTokens []uint32
	IsSpec    []bool                     // by id
	Clear     []wordMask                 // special tokens, by word of a row
	All       []uint32                   // every token in the trie
	Marked    []MarkedToken              // text that is not in the trie
	Quotes    []uint32                   // tokens with a quote in them
	Runes     int                        // most code points that begin in one token
	byRunes   []uint32                   // tokens of the trie by the code points that begin in them
	upTo      []uint32                   // byRunes[:upTo[n]] have at most n
	short     []atomic.Pointer[[]uint32] // results of upToRunes
	numbers   atomic.Uint64              // of Masks; see NextNumber

	sets            tokenSets
	scratches, rows sync.Pool // memory of computations of masks
}

// MarkedToken is a token with a byte 0xFF, and its text as automata read it (spelling.Text). A vocabulary with a token
// for every byte has one.
type MarkedToken struct {
	ID   uint32
	Text []byte
}

// wordMask is the bits of one word of a row.
type wordMask struct {
	Word uint32
	Bits uint32
}

// NewTokens prepares a vocabulary. It returns nil if c.Order is the order of another vocabulary.
func NewTokens(c Config) *Tokens {
	trie := (*tokentrie.Trie)(nil)
	if c.Order == nil {
		trie = tokentrie.New(c.Bytes)
	} else if t, ok := tokentrie.Ordered(c.Bytes, c.Order); ok {
		trie = t
	} else {
		return nil
	}
	t := &Tokens{
		Trie: trie, Count: uint32(len(c.Bytes)), words: c.Words,
		EndTokens: slices.Clone(c.End),
		IsSpec:    make([]bool, len(c.Bytes)), All: make([]uint32, c.Words),
		Quotes: make([]uint32, c.Words),
	}
	special := slices.Clone(c.Special)
	slices.Sort(special)
	for _, id := range special {
		if id >= t.Count {
			continue
		}
		t.IsSpec[id] = true
		if t.Trie.Rank[id] == tokentrie.NoToken {
			continue
		}
		if k := len(t.Clear) - 1; k >= 0 && t.Clear[k].Word == id>>5 {
			t.Clear[k].Bits |= 1 << (id & 31)
		} else {
			t.Clear = append(t.Clear, wordMask{id >> 5, 1 << (id & 31)})
		}
	}
	for _, id := range t.Trie.Order {
		t.All[id>>5] |= 1 << (id & 31)
		if bytes.IndexByte(t.Trie.Bytes[id], '"') >= 0 {
			t.Quotes[id>>5] |= 1 << (id & 31)
		}
	}
	for id, b := range c.Bytes {
		if len(b) <= tokentrie.MaxTokenBytes && bytes.IndexByte(b, terminal.TokenMark) >= 0 {
			t.Marked = append(t.Marked, MarkedToken{uint32(id), spelling.Text(b)})
		}
	}
	t.countRunes()
	t.distinctTokens = sortForDistinct(t.Trie, t.words)
	return t
}

// countRunes sorts the tokens by how many code points begin in them.
func (t *Tokens) countRunes() {
	counts := make([]uint16, t.Count)
	for _, id := range t.Trie.Order {
		counts[id] = uint16(t.runesOf(id))
		t.Runes = max(t.Runes, int(counts[id]))
	}
	t.upTo = make([]uint32, t.Runes+1)
	for _, id := range t.Trie.Order {
		t.upTo[counts[id]]++
	}
	for i := 1; i < len(t.upTo); i++ {
		t.upTo[i] += t.upTo[i-1]
	}
	t.byRunes = make([]uint32, len(t.Trie.Order))
	next := append([]uint32{0}, t.upTo...)
	for _, id := range t.Trie.Order {
		t.byRunes[next[counts[id]]] = id
		next[counts[id]]++
	}
	t.short = make([]atomic.Pointer[[]uint32], t.Runes+1)
}

// runesOf returns how many code points begin in token id.
func (t *Tokens) runesOf(id uint32) (n int) {
	for _, b := range t.Trie.Bytes[id] {
		if b&0xC0 != 0x80 {
			n++
		}
	}
	return n
}

// upToRunes returns the tokens in which at most n code points begin, as a bitmap.
func (t *Tokens) upToRunes(n uint32) []uint32 {
	n = min(n, uint32(t.Runes))
	if p := t.short[n].Load(); p != nil {
		return *p
	}
	bm := slices.Clone(t.All)
	for _, id := range t.byRunes[t.upTo[n]:] {
		bm[id>>5] &^= 1 << (id & 31)
	}
	t.short[n].Store(&bm)
	return bm
}

// Words returns the number of 32-bit words in a row.
func (t *Tokens) Words() int { return t.words }

// Size returns how many bytes the tokens hold, approximately.
func (t *Tokens) Size() int { return t.Trie.Size() + len(t.All)*4 + len(t.IsSpec) }

// Text returns the bytes that token id adds to the text, as automata read them, nil if it is not text. With textView,
// special tokens count as the text that they spell.
func (t *Tokens) Text(id uint32, textView bool) []byte {
	if id >= t.Count || t.IsSpec[id] && !textView {
		return nil
	}
	if b := t.Trie.Bytes[id]; b != nil {
		return b
	}
	for _, m := range t.Marked {
		if m.ID == id {
			return m.Text
		}
	}
	return nil
}

// TakeRow takes a row from the pool. Its content is arbitrary.
func (t *Tokens) TakeRow() []uint32 {
	if row, ok := t.rows.Get().(*[]uint32); ok {
		return *row
	}
	return make([]uint32, t.words)
}

// GiveRow puts a row back into the pool.
func (t *Tokens) GiveRow(row []uint32) { t.rows.Put(&row) }

// NextNumber returns a number that it has not returned before.
func (t *Tokens) NextNumber() uint64 { return t.numbers.Add(1) }

// IsText reports whether token id has a text. Special tokens have one, too.
func (t *Tokens) IsText(id uint32) bool {
	return id < t.Count && (t.All[id>>5]>>(id&31)&1 != 0 ||
		slices.ContainsFunc(t.Marked, func(m MarkedToken) bool { return m.ID == id }))
}

// Texts overwrites row with the tokens that have a text.
func (t *Tokens) Texts(row []uint32) {
	clear(row[copy(row, t.All):])
	for _, m := range t.Marked {
		row[m.ID>>5] |= 1 << (m.ID & 31)
	}
}

// Forget drops the token sets that grammars of the vocabulary share, so that masks take as long as at first.
func (t *Tokens) Forget() {
	t.sets.mu.Lock()
	defer t.sets.mu.Unlock()
	t.sets.recent, t.sets.older, t.sets.bytes, t.sets.olderBytes = nil, nil, 0, 0
}

// SharedBytes returns the approximate size of the token sets that grammars of the vocabulary share: at most
// limits.TokenSetBytes and two sets more.
func (t *Tokens) SharedBytes() int {
	t.sets.mu.RLock()
	defer t.sets.mu.RUnlock()
	return t.sets.bytes + t.sets.olderBytes
}
