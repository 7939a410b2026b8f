// Package main prints the documentation of a Go package as Markdown, as `go doc -all` prints it as text:
//
//	go run ./site core
package main

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/doc"
	"go/doc/comment"
	"go/format"
	"go/parser"
	"go/token"
	"log"
	"os"
	"path/filepath"
	"strings"
)

const module = "github.com/sluice-engine/sluice/"

type page struct {
	files *token.FileSet
	doc   *doc.Package
	text  *comment.Printer
}

func main() {
	log.SetFlags(0)
	directory := os.Args[1]
	files := token.NewFileSet()
	listed, err := build.ImportDir(directory, 0)
	if err != nil {
		log.Fatal(err)
	}
	var parsed []*ast.File
	for _, name := range append(append(listed.GoFiles, listed.TestGoFiles...), listed.XTestGoFiles...) {
		file, err := parser.ParseFile(files, filepath.Join(directory, name), nil, parser.ParseComments)
		if err != nil {
			log.Fatal(err)
		}
		parsed = append(parsed, file)
	}
	d, err := doc.NewFromFiles(files, parsed, module+directory)
	if err != nil {
		log.Fatal(err)
	}
	p := page{files: files, doc: d, text: d.Printer()}
	p.text.HeadingID = func(*comment.Heading) string { return "" }
	p.text.DocLinkURL = func(link *comment.DocLink) string {
		if link.ImportPath == "" {
			return "#" + strings.TrimPrefix(link.Recv+"."+link.Name, ".")
		}
		return link.DefaultURL("https://pkg.go.dev")
	}
	p.print()
}

func (p page) print() {
	fmt.Printf("# Go API\n\n```go\nimport %q\n```\n\nThe guide is [Go](../go.md).\n\n", p.doc.ImportPath)
	p.prose(p.doc.Doc)
	p.examples(p.doc.Examples)
	p.values("Constants", p.doc.Consts)
	p.values("Variables", p.doc.Vars)
	for _, f := range p.doc.Funcs {
		p.function("##", f)
	}
	for _, t := range p.doc.Types {
		fmt.Printf("## type %s {#%s}\n\n", t.Name, t.Name)
		p.code(t.Decl)
		p.prose(t.Doc)
		p.examples(t.Examples)
		p.values("", t.Consts)
		p.values("", t.Vars)
		for _, f := range append(t.Funcs, t.Methods...) {
			p.function("###", f)
		}
	}
}

func (p page) function(level string, f *doc.Func) {
	anchor := strings.Trim(strings.TrimPrefix(f.Recv, "*")+"."+f.Name, ".")
	fmt.Printf("%s func %s {#%s}\n\n", level, anchor, anchor)
	f.Decl.Body = nil
	p.code(f.Decl)
	p.prose(f.Doc)
	p.examples(f.Examples)
}

func (p page) values(title string, values []*doc.Value) {
	if title != "" && len(values) > 0 {
		fmt.Printf("## %s\n\n", title)
	}
	for _, v := range values {
		p.code(v.Decl)
		p.prose(v.Doc)
	}
}

func (p page) examples(examples []*doc.Example) {
	for _, e := range examples {
		fmt.Printf("**Example** %s\n\n", e.Suffix)
		p.prose(e.Doc)
		p.code(e.Code)
		if e.Output != "" {
			fmt.Printf("It prints:\n\n```text\n%s```\n\n", strings.TrimSuffix(e.Output, "\n")+"\n")
		}
	}
}

func (p page) code(node ast.Node) {
	var b strings.Builder
	if err := format.Node(&b, p.files, node); err != nil {
		log.Fatal(err)
	}
	code := strings.TrimSpace(b.String())
	if _, block := node.(*ast.BlockStmt); block {
		code = strings.TrimSpace(strings.ReplaceAll(code[1:len(code)-1], "\n\t", "\n"))
	}
	fmt.Printf("```go\n%s\n```\n\n", code)
}

func (p page) prose(text string) {
	fmt.Printf("%s\n", p.text.Markdown(p.doc.Parser().Parse(text)))
}
