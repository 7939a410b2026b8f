package table

import "github.com/sluice-engine/sluice/core/internal/limits"

// thenMost is how many bytes a text after a table may have: where it may have begun is a set in one word.
const thenMost = 63

// Then returns the texts of t with text behind them. ok is false if text is too long, or if there would be more than
// limits.TableStates states.
func (t *Table) Then(text string) (_ *Table, ok bool) {
	if len(text) > thenMost {
		return nil, false
	}
	// A state is one of t, 0 if t cannot go on, and how many bytes of text may have been read: bit n stands for n.
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
