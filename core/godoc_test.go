package core

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source"
	"github.com/sluice-engine/sluice/core/internal/vocab"
)

// publicTypes are the exported types of this package, for reflection.
var publicTypes = []any{
	Explanation{},
	Expectation{},
	Missing{},
	Reason{},
	Batch{},
	BatchItem{},
	CacheStats{},
	Capability{},
	CapabilityTable{},
	Capture{},
	Code(0),
	Compiler{},
	CompilerConfig{},
	CompilerStats{},
	DumpOptions{},
	Effect(0),
	Error{},
	Event{},
	EventKind(0),
	Family{},
	Format(0),
	Grammar{},
	Histogram{},
	Job{},
	Kind(0),
	KindCapability{},
	MaskKey{},
	Matcher{},
	MatcherOptions{},
	Memory{},
	NamedGrammar{},
	Note{},
	OptionCapability{},
	Options{},
	ParsedCall{},
	ParsedOutput{},
	Part{},
	Place{},
	Reasoning{},
	RequestConstraint{},
	Rows{},
	State{},
	Stats{},
	StopState{},
	Support(""), TokenFlags(0),
	TokenView(0),
	Tree{},
	Until{},
	Vocabulary{},
	VocabularyConfig{},
	VocabularyOptions{},
}

// documented returns the documentation of this package, and the names that its files give to internal packages.
func documented(t *testing.T) (*doc.Package, map[string]bool) {
	fset, internal := token.NewFileSet(), map[string]bool{}
	var files []*ast.File
	names, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		f, err := parser.ParseFile(fset, name, text, parser.ParseComments)
		require.NoError(t, err)
		files = append(files, f)
		for _, i := range f.Imports {
			if path, _ := strconv.Unquote(i.Path.Value); strings.Contains(path, "/internal/") {
				internal[filepath.Base(path)] = true
			}
		}
	}
	p, err := doc.NewFromFiles(fset, files, "github.com/sluice-engine/sluice/core")
	require.NoError(t, err)
	return p, internal
}

// `go doc` shows every field and method that a program can use, and nothing that only internal packages explain.
func TestDocumentationShowsEveryFieldAndMethod(t *testing.T) {
	p, internal := documented(t)
	shown := map[string]*doc.Type{}
	for _, x := range p.Types {
		shown[x.Name] = x
	}
	require.Len(t, publicTypes, len(shown), "publicTypes lists every exported type")
	for _, x := range publicTypes {
		r := reflect.TypeOf(x)
		d := shown[r.Name()]
		require.NotNil(t, d, r.Name())
		spec := d.Decl.Specs[0].(*ast.TypeSpec)
		require.False(t, spec.Assign.IsValid(), "%s is an alias: its fields are not shown", d.Name)
		require.NotEmpty(t, d.Doc, d.Name)
		var methods []string
		for _, m := range d.Methods {
			methods = append(methods, m.Name)
			require.NotEmpty(t, m.Doc, "%s.%s", d.Name, m.Name)
		}
		for i := range reflect.PointerTo(r).NumMethod() {
			require.Contains(t, methods, reflect.PointerTo(r).Method(i).Name, d.Name)
		}
		if s, ok := spec.Type.(*ast.StructType); ok {
			requireFields(t, d.Name, r, s)
		}
	}
	for _, n := range nodes(p) {
		ast.Inspect(n, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				of, _ := s.X.(*ast.Ident)
				require.False(t, of != nil && internal[of.Name], "%s.%s is shown, and is internal", of, s.Sel)
			}
			return true
		})
	}
}

// requireFields compares the fields of a struct with the shown ones. Each has a comment, except for a few names that
// explain themselves.
func requireFields(t *testing.T, name string, r reflect.Type, shown *ast.StructType) {
	plain := []string{"Rows", "MaskKey", "NamedGrammar", "KindCapability", "OptionCapability", "CapabilityTable"}
	var fields []string
	for _, f := range shown.Fields.List {
		require.NotEmpty(t, f.Names, "%s embeds a type whose fields are not shown", name)
		for _, n := range f.Names {
			fields = append(fields, n.Name)
			if !slices.Contains(plain, name) {
				require.NotEmpty(t, f.Doc.Text()+f.Comment.Text(), "%s.%s has no comment", name, n.Name)
			}
		}
	}
	for i := range r.NumField() {
		if f := r.Field(i); f.IsExported() {
			require.Contains(t, fields, f.Name, name)
		}
	}
}

// nodes returns the documented functions, types and values of a package, without bodies.
func nodes(p *doc.Package) (all []ast.Node) {
	functions := slices.Clone(p.Funcs)
	for _, x := range p.Types {
		all = append(all, x.Decl)
		functions = slices.Concat(functions, x.Funcs, x.Methods)
	}
	for _, f := range functions {
		f.Decl.Body = nil
		all = append(all, f.Decl)
	}
	for _, v := range p.Consts {
		all = append(all, v.Decl)
	}
	return all
}

// constantsOf returns the shown values of the constants of a type.
func constantsOf(t *testing.T, p *doc.Package, name string) map[string]string {
	values := map[string]string{}
	for _, x := range p.Types {
		if x.Name != name {
			continue
		}
		for _, group := range x.Consts {
			for _, s := range group.Decl.Specs {
				v := s.(*ast.ValueSpec)
				require.NotEmpty(t, v.Comment.Text(), v.Names[0].Name)
				values[v.Names[0].Name] = v.Values[0].(*ast.BasicLit).Value
			}
		}
	}
	return values
}

// `go doc` shows every value of types that stand for types of the engine, with the engine's number.
func TestDocumentationShowsEveryValue(t *testing.T) {
	p, _ := documented(t)
	for name, engine := range map[string]map[string]any{
		"Kind": {
			"JSONSchema": source.JSONSchema, "Regex": source.Regex, "EBNF": source.EBNF, "Lark": source.Lark,
			"StructuralTag": source.StructuralTag, "Choice": source.Choice, "JSONObject": source.JSONObject,
			"AnyJSON": source.AnyJSON, "Request": source.Request, "GrammarText": source.GrammarText,
		},
		"Code": {
			"CodeArgument": diag.Argument, "CodeHandle": diag.Handle, "CodeBusy": diag.Busy, "CodeSyntax": diag.Syntax,
			"CodeInvalid": diag.Invalid, "CodeUnsupported": diag.Unsupported,
			"CodeUnsatisfiable": diag.Unsatisfiable, "CodeLimit": diag.Limit, "CodeIO": diag.IO,
			"CodeInternal": diag.Internal, "CodeRejected": diag.Rejected, "CodeForked": diag.Forked,
			"CodeUnavailable": diag.Unavailable, "CodeDevice": diag.Device, "CodeUnfinished": diag.Unfinished,
			"CodeCancelled": diag.Cancelled,
		},
		"Effect": {
			"Narrower": diag.Narrower, "Wider": diag.Wider, "Ignored": diag.Ignored, "DeadEnd": diag.DeadEnd,
		},
		"TokenView":  {"DefaultView": source.DefaultView, "TokensView": source.TokensView, "TextView": source.TextView},
		"TokenFlags": {"TokenSpecial": vocab.Special, "TokenAdded": vocab.Added, "TokenEnd": vocab.End},
		"Support": {
			"SupportExact": source.Exact, "SupportNarrower": source.Narrower, "SupportWider": source.Wider,
			"SupportIgnored": source.Ignored, "SupportUnsupported": source.Unsupported,
		},
	} {
		want := map[string]string{}
		for constant, value := range engine {
			if v := reflect.ValueOf(value); v.Kind() == reflect.String {
				want[constant] = strconv.Quote(v.String())
			} else {
				want[constant] = strconv.FormatUint(v.Uint(), 10)
			}
		}
		require.Equal(t, want, constantsOf(t, p, name), name)
	}
	require.Equal(t, limits.BatchPlaces, MaxBatch)
	// The table above is complete: the next values have no name.
	require.Equal(t, "unknown", (GrammarText + 1).String())
	require.Equal(t, "code 17", (CodeCancelled + 1).String())
	require.Panics(t, func() { _ = (DeadEnd + 1).String() })
}
