package regex

import (
	"math/rand"
	"strings"
	"testing"

	"github.com/sluice-engine/sluice/core/internal/source/charclass"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
)

// members lists the printable ASCII characters of a pattern that is one class.
func members(t *testing.T, n *Node) string {
	t.Helper()
	r, ok := asClass(n)
	require.True(t, ok)
	var b strings.Builder
	for c := rune(' '); c < 127; c++ {
		if charclass.Has(r, c) {
			b.WriteRune(c)
		}
	}
	return b.String()
}

func TestClassSets(t *testing.T) {
	for pattern, want := range map[string]string{
		`[a-c\d&&[^b]]`:          "0123456789ac",
		`[a-j--[aei]]`:           "bcdfghj",
		`[[a-c]x]`:               "abcx",
		`[[a-c][x-z]1]`:          "abcxyz1",
		`[\w--[a-zA-Z]]`:         "0123456789_",
		`[\w--\D]`:               "0123456789",
		`[\p{Lu}--[C-Z]]`:        "AB",
		`[^[ -~]--[x]]`:          "x",
		`[^ -~&&[^x]]`:           "x",
		`[a-z&&b-y&&[x-z]]`:      "xy",
		`[[a-z]--[b-z]--a]`:      "",
		`[a-e--[[b-d]--c]]`:      "ace",
		`[[a-c]&&[b-d]]`:         "bc",
		`[[a-z&&[^aeiou]]--[b]]`: "cdfghjklmnpqrstvwxyz",
		`[[:alpha:]--[b-zB-Z]]`:  "Aa",
		`[[:alpha:]]`:            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
		`(?i)[[a-c]--b]`:         "ACac",
		`(?i)[a-c&&[B]]`:         "Bb",
		`[[\]]`:                  "[]", // no inner class: a plain class
		`[a-c[]`:                 "[abc",
		`[^ -Z\\-~[]`:            "",
		`[&&x]`:                  "&x",
		`[x&&]`:                  "&x",
		`[+--]`:                  "+,-",
		`[--a]`:                  "-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`a",
		`[~~]`:                   "~",
		`[a--b]`:                 "a", // as a plain class its range would run backwards
		`[a~b&c-]`:               "&-abc~",
	} {
		n, err := Parse(nil, pattern)
		require.NoError(t, err, pattern)
		for _, c := range want {
			assert.Contains(t, members(t, n), string(c), pattern)
		}
		assert.Len(t, members(t, n), len(want), pattern)
	}
}

// A class that dialects read differently is an error.
func TestClassSetErrors(t *testing.T) {
	for pattern, column := range map[string]int{
		`[a~~b]`:          3,
		`x[[.a.]]`:        3,
		`[b[=a=]]`:        3,
		`[a-z&&[^b]--c]`:  11,
		`[[a]--b&&c]`:     8,
		`[a-z-[aeiou]]`:   5,
		`[+--./]`:         1,
		`[a-z--b]`:        1,
		`[[]a]`:           2,
		`[a&&[b]c]`:       5,
		`[a&&[b][c]]`:     5,
		`[[a]&&&b]`:       5,
		`[[a]&&]`:         7,
		`[&&a&&b]`:        1,
		`[[c-a]]`:         3,
		`[a-z&&[^aeiou]+`: 1,
	} {
		_, err := Parse(nil, pattern)
		e := failed(t, err)
		assert.Equal(t, column, e.Place.Column, "%s: %v", pattern, err)
	}
}

func failed(t *testing.T, err error) *diag.Error {
	t.Helper()
	var e *diag.Error
	require.ErrorAs(t, err, &e)
	return e
}

// Without sets the operators are members. A class that flag v reads otherwise is an error.
func TestClassesWithoutSets(t *testing.T) {
	for pattern, want := range map[string]string{
		`[a-c[]`:      "[abc",
		`[[\]]`:       "[]",
		`[[(]`:        "([",
		`[&&x]`:       "&x",
		`[a-c&&b]`:    "&abc", // flag v wants the range in brackets
		`[a~~b]`:      "ab~",
		`[+--]`:       "+,-",
		`[+--./]`:     "+,-./",
		`["a#--x]`:    "\"#$%&'()*+,-ax",
		`[[:digit:]]`: "0123456789",
	} {
		n, err := ParsePlain(nil, pattern)
		require.NoError(t, err, pattern)
		assert.Len(t, members(t, n), len(want), pattern)
		for _, c := range want {
			assert.Contains(t, members(t, n), string(c), pattern)
		}
	}
	for _, pattern := range []string{
		`[[a-c]x]`, `[a&&b]`, `[\w--\d]`, `[*--a]`, `[a-z&&[^aeiou]]`, `[a-z--[aeiou]]`,
		`[a-z-[aeiou]]`, `[[.a.]]`, `[[]x]`,
	} {
		_, err := ParsePlain(nil, pattern)
		e := failed(t, err)
		assert.Equal(t, diag.Unsupported, e.Code, pattern)
		assert.Contains(t, e.Message, `write \`, pattern)
	}
	n, err := ParsePlain(nil, `^[[a-z]*[-]?[a-z]*]*$`) // flag v refuses [-], so that it is no nested class
	require.NoError(t, err)
	assert.Len(t, n.Subs, 6)
}

// classTree makes a random class with sets, and its members among printable ASCII.
func classTree(r *rand.Rand, depth int) (string, [127]bool) {
	var all [127]bool
	var b strings.Builder
	operand := func() (out [127]bool) {
		if depth > 0 && r.Intn(3) > 0 {
			text, set := classTree(r, depth-1)
			b.WriteString(text)
			return set
		}
		for range 1 + r.Intn(3) {
			lo := byte('a' + r.Intn(20))
			hi := lo + byte(r.Intn(6))
			b.WriteString(string(lo))
			if hi > lo {
				b.WriteString("-" + string(hi))
			}
			for c := lo; c <= hi; c++ {
				out[c] = true
			}
		}
		return out
	}
	b.WriteString("[")
	negative := r.Intn(3) == 0
	if negative {
		b.WriteString("^")
	}
	operator := []string{"", "&&", "--"}[r.Intn(3)]
	for i := range 1 + r.Intn(3) {
		if i > 0 {
			b.WriteString(operator)
		}
		start := b.Len()
		x := operand()
		if text := b.String(); i == 0 && operator == "--" && text[start] != '[' { // a--b alone may be a range
			b.Reset()
			b.WriteString(text[:start] + "[" + text[start:] + "]")
		}
		for c := range all {
			switch {
			case i == 0 || operator == "":
				all[c] = all[c] || x[c]
			case operator == "&&":
				all[c] = all[c] && x[c]
			default:
				all[c] = all[c] && !x[c]
			}
		}
	}
	b.WriteString("]")
	for c := range all {
		all[c] = all[c] != negative
	}
	return b.String(), all
}

func TestRandomClassSets(t *testing.T) {
	seed := int64(1)
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewSource(seed))
	for range 5000 {
		pattern, want := classTree(r, 3)
		n, err := Parse(nil, pattern)
		require.NoError(t, err, pattern)
		got, ok := asClass(n)
		require.True(t, ok)
		for c := rune(' '); c < 127; c++ {
			if charclass.Has(got, c) != want[c] {
				t.Fatalf("%s: %q: got %v", pattern, c, charclass.Has(got, c))
			}
		}
	}
}

// Neither nesting nor brackets that never close cost more than their limits.
func TestClassSetLimits(t *testing.T) {
	_, err := Parse(nil, strings.Repeat("[a", limits.RegexNesting+1)+strings.Repeat("]", limits.RegexNesting+1))
	assert.Equal(t, diag.Limit, failed(t, err).Code)
	_, err = Parse(nil, strings.Repeat("[a&&", limits.RegexNesting-1)+"a"+strings.Repeat("]", limits.RegexNesting-1))
	assert.NoError(t, err)
	_, err = Parse(nil, strings.Repeat("[a[]", limits.RegexBytes/4))
	assert.Equal(t, diag.Limit, failed(t, err).Code)
}
