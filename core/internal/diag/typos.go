package diag

import "strings"

// Names that a writer misspelled.

// LongestName bounds the known names that Typos compares with.
const LongestName = 32

// mostTypos is the number of typing errors allowed in a long name. Short names are allowed one, very short ones none.
const mostTypos = 2

// TyposIn returns the number of typing errors that a name may have and still be recognised.
func TyposIn(name string) int {
	switch {
	case len(name) < 4:
		return 0
	case len(name) < 9:
		return 1
	}
	return mostTypos
}

// Nearest returns the first of the names most similar to word, false if none is similar.
func Nearest(word string, names []string) (nearest string, ok bool) {
	least := mostTypos + 1
	for _, name := range names {
		if n := Typos([]byte(word), name, min(TyposIn(name), least-1)); n < least {
			nearest, least, ok = name, n, true
		}
	}
	return nearest, ok
}

// Choices suggests a way out for an unknown word: the similar name, or all names.
func Choices(word string, names []string) string {
	if meant, ok := Nearest(word, names); ok {
		return "did you mean " + meant + "?"
	}
	return "use one of " + strings.Join(names, ", ")
}

// Typos returns the edit distance of word and name with transpositions of neighbours, but never changes a letter
// twice. Beyond most, and for names longer than LongestName, it returns a large number.
func Typos(word []byte, name string, most int) int {
	const many = 100
	if d := len(word) - len(name); d > most || -d > most || len(name) > LongestName {
		return many
	}
	// rows[i%3][j] is the distance between the first i bytes of word and the first j of name, for j near i.
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
