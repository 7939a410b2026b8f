package table

import "github.com/sluice-engine/sluice/core/internal/limits"

// thenMost bounds the bytes of a text after a table: the numbers of bytes that may have been read, as bits, fit a word.
const thenMost = 63

// Then returns the texts of t followed by text. ok is false if text is too long, or the result exceeds
// limits.TableStates.
func (t *Table) Then(text string) (_ *Table, ok bool) {
	if len(text) > thenMost {
		return nil, false
	}
	// A state is a state of t, 0 if dead, and the numbers of bytes of text that may have been read, as bits.
	type progress struct {
		state uint32
		read  uint64
	}
	var goesOn [256]uint64 // by byte: the numbers of bytes that it may follow
	for n := range len(text) {
		goesOn[text[n]] |= 1 << n
	}
	enter := func(state uint32, read uint64) progress {
		if t.final[state] {
			read |= 1
		}
		return progress{state, read}
	}
	places := []progress{{}, enter(start, 0)}
	number := map[progress]uint32{{}: 0, places[start]: start}
	rows := []row{nil}
	for i := start; i < len(places); i++ {
		if len(places) > limits.TableStates {
			return nil, false
		}
		var r row
		at := places[i]
		last, lastNumber := progress{}, uint32(0)
		for b := range 256 {
			to := enter(t.to(at.state, byte(b)), at.read&goesOn[b]<<1)
			if to == last {
				r = r.with(uint8(b), lastNumber)
				continue
			}
			n, ok := number[to]
			if !ok {
				n = uint32(len(places))
				number[to] = n
				places = append(places, to)
			}
			r = r.with(uint8(b), n)
			last, lastNumber = to, n
		}
		rows = append(rows, r)
	}
	final := make([]bool, len(places))
	for i, p := range places {
		final[i] = p.read>>len(text)&1 != 0
	}
	return ofRows(rows, final), true
}

// Has reports whether a text of t has byte b in it.
func (t *Table) Has(b byte) bool {
	for state := range t.final {
		if t.to(uint32(state), b) != 0 {
			return true
		}
	}
	return false
}
