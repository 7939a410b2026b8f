package main

import (
	"fmt"
	"strings"

	"github.com/sluice-engine/sluice/core"
)

// input is one hostile constraint, as from a user, a model or an attacker. Immutable.
type input struct {
	name string
	kind core.Kind
	spec func() string // made when it is needed: some have megabytes
	text string        // an output to follow; it need not be in the language

	options *core.Options // nil: none
}

// family makes inputs of one shape at several sizes.
type family struct {
	name  string
	kind  core.Kind
	sizes []int
	spec  func(n int) string
	text  string
}

func (f family) inputs() (all []input) {
	for _, n := range f.sizes {
		name := f.name
		if len(f.sizes) > 1 {
			name = fmt.Sprintf("%s/%d", f.name, n)
		}
		all = append(all, input{name: name, kind: f.kind, spec: func() string { return f.spec(n) }, text: f.text})
	}
	return all
}

// inputs returns all of them, in a fixed order.
func inputs() (all []input) {
	for _, list := range [][]family{
		regexFamilies, moreRegexFamilies, dialectFamilies, ebnfFamilies, larkFamilies, schemaFamilies,
		referenceFamilies, scopeFamilies, stringFamilies, tagFamilies, triggerFamilies, moreLarkFamilies, aheadFamilies,
		wideFamilies, combinedFamilies, styleFamilies(),
	} {
		for _, f := range list {
			all = append(all, f.inputs()...)
		}
	}
	for _, f := range configuredFamilies() {
		for _, x := range f.inputs() {
			x.options = f.options
			all = append(all, x)
		}
	}
	return all
}

func rep(s string, n int) string { return strings.Repeat(s, n) }

// list joins item(0) to item(n-1).
func list(n int, separator string, item func(i int) string) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteString(separator)
		}
		b.WriteString(item(i))
	}
	return b.String()
}

func constant(s string) func(int) string { return func(int) string { return s } }

var one = []int{1}
