package regex

import "unicode/utf8"

// backtrack is a second opinion on what a tree matches: a backtracking matcher that shares nothing with lowering. It takes
// exponential time and should never be used outside of tests.
type backtrack struct{ text []rune }

func newBacktrack(text string) *backtrack { return &backtrack{[]rune(text)} }

func (b *backtrack) whole(n *Node) bool {
	return b.match(n, 0, func(end int) bool { return end == len(b.text) })
}

func (b *backtrack) search(n *Node) bool {
	for i := 0; i <= len(b.text); i++ {
		if b.match(n, i, func(int) bool { return true }) {
			return true
		}
	}
	return false
}

func isWord(c rune) bool {
	return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c == '_'
}

func isLineEnd(c rune) bool { return c == '\n' || c == '\r' || c == 0x2028 || c == 0x2029 }

// match tries n at position i and calls k with each end in order of preference until k is content.
func (b *backtrack) match(n *Node, i int, k func(int) bool) bool {
	before := func(f func(rune) bool) bool { return i > 0 && f(b.text[i-1]) }
	after := func(f func(rune) bool) bool { return i < len(b.text) && f(b.text[i]) }
	when := func(cond bool) bool { return cond && k(i) }
	switch n.Op {
	case OpEmpty:
		return k(i)
	case OpLiteral:
		for _, c := range n.Text {
			if i >= len(b.text) || b.text[i] != c {
				return false
			}
			i++
		}
		return k(i)
	case OpClass:
		if i >= len(b.text) {
			return false
		}
		for j := 0; j < len(n.Ranges); j += 2 {
			if n.Ranges[j] <= b.text[i] && b.text[i] <= n.Ranges[j+1] {
				return k(i + 1)
			}
		}
		return false
	case OpConcat:
		return b.sequence(n.Subs, i, k)
	case OpAlternate:
		for _, s := range n.Subs {
			if b.match(s, i, k) {
				return true
			}
		}
		return false
	case OpRepeat:
		return b.repeat(n, 0, i, k)
	case OpAtomic:
		first := -1
		b.match(n.Subs[0], i, func(end int) bool { first = end; return true })
		return first >= 0 && k(first)
	case OpLook:
		return when(b.look(n, i) != n.Negative)
	case OpBegin:
		return when(i == 0)
	case OpEnd:
		return when(i == len(b.text))
	case OpLineBegin:
		return when(i == 0 || before(isLineEnd))
	case OpLineEnd:
		return when(i == len(b.text) || after(isLineEnd))
	case OpWord:
		return when(before(isWord) != after(isWord))
	case OpNotWord:
		return when(before(isWord) == after(isWord))
	}
	panic("unknown op")
}

func (b *backtrack) look(n *Node, i int) bool {
	if !n.Behind {
		return b.match(n.Subs[0], i, func(int) bool { return true })
	}
	for j := 0; j <= i; j++ {
		if b.match(n.Subs[0], j, func(end int) bool { return end == i }) {
			return true
		}
	}
	return false
}

func (b *backtrack) sequence(subs []*Node, i int, k func(int) bool) bool {
	if len(subs) == 0 {
		return k(i)
	}
	return b.match(subs[0], i, func(j int) bool { return b.sequence(subs[1:], j, k) })
}

func (b *backtrack) repeat(n *Node, done uint32, i int, k func(int) bool) bool {
	if done >= n.Min && n.Lazy && k(i) {
		return true
	}
	if done < n.Max {
		again := func(j int) bool {
			if j == i && done >= n.Min { // an empty round ends the loop, as in PCRE
				return k(j)
			}
			return b.repeat(n, done+1, j, k)
		}
		if b.match(n.Subs[0], i, again) {
			return true
		}
	}
	return done >= n.Min && !n.Lazy && k(i)
}

// texts lists every text over the alphabet of at most n characters.
func texts(alphabet string, n int) []string {
	out := []string{""}
	for from := 0; n > 0; n-- {
		end := len(out)
		for _, t := range out[from:end] {
			for _, c := range alphabet {
				out = append(out, t+string(c))
			}
		}
		from = end
	}
	return out
}

// jsonEscaped spells every character as a \u escape.
func jsonEscaped(text string) string {
	const hex = "0123456789abcdef"
	var out []byte
	unit := func(u rune) {
		out = append(out, '\\', 'u', hex[u>>12&15], hex[u>>8&15], hex[u>>4&15], hex[u&15])
	}
	for _, c := range text {
		if c > 0xFFFF {
			unit(0xD800 + (c-0x10000)>>10)
			unit(0xDC00 + (c-0x10000)&0x3FF)
			continue
		}
		unit(c)
	}
	if !utf8.Valid(out) {
		panic("escapes are ASCII")
	}
	return string(out)
}
