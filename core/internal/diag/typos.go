package diag

import "strings"

// Names that a writer misspelled: which known name is meant.

// LongestName bounds the known names that Typos compares with.
const LongestName = 32

// mostTypos is how many typing errors a long name may have, to be taken for another one. A short one may have one, and
// very short names mean too much else.
const mostTypos = 2

// TyposIn returns how many typing errors a name may have and still be recognised.
func TyposIn(name string) int {
	switch {
	case len(name) < 4:
		return 0
	case len(name) < 9:
		return 1
	}
	return mostTypos
}

// Nearest returns the name that is most like word, if any is like it; of several the first one.
func Nearest(word string, names []string) (nearest string, ok bool) {
	least := mostTypos + 1
	for _, name := range names {
		if n := Typos([]byte(word), name, min(TyposIn(name), least-1)); n < least {
			nearest, least, ok = name, n, true
		}
	}
	return nearest, ok
}

// Choices returns the way out of an error about an unknown word: the name that is meant, or all names.
func Choices(word string, names []string) string {
	if meant, ok := Nearest(word, names); ok {
		return "did you mean " + meant + "?"
	}
	return "use one of " + strings.Join(names, ", ")
}

// Typos returns how many letters have to be added, left out, replaced or exchanged with their neighbour to make name of
// word: the edit distance, without changing a letter twice. Beyond most, and for names longer than LongestName, it
// returns a large number.
func Typos(word []byte, name string, most int) int {
	const many = 100
	if d := len(word) - len(name); d > most || -d > most || len(name) > LongestName {
		return many
	}
	// rows[i%3][j] is the distance of the first i bytes of word from the first j of name, for j near i.
	var rows [3][LongestName + 1]int
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(word); i++ {
		row, last, before := &rows[i%3], &rows[(i+2)%3], &rows[(i+1)%3]
		*row = [LongestName + 1]int{}
		for j := range row {
			row[j] = many
		}
		least := many
		for j := max(0, i-most); j <= min(len(name), i+most); j++ {
			n := last[j] + 1
			if j > 0 {
				n = min(n, row[j-1]+1, last[j-1]+differ(word[i-1], name[j-1]))
			}
			if i > 1 && j > 1 && word[i-1] == name[j-2] && word[i-2] == name[j-1] {
				n = min(n, before[j-2]+1)
			}
			row[j] = n
			least = min(least, n)
		}
		if least > most {
			return many
		}
	}
	if n := rows[len(word)%3][len(name)]; n <= most {
		return n
	}
	return many
}

func differ(a, b byte) int {
	if a == b {
		return 0
	}
	return 1
}
