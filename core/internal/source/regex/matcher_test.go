package regex

import (
	"slices"
	"unicode/utf8"
)

// backtrack is a second opinion on the matches of a tree. It computes the ends of each node in the order of a
// backtracking matcher and shares nothing with lowering. Slow; for tests alone.
type backtrack struct {
	text []rune
	memo map[visit][]int
}

type visit struct {
	n *Node
	i int
}

func newBacktrack(text string) *backtrack {
	return &backtrack{[]rune(text), map[visit][]int{}}
}

func (b *backtrack) whole(n *Node) bool { return slices.Contains(b.ends(n, 0), len(b.text)) }

func (b *backtrack) search(n *Node) bool {
	for i := 0; i <= len(b.text); i++ {
		if len(b.ends(n, i)) > 0 {
			return true
		}
	}
	return false
}

func isWord(c rune) bool {
	return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c == '_'
}

func isLineEnd(c rune) bool { return c == '\n' || c == '\r' || c == 0x2028 || c == 0x2029 }

// ends lists the ends of n if it begins at i, the preferred end first, each once.
func (b *backtrack) ends(n *Node, i int) []int {
	key := visit{n, i}
	if e, ok := b.memo[key]; ok {
		return e
	}
	e := b.find(n, i)
	b.memo[key] = e
	return e
}

func (b *backtrack) find(n *Node, i int) []int {
	before := func(f func(rune) bool) bool { return i > 0 && f(b.text[i-1]) }
	after := func(f func(rune) bool) bool { return i < len(b.text) && f(b.text[i]) }
	when := func(holds bool) []int {
		if holds {
			return []int{i}
		}
		return nil
	}
	switch n.Op {
	case OpEmpty:
		return []int{i}
	case OpLiteral:
		for _, c := range n.Text {
			if i >= len(b.text) || b.text[i] != c {
				return nil
			}
			i++
		}
		return []int{i}
	case OpClass:
		for j := 0; j < len(n.Ranges) && i < len(b.text); j += 2 {
			if n.Ranges[j] <= b.text[i] && b.text[i] <= n.Ranges[j+1] {
				return []int{i + 1}
			}
		}
		return nil
	case OpConcat:
		now := []int{i}
		for _, s := range n.Subs {
			var next []int
			for _, j := range now {
				next = addNew(next, b.ends(s, j)...)
			}
			now = next
		}
		return now
	case OpAlternate:
		var out []int
		for _, s := range n.Subs {
			out = addNew(out, b.ends(s, i)...)
		}
		return out
	case OpRepeat:
		l := looper{b: b, n: n, seen: map[[2]int]bool{}}
		l.round(0, i)
		return l.out
	case OpAtomic:
		if e := b.ends(n.Subs[0], i); len(e) > 0 {
			return e[:1]
		}
		return nil
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
		return len(b.ends(n.Subs[0], i)) > 0
	}
	for j := 0; j <= i; j++ {
		if slices.Contains(b.ends(n.Subs[0], j), i) {
			return true
		}
	}
	return false
}

// looper runs one loop from one place.
type looper struct {
	b    *backtrack
	n    *Node
	seen map[[2]int]bool
	out  []int
}

func (l *looper) round(done, i int) {
	if l.seen[[2]int{done, i}] { // its ends were found before, in better order
		return
	}
	l.seen[[2]int{done, i}] = true
	// If there are more rounds than characters, one is empty, and it can be repeated.
	enough := done >= min(int(l.n.Min), len(l.b.text)+1)
	if enough && l.n.Lazy {
		l.out = addNew(l.out, i)
	}
	if done < int(l.n.Max) {
		for _, j := range l.b.ends(l.n.Subs[0], i) {
			if j == i && enough { // an empty round ends the loop, as in PCRE
				l.out = addNew(l.out, i)
				continue
			}
			l.round(done+1, j)
		}
	}
	if enough {
		l.out = addNew(l.out, i)
	}
}

func addNew(out []int, ends ...int) []int {
	for _, e := range ends {
		if !slices.Contains(out, e) {
			out = append(out, e)
		}
	}
	return out
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
