package tokenizer

import (
	"bytes"
	"slices"
)

// added finds added tokens in text as the tokenizers library does: the leftmost one, and the longest of those that
// begin there.
type added struct {
	list  []addedToken // sorted by text
	first [4]uint64    // bytes with which one begins
}

type addedToken struct {
	text []byte
	id   uint32
	// unsure: the library treats the text around this token in a special way (lstrip, rstrip, single_word), or finds it
	// after it has normalized the text. The tokens behind it are not known.
	unsure bool
}

func newAdded(list []addedToken) added {
	list = slices.DeleteFunc(slices.Clone(list), func(t addedToken) bool { return len(t.text) == 0 })
	slices.SortStableFunc(list, func(a, b addedToken) int { return bytes.Compare(a.text, b.text) })
	a := added{list: list}
	for _, t := range list {
		a.first[t.text[0]/64] |= 1 << (t.text[0] % 64)
	}
	return a
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
