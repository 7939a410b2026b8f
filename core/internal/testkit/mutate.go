package testkit

import (
	"math/rand"
	"strconv"

	"github.com/sluice-engine/sluice/core/internal/source"
)

// Mutate returns a constraint that differs from c in one place: a number, or a piece that is doubled, left out or
// replaced by one of another constraint. Many are invalid; a search drops those.
func Mutate(r *rand.Rand, c Constraint, size int) Constraint {
	text := c.Text
	switch r.Intn(5) {
	case 0, 1:
		text = mutateNumber(r, text)
	case 2:
		from, to := piece(r, text)
		text = text[:to] + joint(c.Kind, r) + text[from:]
	case 3:
		from, to := piece(r, text)
		other := RandomConstraint(r, c.Kind, size).Text
		begin, end := piece(r, other)
		text = text[:from] + other[begin:end] + text[to:]
	case 4:
		from, to := piece(r, text)
		text = text[:from] + text[to:]
	}
	return Constraint{c.Kind, text, c.Options}
}

// joint returns text that may separate two pieces.
func joint(kind source.Kind, r *rand.Rand) string {
	switch kind {
	case source.EBNF, source.Lark:
		return []string{" ", " | ", "\n"}[r.Intn(3)]
	case source.Regex:
		return []string{"", "|", ""}[r.Intn(3)]
	}
	return []string{"", ", "}[r.Intn(2)]
}

// mutateNumber makes one number of the text larger or smaller.
func mutateNumber(r *rand.Rand, text string) string {
	digits := numbers(text)
	if len(digits) == 0 {
		return text
	}
	at := digits[r.Intn(len(digits))]
	n, err := strconv.Atoi(text[at[0]:at[1]])
	if err != nil {
		return text
	}
	n = []int{n * 2, n + 1, n + 7, n / 2, r.Intn(100)}[r.Intn(5)]
	return text[:at[0]] + strconv.Itoa(n) + text[at[1]:]
}

func numbers(text string) (at [][2]int) {
	for i := 0; i < len(text); i++ {
		j := i
		for j < len(text) && text[j] >= '0' && text[j] <= '9' && j-i < 9 {
			j++
		}
		if j > i {
			at, i = append(at, [2]int{i, j}), j
		}
	}
	return at
}

// piece returns the bounds of a part of the text with balanced brackets, and the suffixes that may follow one.
func piece(r *rand.Rand, text string) (from, to int) {
	if text == "" {
		return 0, 0
	}
	from = r.Intn(len(text))
	depth := 0
	for to = from; to < len(text); to++ {
		switch text[to] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
		if depth < 0 {
			return from, to
		}
		if depth == 0 && r.Intn(6) == 0 {
			return from, to + 1
		}
	}
	return from, to
}

// Shrink returns smaller texts that may behave like c: with a part left out, or a number halved. Larger steps come
// first.
func Shrink(c Constraint) (out []Constraint) {
	for n := len(c.Text) / 2; n > 0; n /= 2 {
		for at := 0; at+n <= len(c.Text); at += n {
			out = append(out, Constraint{c.Kind, c.Text[:at] + c.Text[at+n:], c.Options})
		}
	}
	for _, at := range numbers(c.Text) {
		if n, err := strconv.Atoi(c.Text[at[0]:at[1]]); err == nil && n > 0 {
			out = append(out, Constraint{c.Kind, c.Text[:at[0]] + strconv.Itoa(n/2) + c.Text[at[1]:], c.Options})
		}
	}
	return out
}
