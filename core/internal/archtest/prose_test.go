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

// remarks match the comments of C and the comments and docstrings of Python, closely enough for this.
var remarks = map[string]*regexp.Regexp{
	".c": regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*`), ".py": regexp.MustCompile(`(?s)""".*?"""|#[^\n]*`),
}

// Comments say who does what.
func TestProse(t *testing.T) {
	walk(t, root(t), []string{".go", ".py", ".c", ".h", ".hpp", ".cpp", ".cu", ".cuh"}, func(p, text string) {
		check := func(at int, comment string) {
			words := strings.Join(strings.Fields(strings.NewReplacer("//", " ", "\n *", " ", "\n#", " ").Replace(comment)), " ")
			for _, clause := range clauses.FindAllString(words, -1) {
				t.Errorf("%s:%d: the comment has %q, which needs a second reading: say who does what", p,
					1+strings.Count(text[:at], "\n"), clause)
			}
		}
		switch ext := path.Ext(p); ext {
		case ".go":
			comments([]byte(text), check)
		case ".py":
			for _, at := range remarks[ext].FindAllStringIndex(text, -1) {
				line := text[strings.LastIndexByte(text[:at[0]], '\n')+1 : at[0]]
				if text[at[0]] == '#' || strings.TrimSpace(line) == "" { // other strings are data
					check(at[0], text[at[0]:at[1]])
				}
			}
		default:
			for _, at := range remarks[".c"].FindAllStringIndex(text, -1) {
				check(at[0], text[at[0]:at[1]])
			}
		}
	})
}
