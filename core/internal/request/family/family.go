// Package family knows the formats of reasoning and tool calls of families of models: one file of data for each, and
// the code that turns a family, tools and a choice among them into a structural tag.
//
// Invariant: a family is data. Reading checks its file, and no code is about one family. The package must not know how
// a structural tag becomes a grammar. Start reading at one of files/*.json beside docs/families.md, then Family,
// Document (build.go), read.go.
package family

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/sluice-engine/sluice/core/internal/diag"
)

// Family is the format of reasoning and tool calls of one family of models. docs/families.md explains the fields, which
// equal the members of a family's file. Immutable.
type Family struct {
	Name       string   `json:"name"`
	Aliases    []string `json:"aliases,omitempty"`
	Models     string   `json:"models,omitempty"`
	ModelNames []string `json:"model_names,omitempty"` // how the names of its models begin, without their owner
	Needs      []string `json:"needs,omitempty"`       // tokens that a vocabulary must have
	Tokens     []string `json:"tokens,omitempty"`      // texts that vocabularies may have as one special token

	Reasoning *Reasoning `json:"reasoning,omitempty"`
	Preamble  *Block     `json:"preamble,omitempty"` // messages: text before the last one
	Content   *Block     `json:"content,omitempty"`  // nil: text stands bare
	Calls     *Section   `json:"calls,omitempty"`    // nil: calls stand bare
	Call      []Template `json:"call"`
	Builtin   []Template `json:"builtin,omitempty"` // calls of tools that the engine has itself
	Input     []Template `json:"input,omitempty"`   // calls whose input is raw text
	Arguments string     `json:"arguments,omitempty"`
	Names     string     `json:"names,omitempty"` // a pattern: names of tools that readers find again; "": any

	Triggers   []string `json:"triggers,omitempty"` // beginnings of calls in free text; with $name, one for each tool
	Reserved   []string `json:"reserved,omitempty"`
	Lead       string   `json:"lead,omitempty"`      // may stand before calls that nothing else stands before
	BesideText bool     `json:"beside_text"`         // text and calls may stand in one output
	Separator  string   `json:"separator,omitempty"` // between messages; "": the output is one message
	Finish     string   `json:"finish,omitempty"`
}

// Marked reports whether arguments have marks of a style, which tokens may spell; JSON and Python have none.
func (f *Family) Marked() bool { return f.Arguments != "json" && f.Arguments != "python" }

// Vocabulary is a family's view of a model's tokens.
type Vocabulary interface {
	Special(text string) bool // whether a special token is spelled so
	Has(text string) bool     // whether a special or added token is
}

// Block is text between two marks.
type Block struct {
	Begin  []string `json:"begin"` // one of them
	End    []string `json:"end"`
	Opened bool     `json:"opened,omitempty"` // the prompt has the begin
}

// Reasoning is the block in which a model thinks, before anything else.
type Reasoning struct {
	Block
	After []string `json:"after,omitempty"` // text after the end: one of them, "": none
}

// Section is the text around and between the calls of an output.
type Section struct {
	Begin     []string `json:"begin"` // one of them
	Separator string   `json:"separator"`
	End       []string `json:"end"`
}

//go:embed files/*.json
var files embed.FS

// registry holds the families of the library.
type registry struct {
	list   []*Family
	byName map[string]*Family
}

// builtins reads the files once. An error in them is a bug, which a test finds.
var builtins = sync.OnceValue(func() registry {
	r := registry{byName: map[string]*Family{}}
	names, err := fs.Glob(files, "files/*.json")
	if err != nil {
		panic(err)
	}
	for _, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			panic(err)
		}
		f, err := Read(text)
		if err != nil {
			panic(name + ": " + err.Error())
		}
		r.list = append(r.list, f)
		for _, n := range append([]string{f.Name}, f.Aliases...) {
			if r.byName[n] != nil {
				panic("two families have the name " + n)
			}
			r.byName[n] = f
		}
	}
	return r
})

// List returns the families of the library, by name. They must not be changed.
func List() []*Family { return slices.Clone(builtins().list) }

// Find returns the family of a name or alias. A text that begins with a brace is the content of a family's file.
func Find(text string) (*Family, error) {
	if strings.HasPrefix(strings.TrimSpace(text), "{") {
		return Read([]byte(text))
	}
	if f := builtins().byName[text]; f != nil {
		return f, nil
	}
	var names []string
	for _, f := range builtins().list {
		names = append(names, f.Name)
	}
	says := diag.Choices(text, append(names, "or the content of a family's file"))
	if f, err := Of(text); err == nil {
		says = fmt.Sprintf("this is a model of the family %q; write that name", f.Name)
	}
	e := diag.Errorf(diag.Argument, "options", diag.At("/family"), "there is no family of this name; %s", says)
	e.Keyword, e.Fragment = "family", diag.Shorten(text, 60)
	return nil, e
}
