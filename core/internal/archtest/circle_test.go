package archtest

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A unit is name.c with name.h in a folder of kernels. It uses another one if it includes that header, or if its C file
// names a symbol that the other C file defines. No unit uses itself through others.
func TestNoCirclesInC(t *testing.T) {
	include := regexp.MustCompile(`(?m)^#include "([^"]+)"`)
	definition := regexp.MustCompile(`(?m)^(?:const )?[a-z]\w*(?: \*?|\*)([a-z]\w+)(?:\([^;{]*\) \{| = \{)`)
	texts, calls, defined := map[string]string{}, map[string]string{}, map[string]string{}
	for _, folder := range []string{"cpu", "cuda"} {
		walk(t, path.Join(root(t), folder), []string{".c", ".h"}, func(p, text string) {
			unit := path.Join(folder, strings.TrimSuffix(p, path.Ext(p)))
			texts[unit] += text
			if path.Ext(p) == ".c" {
				calls[unit] = code(text)
				for _, m := range definition.FindAllStringSubmatch(text, -1) {
					defined[m[1]] = unit
				}
			}
		})
	}
	require.Equal(t, "cpu/check", defined["apply_fail"])
	require.Equal(t, "cpu/generic", defined["apply_generic"])
	uses := map[string][]string{}
	for unit, text := range texts {
		for _, m := range include.FindAllStringSubmatch(text, -1) {
			uses[unit] = append(uses[unit], path.Join(path.Dir(unit), strings.TrimSuffix(m[1], ".h")))
		}
		for _, word := range regexp.MustCompile(`\w+`).FindAllString(calls[unit], -1) {
			if other, ok := defined[word]; ok {
				uses[unit] = append(uses[unit], other)
			}
		}
	}
	over := map[string]bool{}
	var visit func(unit string, path []string)
	visit = func(unit string, path []string) {
		if slices.Contains(path, unit) {
			t.Errorf("a circle: %s", strings.Join(append(path, unit), " -> "))
			return
		}
		if !over[unit] {
			for _, other := range uses[unit] {
				if other != unit {
					visit(other, append(path, unit))
				}
			}
		}
		over[unit] = true
	}
	for unit := range texts {
		visit(unit, nil)
	}
}

// code returns a C text without comments and strings.
func code(text string) string {
	return regexp.MustCompile(`(?s)/\*.*?\*/|"(?:\\.|[^"\\])*"`).ReplaceAllString(text, " ")
}
