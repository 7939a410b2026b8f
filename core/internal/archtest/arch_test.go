package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	module = "github.com/sluice-engine/sluice"

	// Readers do not finish longer files and functions.
	maxFileLines     = 600
	maxFunctionLines = 80
)

// imports lists the packages of this module that each package may import; both sides are below core/internal unless
// they begin with a slash. Every package is listed. Imports point one way, from top to bottom of this table's groups.
var imports = map[string][]string{
	// For every package: data and bounds, no decisions.
	"diag":    {},
	"limits":  {},
	"arena":   {},
	"work":    {"diag"},
	"cache":   {},
	"metrics": {},
	"wire":    {},

	// The language of terminals with its inner packages, each of which may import those above it, and the grammar above
	// it.
	"terminal/expr":     {"arena", "work"},
	"terminal/analysis": {"terminal/expr", "arena", "limits"},
	"terminal":          {"terminal/expr", "terminal/analysis", "arena", "work", "limits"},
	"terminal/counters": {"terminal", "terminal/expr", "terminal/analysis"},
	"terminal/inspect":  {"terminal", "terminal/expr"},
	"terminal/table":    {"terminal", "terminal/expr", "terminal/analysis", "limits"},
	"terminal/prices":   {"terminal", "terminal/expr", "terminal/counters"},
	"terminal/shortest": {"terminal", "terminal/expr", "terminal/counters", "terminal/prices", "limits"},
	"terminal/relax":    {"terminal", "terminal/expr", "terminal/analysis"},
	"terminal/spelling": {"terminal", "terminal/expr", "terminal/analysis"},
	"grammar":           {"terminal", "diag"},

	// Front ends: text to grammar. They import no automaton and no vocabulary, and may import one another.
	"source":            {"work"},
	"source/jsontext":   {"work", "diag", "limits"},
	"source/charclass":  {},
	"source/substrings": {"terminal"},
	"source/regex":      frontEnd,
	"source/choice":     frontEnd,
	"source/rules":      frontEnd,
	"source/syntax":     frontEnd,
	"source/ebnf":       frontEnd,
	"source/lark":       frontEnd,
	"source/jsonschema": frontEnd,
	"source/freetext":   frontEnd,
	"source/structag":   frontEnd,

	// The inner packages of JSON Schema, each of which may import those above it.
	"source/jsonschema/jsontype": {},
	"source/jsonschema/grid":     {"terminal", "limits"},
	"source/jsonschema/format":   {"source/regex", "terminal", "terminal/table", "diag", "limits"},
	"source/jsonschema/number":   {"source/jsonschema/jsontype", "source/jsonschema/grid", "terminal", "limits"},
	"source/jsonschema/schema":   {"source/jsonschema/format", "source", "source/jsontext", "grammar", "diag", "limits"},
	"source/jsonschema/style":    {"source/jsonschema/jsontype"},
	"source/jsonschema/node": {
		"source/jsonschema/jsontype", "source/jsonschema/number", "source/jsonschema/schema", "source/jsontext", "diag",
		"limits",
	},
	"source/jsonschema/pattern": {
		"source/jsonschema/format", "source/jsonschema/schema", "source/jsontext", "source/regex", "terminal",
		"terminal/counters", "diag", "limits",
	},
	"source/jsonschema/plan": {
		"source/jsonschema/jsontype", "source/jsonschema/number", "source/jsonschema/format",
		"source/jsonschema/schema", "source/jsonschema/style", "source/jsonschema/node", "source/jsonschema/pattern",
		"source", "source/jsontext", "terminal", "diag", "limits",
	},
	"source/jsonschema/lower": {
		"source/jsonschema/jsontype", "source/jsonschema/number", "source/jsonschema/format",
		"source/jsonschema/schema", "source/jsonschema/style", "source/jsonschema/pattern", "source/jsonschema/plan",
		"source", "source/jsontext", "source/regex", "grammar", "terminal", "terminal/prices", "terminal/table", "diag",
		"limits",
	},

	// Above the front ends: the constraint of an engine's request.
	"request":        {"request/family", "source", "source/jsontext", "diag", "limits"},
	"request/family": {"source/jsontext", "diag", "limits"},

	// Outputs read back: by a family's file and a style's row, with no grammar.
	"events/value": {
		"source/jsonschema/jsontype", "source/jsonschema/schema", "source/jsonschema/style", "source", "source/jsontext", "limits",
	},
	"events": {"events/value", "request/family", "source/jsonschema/style", "diag", "limits"},

	// Grammar to automaton.
	"rewrite":  {"grammar", "terminal", "terminal/inspect", "work", "diag", "limits"},
	"distinct": {},
	"pushdown": {"grammar", "rewrite", "terminal", "terminal/*", "distinct", "arena", "work", "diag", "limits"},

	// Vocabularies know no grammar.
	"vocab":     {"wire", "diag", "limits"},
	"tokentrie": {"vocab", "arena", "limits"},

	// How text is cut, and laid out: no grammar either.
	"tokenizer": {"vocab", "wire", "source/regex", "source/charclass", "diag", "limits"},
	"layout":    {},

	// Strings that end a text.
	"stopstring": {"diag", "limits"},

	// Grammars and vocabularies together.
	"tokenset": {"wire", "distinct", "tokentrie", "terminal", "terminal/*", "arena", "work", "limits"},
	"mask": {
		"tokenset", "pushdown", "grammar", "distinct", "tokentrie", "terminal", "terminal/*", "arena", "metrics", "limits",
	},
	"ending": {
		"arena", "mask", "tokenset", "pushdown", "tokentrie", "terminal", "terminal/counters", "terminal/prices",
		"terminal/shortest", "terminal/spelling", "limits",
	},
	"capture":  {"pushdown", "grammar", "terminal", "terminal/spelling", "diag", "limits"},
	"compiled": {"capture", "tokenset", "mask", "pushdown", "vocab", "metrics", "diag", "limits"},
	"compiler": {
		"compiled", "work", "capture", "tokenset", "mask", "pushdown", "tokentrie", "rewrite", "grammar", "terminal",
		"terminal/prices", "vocab", "source",
		"source/*",
		"metrics", "diag", "limits",
	},
	"reasons": {"pushdown", "grammar", "terminal", "terminal/counters", "terminal/spelling", "diag", "limits"},
	"matcher": {
		"arena", "reasons", "compiled", "capture", "ending", "mask", "pushdown", "terminal", "terminal/prices",
		"terminal/spelling", "events", "events/value", "layout", "stopstring", "tokenizer", "vocab", "diag", "limits",
	},

	// The printer of all stages. The engine does not import it; the facade does.
	"dump": {
		"compiled", "compiler", "tokenset", "mask", "pushdown", "rewrite", "grammar", "terminal",
		"terminal/counters", "terminal/inspect", "source", "diag",
	},

	// The public interfaces.
	"/core": {
		"cache", "compiled", "compiler", "matcher", "metrics", "reasons", "capture", "dump", "events", "events/value", "request",
		"request/family", "tokenizer", "vocab", "source", "wire", "diag", "limits",
	},
	"/core/sluicev1": {},
	"/capi": {
		"/core", "/capi/internal/handle", "/capi/internal/devices", "/capi/internal/pipes", "/cpu", "/cuda",
	},
	"/capi/internal/pipes":   {},
	"/capi/internal/handle":  {},
	"/capi/internal/devices": {},

	// Kernels are C behind the header: they do not know the engine, and Go only links them.
	"/cpu":  {},
	"/cuda": {},

	// Second opinions and tests: no part of the engine imports them.
	"archtest":             {},
	"oracle":               {"grammar", "terminal", "terminal/inspect", "diag", "limits"},
	"testkit":              {"*"},
	"testkit/engine":       {"*"},
	"enginetest":           {"*"},
	"schematest":           {"*"},
	"limittest":            {"*"},
	"/tests/lab/roundtrip": {"/core", "*"},
	"/tests/corpus":        {"/core"}, // and its programs, as users' programs
	"/tests/conformance":   {"/core", "/tests/corpus"},
	"/site":                {}, // prints the reference of /core for the site
	"/tests/lab/hashes":    {"/core", "/tests/corpus"},
	"/tests/dump":          {"/core", "/tests/corpus"},
	"/tests/lab/drafts":    {"/core", "/tests/corpus"},
	"/tests/lab/hostile":   {"/core", "/tests/corpus"},
	"/tests/lab/tenants":   {"/core", "/tests/corpus"},
	"/tests/lab/memory":    {"/core", "/tests/corpus"},
	"/tests/lab/speed":     {"/core", "/tests/corpus"},
	"/tests/lab/mutate":    {}, // reads and runs code as text
	"/tests/lab/strings":   {"/core", "/tests/corpus"},
}

// frontEnd lists the imports that every front end may have.
var frontEnd = []string{
	"source", "source/*", "grammar", "terminal", "terminal/inspect", "terminal/prices", "terminal/spelling", "work",
	"diag", "limits",
}

// unsafeHomes may import unsafe, cgoHomes may import "C".
var (
	unsafeHomes = []string{"/capi", "/tests/lab/speed", "arena", "mask", "tokentrie", "pushdown", "vocab"}
	cgoHomes    = []string{"/capi", "/capi/internal/devices", "/cpu", "/cuda"}
)

// deterministic packages decide which tokens are allowed. Ranks of one model must decide alike, so these packages
// import neither clocks nor random numbers.
var deterministic = []string{
	"terminal", "terminal/*", "grammar", "rewrite", "pushdown", "tokentrie", "tokenset", "mask", "ending", "capture",
	"matcher",
	"source", "source/*", "request", "request/*", "events", "events/*", "vocab", "tokenizer", "layout", "stopstring",
}

// goFile is a parsed file of this module.
type goFile struct {
	path string // from the module's root
	pkg  string // as in imports
	test bool
	ast  *ast.File
	text string
}

// root returns the module's root.
func root(t *testing.T) string {
	dir, err := os.Getwd()
	require.NoError(t, err)
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		require.NotEqual(t, "/", dir, "no go.mod above the test")
	}
}

// skipped reports whether a folder holds generated files.
func skipped(name string) bool {
	return name == "build" || name == "dist" || name == "testdata" || strings.HasPrefix(name, ".") && name != "."
}

// walk calls f for every file whose name ends in one of the suffixes.
func walk(t *testing.T, root string, suffixes []string, f func(path, text string)) {
	require.NoError(t, filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if p != root && skipped(d.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		listed := slices.ContainsFunc(suffixes, func(s string) bool { return strings.HasSuffix(p, s) })
		if !listed || strings.HasSuffix(p, ".pb.go") { // generated
			return nil
		}
		text, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, p)
		f(filepath.ToSlash(rel), string(text))
		return err
	}))
}

var fset = token.NewFileSet()

func files(t *testing.T) (all []goFile) {
	walk(t, root(t), []string{".go"}, func(p, text string) {
		parsed, err := parser.ParseFile(fset, p, text, parser.ParseComments)
		require.NoError(t, err)
		pkg, internal := strings.CutPrefix(path.Dir(p), "core/internal/")
		if !internal {
			pkg = "/" + pkg
		}
		all = append(all, goFile{path: p, pkg: pkg, test: strings.HasSuffix(p, "_test.go"), ast: parsed, text: text})
	})
	require.NotEmpty(t, all)
	return all
}

// allowed reports whether a list of packages, in the notation of imports, contains pkg.
func allowed(list []string, pkg string) bool {
	return slices.ContainsFunc(list, func(entry string) bool {
		prefix, wild := strings.CutSuffix(entry, "*")
		return entry == pkg || wild && strings.HasPrefix(pkg, prefix) && !strings.HasPrefix(pkg, "/")
	})
}

func imported(f goFile) (paths []string) {
	for _, i := range f.ast.Imports {
		paths = append(paths, strings.Trim(i.Path.Value, `"`))
	}
	return paths
}

func TestImportsPointOneWay(t *testing.T) {
	for _, f := range files(t) {
		list, known := imports[f.pkg]
		if !known {
			t.Errorf("%s: package %s is not in the table of imports: decide what it may know", f.path, f.pkg)
			continue
		}
		for _, p := range imported(f) {
			target, ours := strings.CutPrefix(p, module)
			if !ours || f.test {
				continue // tests may import every package
			}
			if internal, ok := strings.CutPrefix(target, "/core/internal/"); ok {
				target = internal
			}
			if !allowed(list, target) {
				t.Errorf("%s imports %s, which the table of imports does not allow", f.path, target)
			}
		}
	}
}

// Inner packages are imported only below their own package, whether or not the table allows more. Events read the
// outputs of grammars, so they share the rows of styles and the reader of schemas.
func TestRoomsAreTheirPackagesOwn(t *testing.T) {
	shared := []string{"source/jsonschema/style", "source/jsonschema/jsontype", "source/jsonschema/schema"}
	for room, home := range map[string]string{
		"source/jsonschema/": "source/jsonschema", "terminal/expr": "terminal", "terminal/analysis": "terminal",
	} {
		for _, f := range files(t) {
			for _, p := range imported(f) {
				inner, ok := strings.CutPrefix(p, module+"/core/internal/")
				data := slices.Contains(shared, inner) && strings.HasPrefix(f.pkg, "events")
				if ok && strings.HasPrefix(inner, room) && !strings.HasPrefix(f.pkg, home) && !data {
					t.Errorf("%s imports %s, a room of %s", f.path, p, home)
				}
			}
		}
	}
}

// The oracle shares no code with the engine that it judges, not even in its tests' helpers.
func TestNothingOfTheEngineImportsItsJudges(t *testing.T) {
	judges := []string{"oracle", "testkit", "testkit/engine", "enginetest", "schematest", "limittest", "archtest"}
	for pkg, list := range imports {
		for _, judge := range judges {
			if !slices.Contains(judges, pkg) && !strings.HasPrefix(pkg, "/tests/") && allowed(list, judge) {
				t.Errorf("the table lets %s import %s", pkg, judge)
			}
		}
	}
}

func TestArchitecturePageNamesEveryPackage(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(root(t), "ARCHITECTURE.md"))
	require.NoError(t, err)
	for pkg := range imports {
		if name := strings.TrimPrefix(pkg, "/"); !strings.Contains(string(page), "`"+name+"`") {
			t.Errorf("ARCHITECTURE.md does not name `%s` in its tables of packages", name)
		}
	}
}

func TestUnsafeCgoAndClocksStayAtHome(t *testing.T) {
	for _, f := range files(t) {
		if f.test {
			continue
		}
		for _, p := range imported(f) {
			switch {
			case p == "unsafe" && !allowed(unsafeHomes, f.pkg):
				t.Errorf("%s imports unsafe, whose homes are %v", f.path, unsafeHomes)
			case p == "C" && !allowed(cgoHomes, f.pkg):
				t.Errorf("%s uses cgo, whose homes are %v: core builds without it", f.path, cgoHomes)
			case (p == "time" || p == "math/rand" || p == "math/rand/v2" || p == "crypto/rand") &&
				allowed(deterministic, f.pkg):
				t.Errorf("%s imports %s: no mask may depend on it", f.path, p)
			}
		}
	}
}

func TestFilesAreShort(t *testing.T) {
	walk(t, root(t), []string{".go", ".c", ".h", ".hpp", ".cpp", ".py", ".sh", ".cu"}, func(p, text string) {
		if n := strings.Count(text, "\n"); n > maxFileLines {
			t.Errorf("%s has %d lines, at most %d: which second thing does it do?", p, n, maxFileLines)
		}
	})
}

func TestFunctionsAreShort(t *testing.T) {
	for _, f := range files(t) {
		if f.test {
			continue // a test's table may be long
		}
		for _, d := range f.ast.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			if n := fset.Position(fn.End()).Line - fset.Position(fn.Pos()).Line + 1; n > maxFunctionLines {
				t.Errorf("%s: %s has %d lines, at most %d", f.path, fn.Name.Name, n, maxFunctionLines)
			}
		}
	}
}

func TestPackagesSayWhatTheyAre(t *testing.T) {
	comments := map[string][]string{}
	names := map[string]string{}
	for _, f := range files(t) {
		if f.test {
			continue
		}
		names[f.pkg] = f.ast.Name.Name
		if doc := f.ast.Doc.Text(); doc != "" {
			comments[f.pkg] = append(comments[f.pkg], doc)
		}
	}
	for pkg, name := range names {
		switch list := comments[pkg]; {
		case len(list) == 0:
			t.Errorf("package %s has no package comment", pkg)
		case len(list) > 1:
			t.Errorf("package %s has %d package comments: one file holds it", pkg, len(list))
		case !strings.HasPrefix(list[0], "Package "+name+" "):
			t.Errorf("package %s: the comment begins with %q, not %q", pkg, strings.SplitN(list[0], "\n", 2)[0],
				"Package "+name)
		}
	}
}

func TestExportedNamesAreDocumented(t *testing.T) {
	for _, f := range files(t) {
		if f.test {
			continue
		}
		for _, d := range f.ast.Decls {
			for _, name := range undocumented(d) {
				t.Errorf("%s: %s has no comment", f.path, name)
			}
		}
	}
}

// undocumented returns the exported names of a declaration that no comment covers. A comment on a group covers it.
func undocumented(d ast.Decl) (names []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && d.Doc == nil && (d.Recv == nil || exportedReceiver(d)) {
			names = append(names, d.Name.Name)
		}
	case *ast.GenDecl:
		if d.Doc != nil {
			return nil
		}
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				if s.Name.IsExported() && s.Doc == nil && s.Comment == nil {
					names = append(names, s.Name.Name)
				}
			case *ast.ValueSpec:
				if s.Names[0].IsExported() && s.Doc == nil && s.Comment == nil {
					names = append(names, s.Names[0].Name)
				}
			}
		}
	}
	return names
}

// exportedReceiver reports whether a method belongs to an exported type.
func exportedReceiver(d *ast.FuncDecl) bool {
	for x := d.Recv.List[0].Type; ; {
		switch y := x.(type) {
		case *ast.StarExpr:
			x = y.X
		case *ast.IndexExpr:
			x = y.X
		case *ast.Ident:
			return y.IsExported()
		default:
			return false
		}
	}
}

// A released file contains no notes to its authors and no folder of their machines. The words are put together here so
// that this file does not contain them.
func TestNothingIsLeftForLater(t *testing.T) {
	left := regexp.MustCompile(fmt.Sprintf(`\b(%s|%s|%s)\b`, "TO"+"DO", "FIX"+"ME", "XX"+"X"))
	place := regexp.MustCompile(fmt.Sprintf(`(^|[\s"'(=:])/(%s|%s|%s)/`, "wo"+"rk", "ro"+"ot", "ho"+"me"))
	walk(t, root(t), []string{".go", ".c", ".h", ".hpp", ".cpp", ".py", ".sh", ".mk", ".md", ".txt", ".toml"},
		func(p, text string) {
			for i, line := range strings.Split(text, "\n") {
				if word := left.FindString(line); word != "" {
					t.Errorf("%s:%d has %s: do it, or open an issue", p, i+1, word)
				}
				if place.MatchString(line) {
					t.Errorf("%s:%d names a folder of somebody's machine: %s", p, i+1, strings.TrimSpace(line))
				}
			}
		})
}
