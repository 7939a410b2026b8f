// Package main flips operators, constants and booleans in the code of a package, one at a time, and lists the flips
// that no test finds: `make lab NAME=mutate ARGS="-package mask -sample 50"`. A survivor is a threshold to delete, a
// test to write, or an equivalent program.
//
// Invariant: the checkout is never written. `go test -overlay` compiles a changed copy of one file. Start reading at
// main.
package main

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// flips maps an operator to its replacement.
var flips = map[token.Token]string{
	token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">", token.EQL: "!=", token.NEQ: "==",
	token.LAND: "||", token.LOR: "&&", token.ADD: "-", token.SUB: "+",
}

// flip replaces the text of a file from a position on.
type flip struct {
	file        string
	line, at    int // at is a byte offset
	from, to    string
	description string // of the line with the replacement
}

// verdict is the result of the tests for one flip.
type verdict int

const (
	survived verdict = iota
	killed
	timedOut
	unbuilt
)

func main() {
	packages := flag.String("package", "tokenset,mask", "packages below core/internal, separated by commas")
	only := flag.String("only", "", "flip only in files whose names contain this")
	sample := flag.Int("sample", 0, "try so many flips, drawn at random; 0: all")
	seed := flag.Uint64("seed", 1, "seed of the sample")
	limit := flag.Duration("limit", 2*time.Minute, "time of one run of tests, which counts as found")
	run := flag.String("run", "", "regular expression of the package's tests; empty: all")
	list := flag.Bool("list", false, "print the flips and try none")
	flag.Parse()
	var all []flip
	for _, p := range strings.Split(*packages, ",") {
		found, err := collect(filepath.Join("core", "internal", p), *only)
		if err != nil {
			fmt.Fprintln(os.Stderr, "lab mutate:", err)
			os.Exit(1)
		}
		all = append(all, found...)
	}
	if *sample > 0 && *sample < len(all) {
		r := rand.New(rand.NewPCG(*seed, 0))
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		all = all[:*sample]
		slices.SortFunc(all, func(a, b flip) int { return cmp.Or(cmp.Compare(a.file, b.file), a.at-b.at) })
	}
	counts := map[verdict]int{}
	for i, f := range all {
		if *list {
			fmt.Println(f)
			continue
		}
		v, err := try(f, *run, *limit)
		if err != nil {
			fmt.Fprintln(os.Stderr, "lab mutate:", err)
			os.Exit(1)
		}
		counts[v]++
		fmt.Fprintf(os.Stderr, "%d of %d\r", i+1, len(all))
		if v == survived {
			fmt.Println(f)
		}
	}
	if *list {
		return
	}
	fmt.Printf("%d flips: %d survived, %d found, %d ran out of time, %d do not compile\n", len(all), counts[survived],
		counts[killed], counts[timedOut], counts[unbuilt])
}

func (f flip) String() string {
	return fmt.Sprintf("%s:%d: %s -> %s in: %s", f.file, f.line, f.from, f.to, f.description)
}

// collect returns the flips of all files of a package but its tests, in the order of the text.
func collect(folder, only string) (all []flip, err error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil || len(files) == 0 {
		return nil, cmp.Or(err, fmt.Errorf("%s has no Go files", folder))
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") || !strings.Contains(filepath.Base(file), only) {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, file, text, 0)
		if err != nil {
			return nil, err
		}
		lines := strings.Split(string(text), "\n")
		ast.Inspect(parsed, func(n ast.Node) bool {
			pos, from, to := flipOf(n)
			if to != "" {
				p := set.Position(pos)
				all = append(all, flip{file, p.Line, p.Offset, from, to, strings.TrimSpace(lines[p.Line-1])})
			}
			_, isImport := n.(*ast.ImportSpec)
			return !isImport
		})
	}
	slices.SortStableFunc(all, func(a, b flip) int { return cmp.Or(cmp.Compare(a.file, b.file), a.at-b.at) })
	return all, nil
}

// flipOf returns the flip of one node of the syntax: to is empty if it has none.
func flipOf(n ast.Node) (pos token.Pos, from, to string) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		return n.OpPos, n.Op.String(), flips[n.Op]
	case *ast.BasicLit:
		if value, err := strconv.ParseInt(n.Value, 0, 64); n.Kind == token.INT && err == nil {
			return n.Pos(), n.Value, strconv.FormatInt(value+1, 10)
		}
	case *ast.Ident:
		switch n.Name {
		case "true":
			return n.Pos(), "true", "false"
		case "false":
			return n.Pos(), "false", "true"
		}
	}
	return token.NoPos, "", ""
}

// try runs tests with one flip, up to the first that fails: the package's, the masks against the oracle, the cases.
func try(f flip, tests string, limit time.Duration) (verdict, error) {
	folder, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(folder)
	text, err := os.ReadFile(f.file)
	if err != nil {
		return 0, err
	}
	changed, overlay := filepath.Join(folder, "changed.go"), filepath.Join(folder, "overlay.json")
	flipped := string(text[:f.at]) + f.to + string(text[f.at+len(f.from):])
	data, err := json.Marshal(map[string]any{"Replace": map[string]string{f.file: changed}})
	if err != nil {
		return 0, err
	}
	if err := cmp.Or(os.WriteFile(changed, []byte(flipped), 0o600), os.WriteFile(overlay, data, 0o600)); err != nil {
		return 0, err
	}
	for _, args := range [][]string{
		{"./" + filepath.Dir(f.file), "-run", tests},
		{"./core/internal/enginetest", "-run", "Masks"},
		{"./core", "-run", "TestCases"},
	} {
		command := []string{"test", "-overlay", overlay, "-short", "-failfast", "-vet=off", "-timeout", limit.String()}
		out, err := exec.Command("go", append(command, args...)...).CombinedOutput()
		switch {
		case err == nil:
		case strings.Contains(string(out), "[build failed]"):
			return unbuilt, nil
		case strings.Contains(string(out), "panic: test timed out"):
			return timedOut, nil
		default:
			return killed, nil
		}
	}
	return survived, nil
}
