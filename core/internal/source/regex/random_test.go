package regex

import (
	"fmt"
	"math/rand"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
)

// randomPattern writes a pattern of about size parts. goRegexp leaves out what Go's regexp does not have.
func randomPattern(r *rand.Rand, size int, goRegexp bool) string {
	if size <= 1 {
		atoms := []string{
			"a", "b", "ab", "é", `\.`, "[ab]", "[^a]", "[a-c]", `\d`, `\w`, `\s`, `\W`, `\x41`,
			"(?s:.)", `\p{Lu}`, "(?i:B)",
			"^", "$", `\b`, `\B`, `\A`, `\z`, "", ".", `\uD83D\uDE00`, `[\w-]`, `\cJ`, `(?m:^)`, `(?m:$)`,
		}
		n := len(atoms)
		if goRegexp {
			n = 23
		}
		return atoms[r.Intn(n)]
	}
	left := 1 + r.Intn(size-1)
	x := randomPattern(r, left, goRegexp)
	switch r.Intn(10) {
	case 0, 1, 2:
		return x + randomPattern(r, size-left, goRegexp)
	case 3:
		return "(?:" + x + "|" + randomPattern(r, size-left, goRegexp) + ")"
	case 4:
		return "(" + x + "|" + randomPattern(r, size-left, goRegexp) + ")"
	case 5:
		lo := r.Intn(4)
		return fmt.Sprintf("(?:%s){%d,%d}", randomPattern(r, size-1, goRegexp), lo, lo+r.Intn(20))
	case 6:
		if !goRegexp {
			look := []string{"(?=", "(?!", "(?<=", "(?<!", "(?>"}[r.Intn(5)]
			return look + x + ")" + randomPattern(r, size-left, goRegexp)
		}
	}
	q := []string{"*", "+", "?", "*?", "+?", "??", "{2}", "{2,}", "{1,9}"}[r.Intn(9)]
	return "(?:" + randomPattern(r, size-1, goRegexp) + ")" + q
}

func randomText(r *rand.Rand, n int) string {
	var b strings.Builder
	for i := r.Intn(n + 1); i > 0; i-- {
		b.WriteString([]string{"a", "b", "c", "A", "B", "é", ".", "1", " ", "\n", "-", "😀"}[r.Intn(12)])
	}
	return b.String()
}

// TestAgainstGo compares random patterns that mean the same to Go's regexp with it.
func TestAgainstGo(t *testing.T) {
	r := rand.New(rand.NewSource(7))
	st := terminal.NewStore()
	for range 3000 {
		pattern := randomPattern(r, 1+r.Intn(7), true)
		theirs, err := regexp.Compile(pattern)
		if err != nil { // counts beyond its limit
			continue
		}
		whole := regexp.MustCompile(`\A(?:` + pattern + `)\z`)
		n, err := Parse(nil, pattern)
		require.NoError(t, err, pattern)
		raw, err := Lower(st, n, Mode{})
		if err != nil {
			continue
		}
		search, err := Lower(st, n, Mode{Search: true})
		if err != nil {
			continue
		}
		for range 20 {
			text := randomText(r, 7)
			if got, want := counters.Match(st, raw, []byte(text)), whole.MatchString(text); got != want {
				t.Fatalf("%q matches all of %q: got %v, want %v", pattern, text, got, want)
			}
			if got, want := counters.Match(st, search, []byte(text)), theirs.MatchString(text); got != want {
				t.Fatalf("%q is found in %q: got %v, want %v", pattern, text, got, want)
			}
		}
	}
}

// TestRandom compares random patterns of the whole dialect with the backtracking matcher, in both encodings.
func TestRandom(t *testing.T) {
	r := rand.New(rand.NewSource(11))
	st := terminal.NewStore()
	done, refused := 0, 0
	for range 4000 {
		pattern := randomPattern(r, 1+r.Intn(8), false)
		var all []string
		for range 12 {
			all = append(all, randomText(r, 6))
		}
		if st.Size().Expressions > 300_000 {
			st = terminal.NewStore()
		}
		done++
		if !agree(t, st, pattern, all) {
			refused++
			continue
		}
		n, err := Parse(nil, pattern)
		require.NoError(t, err)
		e, err := Lower(st, n, Mode{Encoding: terminal.JSONString, Search: true})
		if err != nil {
			continue
		}
		for _, text := range all[:4] {
			got, want := counters.Match(st, e, []byte(jsonEscaped(text))), newBacktrack(text).search(n)
			if got != want {
				t.Fatalf("%q is found in the JSON string %q: got %v, want %v", pattern, text, got, want)
			}
		}
	}
	t.Logf("%d patterns; %d not supported", done, refused)
}

// FuzzPattern looks for patterns that make reading or lowering fail badly, and for disagreement on short texts.
func FuzzPattern(f *testing.F) {
	for _, s := range []string{
		`^(?!foo)[\w.-]{1,64}$`, `(?i)\p{Lu}+(?<=a)\b`, `[^\]a-z[:alpha:]]{2,` +
			`}?`, `(?>a|b)*+(?#c)\Qx\E`, `\uD83D\uDE00|(?m)^.$`,
		`(?:(?!-->).)*-->`, `((a{2}){3}){4,}`, `(?x) a # b`,
		// Loops with assertions inside loops, whose expressions grow with every level unless a budget stops them.
		`((?:(?:(\B|(?:é)??)){1,8}){3,5}|\W\.)`, `(?:(?:(?:(\p{Lu}|(?:\.|\.)\B)){2}){1,9}){1,9}`,
		`(?:(?:(?s:.)(?:[^a]\B)??)+?){2,10}`, `(?:(\w\z|(?:(\p{Lu}|\b)){2,}))+?`,
	} {
		f.Add(s, "a-b")
	}
	f.Fuzz(func(t *testing.T, pattern, text string) {
		n, err := Parse(nil, pattern)
		if err != nil || len(pattern) > 200 {
			return
		}
		st := terminal.NewStore()
		for _, m := range []Mode{{}, {Search: true}, {Encoding: terminal.JSONString}} {
			e, err := Lower(st, n, m)
			if err != nil || n.Size() > 60 || len(text) > 12 || !utf8.ValidString(text) ||
				m.Encoding != terminal.UTF8 {
				continue
			}
			b := newBacktrack(text)
			want := b.whole(n)
			if m.Search {
				want = b.search(n)
			}
			if got := counters.Match(st, e, []byte(text)); got != want {
				t.Errorf("pattern %q, text %q, search %v: got %v, want %v", pattern, text, m.Search, got, want)
			}
		}
	})
}

func BenchmarkParseAndLower(b *testing.B) {
	for _, pattern := range []string{
		`^[a-zA-Z0-9_-]{1,64}$`,
		`^\d{4}-\d{2}-\d{2}$`,
		`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`,
		`^(https?|ftp)://[^\s/$.?#].[^\s]*$`,
		`^(?!foo)[a-z]+$`,
		`^(?=.*\d)(?=.*[a-z])(?=.*[A-Z]).{8,}$`,
		`\bfoo\b`,
		`<!--(?:(?!-->).)*-->`,
	} {
		for _, enc := range []terminal.Encoding{terminal.UTF8, terminal.JSONString} {
			name := "utf8/"
			if enc == terminal.JSONString {
				name = "json/"
			}
			b.Run(name+pattern, func(b *testing.B) {
				st := terminal.NewStore()
				b.ReportAllocs()
				for b.Loop() {
					n, err := Parse(nil, pattern)
					if err != nil {
						b.Fatal(err)
					}
					if _, err := Lower(st, n, Mode{Encoding: enc, Search: true}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// Loops over characters that a look-ahead guards, counted beyond the written-out bound, before a rest of one length
// and before a literal with a rest of several lengths.
func TestCountedTemperedLoops(t *testing.T) {
	r := rand.New(rand.NewSource(5))
	refused := 0
	for _, pattern := range []string{
		`(?:(?!ab)[abc]){2,70}`, `(?:(?!ab)[abc]){66,70}ab`, `(?:a|bc)(?:(?!ab)[abc]){2,70}ab`, `(?:(?!bb)[abc]){66,}bb`,
		`c*(?:(?!aa|bc)[abc]){0,70}aa`, `(?:(?!ab)[abc]){1,66}ab(?:c|aa)?`, `(?:(?!ab)[abc]){1,66}abc*(?:(?!cc)[abc]){0,67}cc`,
		`(?:(?=[ab]b|c)[abc]){0,66}bb`, `a?(?:(?!ab)(?!ca)[abc]){3,68}[ab]c`, `(?:(?:a|cc)(?:(?!ab)[abc]){1,66}ab){1,2}`,
		`(?:(?!bab)[abc]){1,66}a(?:b|cc)?`, // looks further than the literal
	} {
		n, err := Parse(nil, pattern)
		require.NoError(t, err)
		var all []string
		tails := []string{"", "ab", "aa", "bb", "bc", "abc", "abaa", "abcc"}
		for _, length := range []int{0, 1, 2, 3, 5, 64, 65, 66, 67, 68, 69, 70, 71} {
			var random strings.Builder
			for random.Len() < length {
				random.WriteString([]string{"a", "b", "c", "cb", "ca", "bb", "cc"}[r.Intn(7)])
			}
			for _, tail := range tails {
				all = append(all, random.String()+tail, strings.ReplaceAll(random.String(), "ab", "cb")+tail,
					strings.Repeat("c", length)+tail)
			}
		}
		if !agree(t, terminal.NewStore(), pattern, all) {
			refused++
		}
		matched := 0
		for _, x := range all {
			if newBacktrack(x).whole(n) {
				matched++
			}
		}
		require.Positive(t, matched, pattern)
	}
	require.Equal(t, 3, refused, "two searches, where anything may come after the loop, and one that looks too far")
}
