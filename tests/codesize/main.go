// Package main counts how much code there is: the bytes of Go files that are no tests, without comments and blank
// lines, a line for each package and one for all. What is printed is a function of the tree alone.
package main

import (
	"bytes"
	"cmp"
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: codesize FOLDER [FOLDER LEFT OUT…]")
		os.Exit(2)
	}
	sizes, total := map[string]int{}, 0
	err := filepath.WalkDir(os.Args[1], func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || slices.Contains(os.Args[2:], path)):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		if err == nil {
			n := codeBytes(text)
			sizes[filepath.Dir(path)] += n
			total += n
		}
		return err
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	bySize := func(a, b string) int { return cmp.Or(sizes[b]-sizes[a], strings.Compare(a, b)) }
	for _, p := range slices.SortedFunc(maps.Keys(sizes), bySize) {
		fmt.Printf("%8d %s\n", sizes[p], p)
	}
	fmt.Printf("%8d all of %s\n", total, os.Args[1])
}

// codeBytes returns the bytes of the lines of a file that hold code, each with its line end.
func codeBytes(text []byte) (n int) {
	var s scanner.Scanner
	f := token.NewFileSet().AddFile("", -1, len(text))
	code := bytes.Clone(text)
	s.Init(f, text, nil, scanner.ScanComments)
	for pos, tok, lit := s.Scan(); tok != token.EOF; pos, tok, lit = s.Scan() {
		if at := f.Offset(pos); tok == token.COMMENT {
			copy(code[at:], strings.Repeat(" ", len(lit)))
		}
	}
	for line := range bytes.Lines(code) {
		if line = bytes.TrimRight(line, " \t\n"); len(line) > 0 {
			n += len(line) + 1
		}
	}
	return n
}
