package regex

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/counters"
)

func lower(t testing.TB, st *terminal.Store, pattern string, m Mode) terminal.Expr {
	t.Helper()
	n, err := Parse(nil, pattern)
	require.NoError(t, err, pattern)
	e, err := Lower(st, n, m)
	require.NoError(t, err, pattern)
	return e
}

// TestConstructs checks the whole texts that each construct matches.
func TestConstructs(t *testing.T) {
	for _, c := range []struct{ pattern, yes, no string }{ // texts are separated by commas
		{`abc`, "abc", ",ab,abcd,xabc"},
		{``, "", "a"},
		{`a|bc|`, "a,bc,", "b,abc"},
		{`(a)(?:b)(?<n>c)(?P<m>d)(?'q'e)(?|f)`, "abcdef", "abcde"},
		{`a(?#not this)b`, "ab", "a,not"},
		// quantifiers
		{`a*`, ",a,aaa", "b,ab"},
		{`a+?b`, "ab,aab", "b"},
		{`a?`, ",a", "aa"},
		{`a{2}`, "aa", "a,aaa"},
		{`a{2,}`, "aa,aaaa", "a"},
		{`a{1,2}?`, "a,aa", ",aaa"},
		{`a{0}b`, "b", "ab"},
		{`(?:ab){0,0}`, "", "ab"},
		{`(?:a{2}){3}`, "aaaaaa", "aaaaa"},
		{`(?:a{2,3}){1,2}`, "aa,aaa,aaaa,aaaaaa", "a,aaaaaaa"},
		{`(?:a{3}){0,2}`, ",aaa,aaaaaa", "aa,aaaa"},
		{`(?:a{3,}){0,2}`, ",aaa,aaaa", "a,aa"},
		{`a{x}`, "a{x}", "a"},
		{`a{`, "a{", "a"},
		{`a{1`, "a{1", "a"},
		{`{a}`, "{a}", "a"},
		{`a}]`, "a}]", "a"},
		{`a++b`, "ab,aab", "a"},
		{`a++a`, "", "a,aa,aaa"},
		{`a?+a`, "aa", "a"},
		{`a{1,2}+a`, "aaa", "aa"},
		{`(?>a|ab)c`, "ac", "abc"},
		{`(?>ab|a)b?`, "ab,abb,a", "b"},
		{`\R`, "\n,\r,\r\n,\u2028", "a,\n\r"},
		// escapes
		{`\n\r\t\f\v\0\a\e`, "\n\r\t\f\v\x00\a\x1b", "nrtfv0ae"},
		{`\x41\x{1F600}\u0042\u{43}\U00000044`, "A😀BCD", "ABCD"},
		{`\cA\cz`, "\x01\x1a", "cAcz"},
		{`\uD83D\uDE00`, "😀", "\ufffd"},
		{`[\uD83D\uDE00-\uD83D\uDE02]`, "😀,😁,😂", "😃"},
		{`(?:[\u0000-\uD7FF]|[\uD800-\uDBFF][\uDC00-\uDFFF])`, "a,😀,\U0010FFFF", "ab"},
		{`\uD83D`, "", "😀,\ufffd"},
		{`\.\*\/\-\_\@\é\"`, `.*/-_@é"`, "a"},
		{`\012\0`, "\n\x00", "12"},
		{`\Qa.b*\E+`, "a.b*,a.b**", "axb"},
		{`\Q(`, "(", "a"},
		// classes
		{`[abc]`, "a,b,c", "d,ab"},
		{`[^abc]`, "d,é,😀", "a"},
		{`[a-c-e]`, "a,b,-,e", "d"},
		{`[-a]`, "-,a", "b"},
		{`[a-]`, "-,a", "b"},
		{`[a\-z]`, "-,a,z", "b"},
		{`[a-\d]`, "a,-,5", "b"},
		{`[\d-z]`, "5,-,z", "y"},
		{`[.*+?(){}|^$]`, ".,*,+,?,(,),{,},|,^,$", "a"},
		{`[[a]`, "[,a", "]"},
		{`[[.]`, "[,.", "]"},
		{`[\]\\\n\b\x41\101]`, "],\\,\n,\b,A", "b"},
		{`[[:alpha:]_[:^digit:]]`, "a,_,-", "5"},
		{`[[:upper:]]`, "A", "a"},
		{`[]`, "", "a"},
		{`a[]|b`, "b", "a"},
		{`[^]`, "a,\n,😀", "ab"},
		{`\d\D`, "1a", "11,٣a"},
		{`\w\W`, "a-,_é", "aa"},
		{`\s\S`, " a,\ta,\va", "\u00a0a,  "},
		{`\h\H`, "\u00a0a,\t\n", "\na"},
		{`\N`, "a,\r", "\n"},
		{`.`, "a,é,😀,\x00", "\n,\r,\u2028,\u2029"},
		{`(?s).`, "a,\n,\u2028", ""},
		{`(?s:.).`, "\na", "\n\n"},
		// properties
		{`\p{L}\p{Lu}\pN\P{L}`, "éÉ4-", "aéa4"},
		{`\p{Letter}\p{Uppercase_Letter}`, "aA", "aa"},
		{`\p{gc=Nd}\p{General_Category=Decimal_Number}`, "1٣", "a1"},
		{`\p{Greek}\p{Script=Cyrillic}\p{sc=Latn}\p{Han}`, "αжa漢", "aaaa"},
		{`\p{^L}[\p{L}\d]`, "-a,-1", "aa"},
		{`\p{Alphabetic}\p{White_Space}\p{ASCII}\p{Any}`, "a\u3000a😀", "1 aa"},
		{`\p{L&}\p{LC}\p{Cn}`, "aA\u0378", "aAa"},
		{`\p{ID_Start}\p{ID_Continue}`, "a1", "1a"},
		{`\p{XID_Start}\p{Cased}\p{CI}`, "aA.", "1AA"},
		{`\p{Emoji}\p{Extended_Pictographic}`, "😀😀", "😀a,🇩🇪"},
		{`\p{scx=Greek}\p{Script_Extensions=Hira}`, "αー", "aー,αa"},
		{`[\p{Lu}\p{Ll}]`, "a,A", "1"},
		// flags
		{`(?i)aBc`, "abc,ABC,aBc", "abd"},
		{`(?i)straße`, "STRAßE,STRAẞE", "STRASSE"},
		{`(?i)k`, "k,K,\u212a", "l"},
		{`(?i)[a-c]`, "A,b", "d"},
		{`(?i)[^a]`, "b", "a,A"},
		{`(?i)\w`, "a", "\u212a"},
		{`(?i)\p{Lu}`, "a,A", "1"},
		{`(?i)\P{Lu}`, "1", "a,A"},
		{`(?i)[[:upper:]]`, "a,A", "1"},
		{`a(?i)b|c`, "ab,aB,C", "Ab"},
		{`(a(?i)b)c`, "abc,aBc", "abC"},
		{`(?i:a)b`, "ab,Ab", "aB"},
		{`(?i)a(?-i)b`, "ab,Ab", "aB"},
		{`(?x) a b # comment` + "\n" + ` [ c] {2} \ `, "ab c ,abcc ", "a b"},
		{`(?x:a b)c d`, "abc d", "abcd"},
		{`(?u)a(?ims-u)b`, "ab,aB", "A"},
		{`(?m)^a$\n^b$`, "a\nb", "ab"},
		// assertions
		{`^abc$`, "abc", "xabc"},
		{`\Aabc\z`, "abc", "abc\n"},
		{`abc\Z`, "abc", "abc\n"},
		{`a^b`, "", "ab"},
		{`a$b`, "", "ab"},
		{`(^|x)y`, "y,xy", "x"},
		{`a(b|$)`, "a,ab", "ac"},
		{`(a^|b)c`, "bc", "ac"},
		{`\bfoo\b`, "foo", "foos"},
		{`\w+\b.+`, "a-,ab c", "ab"},
		{`a\Bb`, "ab", "a"},
		{`a\bb`, "", "ab"},
		{`(?=.*\d)(?=.*[a-z]).{3,}`, "a1-,12a", "a1,abc,123"},
		{`(?!foo).*`, "fo,bar,,xfoo", "foo,foobar"},
		{`a(?=b)\w`, "ab", "ac"},
		{`a(?!b)\w`, "ac", "ab"},
		{`(?=a|b)[a-d]x`, "ax,bx", "cx"},
		{`.*(?<!-)`, "a,,a-b", "a-,-"},
		{`.*(?<=ing)`, "sing,ing", "sin"},
		{`(?<=^|;)a|b(?<=b)`, "a,b", "c"},
		{`\d+(?<!13)x`, "14x,3x,131x", "13x,113x"},
		{`((?!foo).)*`, ",bar,fo", "foo,xfoox"},
		{`<!--(?:(?!-->).)*-->`, "<!---->,<!-- a -->", "<!-- --> -->"},
		{`(?:(?!--)[a-z-])+`, "a,a-b,-", "a--b,"},
		{`(?:(?!--)[a-z-]){1,20}`, "a,a-b,-", "a--b," + strings.Repeat("a", 21)},
		{`(?:a(?!a)|b)+`, "ab,bab,ba", "aa,baab"},
		{`(?:\b\w+\b ?)+`, "ab cd ,ab", " ab,ab  cd"},
		{`(?=.{3,5}$)[a-z]+\d*`, "abc,ab123", "ab,abc123"},
		{`(?=\bfoo)f.*(?=\B)o`, "foo", "foao "},
	} {
		t.Run(c.pattern, func(t *testing.T) {
			st := terminal.NewStore()
			n, err := Parse(nil, c.pattern)
			require.NoError(t, err)
			for _, want := range []bool{true, false} {
				list := c.yes
				if !want {
					list = c.no
				}
				if list == "" && newBacktrack("").whole(n) != want {
					continue // no texts, not the empty text
				}
				for _, text := range strings.Split(list, ",") {
					assert.Equal(t, want, counters.Match(st, lower(t, st, c.pattern, Mode{}), []byte(text)), "raw %q",
						text)
					json := lower(t, st, c.pattern, Mode{Encoding: terminal.JSONString})
					assert.Equal(t, want, counters.Match(st, json, []byte(jsonEscaped(text))), "JSON %q", text)
					if utf8.ValidString(text) {
						assert.Equal(t, want, newBacktrack(text).whole(n), "backtracking %q", text)
					}
				}
			}
		})
	}
}

// TestSearch checks the texts that contain a pattern.
func TestSearch(t *testing.T) {
	for _, c := range []struct{ pattern, yes, no string }{
		{`b`, "b,abc", ",a"},
		{`a*`, ",b,aa", "\xff"},
		{`^a`, "a,ab", "ba"},
		{`a$`, "a,ba", "ab,a\n"},
		{`^a$`, "a", "ab,ba"},
		{`^a|b$`, "ax,xb,a,b", "xa,bx"},
		{`^(a|b)$`, "a,b", "ab"},
		{`(^|x)y`, "y,xy,axy,ya", "ay"},
		{`a(b|$)`, "a,xa,abx", "ac"},
		{`^$`, "", "a"},
		{`$^`, "", "a"},
		{`^`, ",a", "\xff"},
		{`a^`, "", "a"},
		{`(?m)^b$`, "b,a\nb,b\nc,a\r\nb\u2028c", "ab,bc"},
		{`\bfoo\b`, "foo,a foo b,(foo)", "foos,afoo"},
		{`\Bo`, "fo,foo", "o,f o"},
		{`foo(?!bar)`, "foo,foob,foobarfoo", "foobar"},
		{`(?<!\$)\d`, "1,a1,$12", "$1,$"},
		{`(?<=\$)\d+`, "$1,a$12", "1,$a"},
		{`(?=.*\d)(?=.*[a-z])`, "a1,1a", "1,a"},
		{`a{2,5}`, "aa,baab,aaaaaa", "a,aba"},
		{`(?:ab*)+c?`, "a,xa", "b"},
		{`a++b`, "aab,xab", "a,b"},
	} {
		t.Run(c.pattern, func(t *testing.T) {
			st := terminal.NewStore()
			n, err := Parse(nil, c.pattern)
			require.NoError(t, err)
			for i, list := range []string{c.yes, c.no} {
				if list == "" && newBacktrack("").search(n) != (i == 0) {
					continue // no texts, not the empty text
				}
				for _, text := range strings.Split(list, ",") {
					want := i == 0
					assert.Equal(t, want, counters.Match(st, lower(t, st, c.pattern, Mode{Search: true}), []byte(text)),
						"raw %q",
						text)
					if utf8.ValidString(text) {
						json := lower(t, st, c.pattern, Mode{Search: true, Encoding: terminal.JSONString})
						assert.Equal(t, want, counters.Match(st, json, []byte(jsonEscaped(text))), "JSON %q", text)
						assert.Equal(t, want, newBacktrack(text).search(n), "backtracking %q", text)
					}
				}
			}
		})
	}
}

// TestErrors checks the kind and place of each mistake.
func TestErrors(t *testing.T) {
	for _, c := range []struct {
		pattern string
		code    diag.Code
		offset  int
		says    string
	}{
		{`a(b`, diag.Syntax, 1, "never closed"},
		{`a)b`, diag.Syntax, 1, "no group"},
		{`a[b`, diag.Syntax, 1, "never closed"},
		{`[z-a]`, diag.Syntax, 1, "ends before it begins"},
		{`*a`, diag.Syntax, 0, "nothing before"},
		{`a|+`, diag.Syntax, 2, "nothing before"},
		{`({2})`, diag.Syntax, 1, "nothing before"},
		{`a**`, diag.Syntax, 2, "cannot follow"},
		{`a{2}{3}`, diag.Syntax, 4, "cannot follow"},
		{`a{3,2}`, diag.Syntax, 1, "is above the maximum"},
		{`a{,3}`, diag.Syntax, 1, "{0,3}"},
		{`a{4294967295}`, diag.Limit, 1, "at most"},
		{`a{1,99999999999999999999}`, diag.Limit, 1, "at most"},
		{`ab\`, diag.Syntax, 2, "backslash"},
		{`a\xZZ`, diag.Syntax, 1, "2 hexadecimal"},
		{`\u12`, diag.Syntax, 0, "4 hexadecimal"},
		{`\u{110000}`, diag.Syntax, 0, "10FFFF"},
		{`\c1`, diag.Syntax, 0, "letter"},
		{`\p{Klingon}`, diag.Unsupported, 0, "Klingon"},
		{`\p{L`, diag.Syntax, 0, "never closed"},
		{`(a)\1`, diag.Unsupported, 3, "not regular"},
		{`(?<n>a)\k<n>`, diag.Unsupported, 7, "not regular"},
		{`(?P<n>a)(?P=n)`, diag.Unsupported, 8, "not regular"},
		{`a(?R)`, diag.Unsupported, 1, "not regular"},
		{`(?(1)a|b)`, diag.Unsupported, 0, "not regular"},
		{`(?<>a)`, diag.Syntax, 0, "name"},
		{`(?<n`, diag.Syntax, 0, "never closed"},
		{`(?Z)a`, diag.Unsupported, 2, "no such group"},
		{`(?i`, diag.Syntax, 0, "never closed"},
		{`(?#a`, diag.Syntax, 0, "never closed"},
		{`[]a]`, diag.Unsupported, 0, `\]`},
		{`[^]]`, diag.Unsupported, 0, `\]`},
		{`[[:alfa:]]`, diag.Syntax, 1, "alpha"},
		{`a\y`, diag.Unsupported, 1, "no meaning"},
		{`[\B]`, diag.Unsupported, 1, "no meaning"},
		{`\X`, diag.Unsupported, 0, "no meaning"},
		{"a\xff", diag.Syntax, 1, "UTF-8"},
		{"é\n(", diag.Syntax, 3, "never closed"},
		{strings.Repeat("(", 1_000_000), diag.Limit, 1000, "deeper"},
		{strings.Repeat("(a", 500_000), diag.Limit, 2000, "deeper"},
		{strings.Repeat("a", 1<<20+1), diag.Limit, 0, "bytes"},
		{strings.Repeat(".", 1<<19), diag.Limit, 400_001, "parts"},
		// at lowering
		{`(?<=a$)b`, diag.Unsupported, 5, "assertion inside"},
		{`(?:(?=(?=b))a)+`, diag.Unsupported, 6, "assertion inside"},
		{`(?:\ba-){1,100}`, diag.Unsupported, 0, "at most 64"},
		{`(?>a*b*)`, diag.Unsupported, 3, "excludes are not regular"},
		{`b(?<=a{1000})`, diag.Limit, 5, "at most"},
		{strings.Repeat(`a\B`, 100_000), diag.Limit, -1, "steps"},
	} {
		t.Run(diag.Shorten(c.pattern, 20), func(t *testing.T) {
			n, err := Parse(nil, c.pattern)
			if err == nil {
				_, err = Lower(terminal.NewStore(), n, Mode{Search: true})
			}
			var d *diag.Error
			require.True(t, errors.As(err, &d), "%v", err)
			assert.Equal(t, c.code, d.Code, "%v", err)
			assert.Equal(t, "regex", d.Source)
			assert.Contains(t, d.Error(), c.says)
			if c.offset >= 0 {
				assert.Equal(t, c.offset, d.Place.Offset, "%v", err)
			}
			assert.Less(t, len(d.Error()), 400)
		})
	}
	_, err := Parse(nil, "é\n(")
	var d *diag.Error
	require.True(t, errors.As(err, &d))
	assert.Equal(t, diag.Place{Line: 2, Column: 1, Offset: 3}, d.Place)
}

// TestCounted compares bounds on the length with counting.
func TestCounted(t *testing.T) {
	st := terminal.NewStore()
	for _, pattern := range []string{
		`[ab]*`, `a[ab]{2,5}b`, `a{2}`, `(?:ab){1,3}`, `(?:ab)*a?`, `a*b*`, `^a`, `b$`, `a`, `a|bb`, `(?!a)[ab]+`,
		`[ab]+(?<!b)`, `^(?:(?!aa).)*$`, `(?=.{2,4}$)a*b*`, `^a|b$`, `(?:a|bb)+`, `(?:a{2}){1,3}`, `(?=.{3}$)`, ``,
	} {
		n, err := Parse(nil, pattern)
		require.NoError(t, err)
		for _, m := range []Mode{
			{}, {Search: true}, {Encoding: terminal.JSONString}, {Encoding: terminal.JSONString, Search: true},
		} {
			for lo := uint32(0); lo < 5; lo++ {
				for _, hi := range []uint32{0, 1, 2, 3, 4, 20, Unbounded} {
					e, err := LowerCounted(st, n, m, lo, hi)
					require.NoError(t, err)
					for _, text := range texts("ab", 6) {
						b := newBacktrack(text)
						want := b.whole(n)
						if m.Search {
							want = b.search(n)
						}
						want = want && uint32(len(text)) >= lo && uint32(len(text)) <= hi
						raw := text
						if m.Encoding == terminal.JSONString {
							raw = jsonEscaped(text)
						}
						if counters.Match(st, e, []byte(raw)) != want {
							t.Fatalf("%s %v {%d,%d} %q: want %v", pattern, m, lo, hi, text, want)
						}
					}
				}
			}
		}
	}
}

// TestBigCounts checks that counters replace large counts.
func TestBigCounts(t *testing.T) {
	for _, pattern := range []string{
		`[a-z]{1,5000}`, `x-[a-z]{3,4000}`, `"[^"]{0,100000}"`, `[a-z]{4000}z`, `(?!foo)[a-z]{1,` +
			`4000}`, `(?:[a-z]{10}){10,400}`,
		`(?:[0-9a-f]{2}:){99,2000}`, `(?:(?!--)[a-z-]){1,4000}`, `(?=.{1,4000}$)[a-z]+(?:\.[a-z]+)*`, `.{4294967293}`,
	} {
		st := terminal.NewStore()
		before := st.Size().Expressions
		lower(t, st, pattern, Mode{})
		assert.Less(t, st.Size().Expressions-before, 300, pattern)
	}
	st := terminal.NewStore()
	e := lower(t, st, `x-[a-z]{3,4000}`, Mode{})
	for n, want := range map[int]bool{2: false, 3: true, 4000: true, 4001: false} {
		assert.Equal(t, want, counters.Match(st, e, []byte("x-"+strings.Repeat("q", n))), "%d", n)
	}
	e = lower(t, st, `(?:[0-9a-f]{2}:){99,2000}`, Mode{})
	for n, want := range map[int]bool{98: false, 99: true, 2000: true, 2001: false} {
		assert.Equal(t, want, counters.Match(st, e, []byte(strings.Repeat("0f:", n))), "%d", n)
	}
}

// TestLongPatterns checks that only the limits bound depth and length.
func TestLongPatterns(t *testing.T) {
	st := terminal.NewStore()
	for _, pattern := range []string{
		strings.Repeat("(", 1000) + "a" + strings.Repeat(")", 1000),
		strings.Repeat("(?:a|", 1000) + "b" + strings.Repeat(")*", 1000),
		strings.Repeat("(?=a)", 10_000) + "a",
		strings.Repeat("a.", 100_000),
		strings.Repeat("ab|", 100_000),
		"[" + strings.Repeat("a-z", 50_000) + "]",
		strings.Repeat("a", 1<<20),
	} {
		lower(t, st, pattern, Mode{Search: true})
	}
}

// TestFront checks the regex front end.
func TestFront(t *testing.T) {
	st := terminal.NewStore()
	g, notes, err := Compile(st, []byte(`^[a-c]+$`), &source.Options{})
	require.NoError(t, err)
	assert.Empty(t, notes)
	e := terminal.Expr(g.Rules[g.Start].Alternatives[0][0].Index)
	assert.True(t, counters.Match(st, e, []byte("abc")))
	_, _, err = Compile(st, []byte(`a^b`), &source.Options{})
	var d *diag.Error
	require.True(t, errors.As(err, &d))
	assert.Equal(t, diag.Unsatisfiable, d.Code)
	_, _, err = Compile(st, []byte(`(`), &source.Options{})
	assert.Error(t, err)
}

func Example() {
	st := terminal.NewStore()
	n, _ := Parse(nil, `(?=.*\d)[a-z\d]{3,8}`)
	e, _ := Lower(st, n, Mode{})
	fmt.Println(counters.Match(st, e, []byte("abc1")), counters.Match(st, e, []byte("abcd")))
	// Output: true false
}
