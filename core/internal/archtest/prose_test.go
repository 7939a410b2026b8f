package archtest

import (
	"path"
	"regexp"
	"strings"
	"testing"
)

// clauses are the habits that make a comment need a second reading: a clause as a noun, an adverb of place instead of
// "if", and verbs and pronouns that stand for a term.
var clauses = regexp.MustCompile(`(?i)\bwhat (is|are|a|an|the|they|it|has|have|was|were|can|may|must|its|comes|follows|` +
	`stands|goes|there|one|those|that|no|of|each|every)\b|\b(whoever|whatever)\b|\bwhere\b|` +
	`\b(those of|that of|by itself|finds? out|found out|comes? to|asks? for|told apart|tells? apart|lets? go)\b`)

// Comments say who does what: testdata/prose.txt has how many such clauses each folder may still have. The numbers fall
// with UPDATE=1 and are never raised.
func TestProse(t *testing.T) {
	found := map[string]int{}
	walk(t, root(t), []string{".go"}, func(p, text string) {
		n := 0
		comments([]byte(text), func(_ int, comment string) {
			words := strings.Join(strings.Fields(strings.ReplaceAll(comment, "//", " ")), " ")
			n += len(clauses.FindAllString(words, -1))
		})
		found[path.Dir(p)] += n
	})
	for folder, n := range found {
		if n == 0 {
			delete(found, folder)
		}
	}
	ratchet(t, "prose.txt", found, 5, "clauses that need a second reading")
}
