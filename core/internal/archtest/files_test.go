package archtest

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// oneWay lists the packages whose files use one another in one direction, as packages do: each file can be read after
// the files that it uses.
var oneWay = []string{
	"terminal/expr", "terminal/analysis", "terminal", "terminal/counters", "terminal/inspect", "terminal/relax",
	"terminal/spelling", "terminal/table", "pushdown", "tokenset", "mask", "source/rules", "source/jsonschema/jsontype",
	"source/jsonschema/style", "source/jsonschema/node", "source/jsonschema/pattern", "source/jsonschema/plan",
	"source/jsonschema/lower",
}

// A file uses another one if it names a function, method, field, type, variable or constant that the other declares.
func TestFilesUseOneAnotherOneWay(t *testing.T) {
	byPackage := map[string][]goFile{}
	for _, f := range files(t) {
		if !f.test {
			byPackage[f.pkg] = append(byPackage[f.pkg], f)
		}
	}
	lookup := exports(t)
	for _, pkg := range oneWay {
		require.NotEmpty(t, byPackage[pkg], pkg)
		uses := fileUses(t, byPackage[pkg], lookup)
		for _, circle := range circles(uses) {
			var example []string
			for _, a := range circle {
				for _, b := range circle {
					if name, ok := uses[a][b]; ok {
						example = append(example, fmt.Sprintf("%s uses %s of %s", a, name, b))
					}
				}
			}
			t.Errorf("%s: these files use one another in a circle: %s\n\t%s", pkg, strings.Join(circle, ", "),
				strings.Join(example, "\n\t"))
		}
	}
}

// exports returns a lookup of the export data of the packages in oneWay and their imports.
func exports(t *testing.T) importer.Lookup {
	list := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}")
	for _, pkg := range oneWay {
		list.Args = append(list.Args, "./core/internal/"+pkg)
	}
	list.Dir, list.Stderr = root(t), os.Stderr
	out, err := list.Output()
	require.NoError(t, err)
	found := map[string]string{}
	for line := range strings.Lines(string(out)) {
		name, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		found[name] = file
	}
	return func(name string) (io.ReadCloser, error) { return os.Open(found[name]) }
}

// fileUses returns, for each file of a package, the files it uses and a name of each that it uses.
func fileUses(t *testing.T, files []goFile, lookup importer.Lookup) map[string]map[string]string {
	var parsed []*ast.File
	for _, f := range files {
		parsed = append(parsed, f.ast)
	}
	info := types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: importer.ForCompiler(fset, "gc", lookup), FakeImportC: true}
	pkg, err := config.Check(files[0].pkg, fset, parsed, &info)
	require.NoError(t, err)
	uses := map[string]map[string]string{}
	at := func(p token.Pos) string { return path.Base(strings.ReplaceAll(fset.Position(p).Filename, "\\", "/")) }
	for id, object := range info.Uses {
		from, to := at(id.Pos()), at(object.Pos())
		if object.Pkg() == pkg && from != to {
			if uses[from] == nil {
				uses[from] = map[string]string{}
			}
			if was, ok := uses[from][to]; !ok || object.Name() < was {
				uses[from][to] = object.Name()
			}
		}
	}
	return uses
}

// circles returns the groups of files that use one another, directly or through others.
func circles(uses map[string]map[string]string) (groups [][]string) {
	reach := map[string]map[string]bool{}
	for a := range uses {
		reach[a] = map[string]bool{}
		for todo := slices.Collect(maps.Keys(uses[a])); len(todo) > 0; {
			b := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if !reach[a][b] {
				reach[a][b] = true
				todo = slices.AppendSeq(todo, maps.Keys(uses[b]))
			}
		}
	}
	done := map[string]bool{}
	for _, a := range slices.Sorted(maps.Keys(uses)) {
		if !reach[a][a] || done[a] {
			continue
		}
		var group []string
		for _, b := range slices.Sorted(maps.Keys(uses)) {
			if reach[a][b] && reach[b][a] {
				group, done[b] = append(group, b), true
			}
		}
		groups = append(groups, group)
	}
	return groups
}

func TestCirclesOfFiles(t *testing.T) {
	uses := map[string]map[string]string{
		"a": {"b": "x"}, "b": {"c": "x", "d": "x"}, "c": {"b": "x"}, "d": {"e": "x"}, "e": {"f": "x"}, "f": {"d": "x"},
	}
	require.Equal(t, [][]string{{"b", "c"}, {"d", "e", "f"}}, circles(uses))
}
