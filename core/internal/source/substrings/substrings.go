// Package substrings holds the machine for parts of a text.
//
// Invariant: it knows no grammar. Start reading at New.
package substrings

import (
	"encoding/binary"
	"sort"
	"strconv"
	"strings"

	"github.com/sluice-engine/sluice/core/internal/terminal"
)

// machine accepts the runs of neighbouring chunks of a text, including the empty run.
//
// A prefix occurs at the beginnings of some chunks, which are neighbours in sorted order. The state is this interval
// and the length of the prefix. For a single beginning it is the place in the text alone, since the history does not
// matter (Lemma 23). Immutable.
type machine struct {
	text   string
	starts []int32 // of chunks, sorted by the text from there on
	ends   []bool  // by place in the text: a chunk ends there
	bytes  terminal.ByteSet
}

// New returns the machine for runs of chunks, with a name that tells its language.
func New(chunks []string) (string, terminal.Machine) {
	m := &machine{text: strings.Join(chunks, "")}
	m.ends = make([]bool, len(m.text)+1)
	m.ends[0] = true
	begins := make([]bool, len(m.text)+1)
	var lengths strings.Builder
	at := 0
	for _, c := range chunks {
		begins[at] = true
		at += len(c)
		m.ends[at] = true
		lengths.WriteString(strconv.Itoa(len(c)) + " ")
	}
	for _, b := range []byte(m.text) {
		m.bytes.Add(b)
	}
	for _, at := range suffixes(m.text) {
		if begins[at] {
			m.starts = append(m.starts, at)
		}
	}
	return "substrings of " + lengths.String() + m.text, m
}

// suffixes returns the places of text, sorted by the text from there on. It sorts by prefixes of doubling length until
// they differ.
func suffixes(text string) []int32 {
	n := len(text)
	order, byRest, rank, next := make([]int32, n), make([]int32, n), make([]int32, n), make([]int32, n)
	count := make([]int32, max(256, n)+1)
	for i := range n {
		rank[i], byRest[i] = int32(text[i]), int32(i)
	}
	for reach := 0; ; reach = max(1, 2*reach) {
		if reach > 0 {
			at := 0
			for i := n - min(reach, n); i < n; i++ {
				byRest[at] = int32(i)
				at++
			}
			for _, i := range order {
				if int(i) >= reach {
					byRest[at] = i - int32(reach)
					at++
				}
			}
		}
		clear(count)
		for _, r := range rank {
			count[r+1]++
		}
		for r := 1; r < len(count); r++ {
			count[r] += count[r-1]
		}
		for _, i := range byRest {
			order[count[rank[i]]] = i
			count[rank[i]]++
		}
		rest := func(i int32) int32 {
			if int(i)+reach < n {
				return rank[int(i)+reach]
			}
			return -1
		}
		last := int32(-1)
		for k, i := range order {
			if k == 0 || rank[i] != rank[order[k-1]] || reach > 0 && rest(i) != rest(order[k-1]) {
				last++
			}
			next[i] = last
		}
		rank, next = next, rank
		if int(last) >= n-1 {
			return order
		}
	}
}

// Start implements terminal.Machine.
func (m *machine) Start() string { return m.state(0, len(m.starts), 0) }

// state names the state after read bytes of the texts at starts lo to hi.
func (m *machine) state(lo, hi, read int) string {
	b := make([]byte, 0, 16)
	if hi-lo == 1 {
		return string(binary.AppendUvarint(b, uint64(int(m.starts[lo])+read)))
	}
	for _, n := range []int{lo, hi, read} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	return string(b)
}

func numbers(state string) (list [3]int, several bool) {
	n := 0
	for b := []byte(state); len(b) > 0; n++ {
		v, size := binary.Uvarint(b)
		list[n], b = int(v), b[size:]
	}
	return list, n > 1
}

// Step implements terminal.Machine.
func (m *machine) Step(state string, b byte) (next string, ok bool) {
	list, several := numbers(state)
	if !several {
		at := list[0]
		if at >= len(m.text) || m.text[at] != b {
			return "", false
		}
		return string(binary.AppendUvarint(nil, uint64(at+1))), true
	}
	lo, hi, read := list[0], list[1], list[2]
	from := func(least int) int { // the first start from lo on whose next byte is at least that
		return lo + sort.Search(hi-lo, func(i int) bool {
			at := int(m.starts[lo+i]) + read
			return at < len(m.text) && int(m.text[at]) >= least
		})
	}
	first, end := from(int(b)), from(int(b)+1)
	if first == end {
		return "", false
	}
	return m.state(first, end, read+1), true
}

// Accepts implements terminal.Machine.
func (m *machine) Accepts(state string) bool {
	list, several := numbers(state)
	if !several {
		return m.ends[list[0]]
	}
	lo, hi, read := list[0], list[1], list[2]
	for _, start := range m.starts[lo:hi] {
		if read == 0 || m.ends[int(start)+read] {
			return true
		}
	}
	return false
}

// Bytes implements terminal.Machine.
func (m *machine) Bytes() terminal.ByteSet { return m.bytes }
