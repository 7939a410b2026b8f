package archtest

import (
	"bytes"
	"go/scanner"
	"go/token"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
)

// slack is how many bytes a package may stay below its ceiling before the ceiling has to fall.
const slack = 500

// A package has at most as many bytes of code, without comments, blank lines and tests, as testdata/code_size.txt
// allows. UPDATE=1 lowers a ceiling. A commit that raises one by hand states their benefit.
func TestPackagesFit(t *testing.T) {
	sizes, total := map[string]int{}, 0
	walk(t, root(t), []string{".go"}, func(p, text string) {
		if below, ok := strings.CutPrefix(path.Dir(p), "core/internal/"); ok && !strings.HasSuffix(p, "_test.go") {
			if room, _, _ := strings.Cut(below, "/"); room != "oracle" && room != "testkit" { // second opinions
				sizes[below] += codeBytes([]byte(text))
				total += codeBytes([]byte(text))
			}
		}
	})
	sizes["all"] = total
	for _, p := range slices.SortedFunc(maps.Keys(sizes), func(a, b string) int { return sizes[b] - sizes[a] }) {
		t.Logf("%8d %s", sizes[p], p)
	}
	ratchet(t, "code_size.txt", sizes, slack, "bytes of code")
}

// codeBytes returns the bytes of the lines of a file that hold code, each with its line end.
func codeBytes(text []byte) (n int) {
	code := bytes.Clone(text)
	comments(text, func(at int, comment string) { copy(code[at:], strings.Repeat(" ", len(comment))) })
	for line := range bytes.Lines(code) {
		if line = bytes.TrimRight(line, " \t\n"); len(line) > 0 {
			n += len(line) + 1
		}
	}
	return n
}

// comments calls f with the place and text of every comment of a Go file.
func comments(text []byte, f func(at int, comment string)) {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(text))
	s.Init(file, text, nil, scanner.ScanComments)
	for pos, tok, lit := s.Scan(); tok != token.EOF; pos, tok, lit = s.Scan() {
		if tok == token.COMMENT {
			f(file.Offset(pos), lit)
		}
	}
}
