package tokenizer

import (
	"bytes"
	"slices"
	"unicode"
	"unicode/utf8"
)

// added finds added tokens in text as the tokenizers library does: the leftmost one, and the longest of those that
// begin there.
type added struct {
	list   []addedToken // sorted by text
	first  [4]uint64    // bytes with which one begins
	last   [4]uint64    // bytes with which one ends
	lstrip bool         // some tokens take the whitespace before them
	rstrip bool         // some tokens take the whitespace behind them
}

type addedToken struct {
	text []byte
	id   uint32
	// unsure: the library treats the text around this token in a special way (lstrip, rstrip, single_word), or finds it
	// after it has normalized the text. The tokens behind it are not known.
	unsure bool
	rstrip bool
}

func newAdded(list []addedToken) added {
	list = slices.DeleteFunc(slices.Clone(list), func(t addedToken) bool { return len(t.text) == 0 })
	slices.SortStableFunc(list, func(a, b addedToken) int { return bytes.Compare(a.text, b.text) })
	a := added{list: list}
	for _, t := range list {
		a.first[t.text[0]/64] |= 1 << (t.text[0] % 64)
		b := t.text[len(t.text)-1]
		a.last[b/64] |= 1 << (b % 64)
		a.rstrip = a.rstrip || t.rstrip
	}
	return a
}

// alter reports whether an added token before an offset may change the first token from there on: the token takes the
// whitespace there, or the tokenizer puts a space behind it (prefixed).
func (a *added) alter(text []byte, at int, prefixed bool) bool {
	if prefixed && a.end(text[:at], false) {
		return true
	}
	if next, _ := utf8.DecodeRune(text[at:]); !a.rstrip || !prefixed && !unicode.IsSpace(next) {
		return false
	}
	before := bytes.TrimRightFunc(text[:at], unicode.IsSpace)
	return len(before) == 0 || a.end(before, true) // a token may stand before the text
}

// end reports whether a text ends with an added token.
func (a *added) end(text []byte, rstrip bool) bool {
	if len(text) == 0 || a.last[text[len(text)-1]/64]>>(text[len(text)-1]%64)&1 == 0 {
		return false
	}
	return slices.ContainsFunc(a.list, func(t addedToken) bool {
		return (t.rstrip || !rstrip) && bytes.HasSuffix(text, t.text)
	})
}

// find returns the first added token from an offset on, or −1. unsure says that a token may begin at from: that depends
// on the text behind, or on the library in a way that is not known.
func (a *added) find(text []byte, at int, ends bool) (from, to int, id uint32, unsure bool) {
	for i := at; i < len(text); i++ {
		if a.first[text[i]/64]>>(text[i]%64)&1 == 0 {
			continue
		}
		// INVARIANT: the elements lo to hi begin with text[i:i+n].
		lo, hi, best := 0, len(a.list), -1
		n := 0
		for ; lo < hi && i+n < len(text); n++ {
			b := text[i+n]
			lo += searchByte(a.list[lo:hi], n, b)
			hi = lo + searchByte(a.list[lo:hi], n, b+1)
			if b == 255 {
				hi = lo + len(a.list[lo:hi])
			}
			if lo < hi && len(a.list[lo].text) == n+1 {
				best = lo
			}
		}
		longer := lo < hi && i+n == len(text) && len(a.list[hi-1].text) > n
		if longer && !ends || best >= 0 && a.list[best].unsure {
			return i, i, 0, true
		}
		if best >= 0 {
			return i, i + len(a.list[best].text), a.list[best].id, false
		}
	}
	return -1, -1, 0, false
}

// searchByte returns the number of tokens whose byte n is less than b; shorter ones count.
func searchByte(list []addedToken, n int, b byte) int {
	i, _ := slices.BinarySearchFunc(list, b, func(t addedToken, b byte) int {
		if len(t.text) <= n {
			return -1
		}
		return int(t.text[n]) - int(b)
	})
	return i
}
