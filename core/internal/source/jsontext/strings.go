package jsontext

import (
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/work"
)

const stringWork = 1

// Strings returns the strings of a document that is a non-empty array of strings. ok is false for any other text, for
// which Read reports details.
//
// PERF: a million strings take 16 bytes each instead of the 72 of a node. They are counted first, because a growing
// list takes three times the memory until it is collected.
func Strings(text string, m *work.Meter) (list []string, ok bool) {
	n := 0
	if diag.InvalidUTF8(text) >= 0 || !eachString(text, m, func(string) { n++ }) {
		return nil, false
	}
	list = make([]string, 0, n)
	return list, eachString(text, m, func(s string) { list = append(list, s) })
}

// eachString calls f with each string of such a document, and reports whether the document is one.
func eachString(text string, m *work.Meter, f func(string)) bool {
	r := &reader{s: text}
	if !r.take('[') {
		return false
	}
	for {
		if r.space(); r.i == len(text) || text[r.i] != '"' {
			return false
		}
		start := r.i
		s, err := r.str()
		if err != nil {
			return false
		}
		m.Spend(stringWork + (r.i-start)/32)
		if f(s); !r.take(',') {
			ends := r.take(']')
			r.space()
			return ends && r.i == len(text)
		}
	}
}

func (r *reader) take(c byte) bool {
	if r.space(); r.i == len(r.s) || r.s[r.i] != c {
		return false
	}
	r.i++
	return true
}
