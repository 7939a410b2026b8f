package jsontext

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/limits"
)

func read(t *testing.T, s string) (*Tree, ID) {
	t.Helper()
	var tree Tree
	id, err := tree.Read([]byte(s), "test")
	require.NoError(t, err, s)
	return &tree, id
}

func TestOrderAndPlaces(t *testing.T) {
	tree, root := read(t, `{"b": [1, {"x/y~z": -0.10e+2}], "a": "q\u00e9\ud83d\ude00\n"}`)
	b := tree.Node(root).First
	require.Equal(t, "b", tree.Node(b).Key)
	a := tree.Node(b).Next
	require.Equal(t, "a", tree.Node(a).Key)
	require.Equal(t, "qé😀\n", tree.Node(a).Text)
	x := tree.Resolve(root, "/b/1/x~1y~0z")
	require.NotZero(t, x)
	require.Equal(t, "-0.10e+2", tree.Node(x).Text)
	require.Equal(t, "/b/1/x~1y~0z", tree.Pointer(x))
	require.Equal(t, `{"x/y~z": -0.10e+2}`, tree.Raw(tree.Node(x).Parent))
	require.Equal(t, root, tree.Root(x))
	require.Zero(t, tree.Resolve(root, "/b/01"))
	require.Zero(t, tree.Resolve(root, "/c"))
}

func TestTwoDocuments(t *testing.T) {
	tree, one := read(t, `[1]`)
	two, err := tree.Read([]byte(`{"k":[2]}`), "test")
	require.NoError(t, err)
	require.Equal(t, one, tree.Root(one+1))
	require.Equal(t, two, tree.Root(two+2))
	require.Equal(t, "[2]", tree.Raw(two+1))
	require.Equal(t, "[1]", tree.Raw(one))
	_, err = tree.Read([]byte(`{"k":`), "test")
	require.Error(t, err)
	require.Equal(t, "/k/0", tree.Pointer(two+2))
}

// A part of a document is what reading its text gives.
func TestPart(t *testing.T) {
	whole, root := read(t, `{"a": [1, {"b": {}, "c": [2, "x"]}, "y"], "d": {"e": null}}`)
	for _, pointer := range []string{"", "/a", "/a/0", "/a/1", "/a/1/b", "/a/1/c", "/a/1/c/1", "/a/2", "/d", "/d/e"} {
		part, id := whole.Part(whole.Resolve(root, pointer))
		require.Equal(t, whole.Raw(whole.Resolve(root, pointer)), part.Raw(id), pointer)
		again, same := read(t, part.Raw(id))
		require.Equal(t, same, id)
		require.Equal(t, again.nodes, part.nodes, pointer)
		require.Equal(t, again.docs, part.docs, pointer)
		require.Equal(t, again.read, part.read, pointer)
	}
}

func TestErrorsTeach(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{``, "where a value is expected"},
		{`{"a":1,}`, "trailing commas"},
		{`[1,]`, "trailing commas"},
		{`[1 2]`, "expected ',' or ']'"},
		{`{"a" 1}`, "expected ':'"},
		{`{a:1}`, "double quotes"},
		{`[01]`, "must not begin with a zero"},
		{`[1.]`, "digit after"},
		{`[1e]`, "exponent needs a digit"},
		{`[-]`, "needs a digit"},
		{`["\x"]`, "no escape"},
		{`["\ud800"]`, "surrogate"},
		{`["\ude00\ud800"]`, "surrogate"},
		{"[\"\n\"]", "control character"},
		{`["abc`, "not closed"},
		{`["\`, "ends inside"},
		{`["a\n`, "not closed"},
		{`1 2`, "text follows"},
		{`nul`, "need quotes"},
		{"\"\xff\"", "UTF-8"},
		{`{"a":1,"b":2,"a":3}`, "twice"},
		{`{"a":1,"\u0061":3}`, "twice"},
		{strings.Repeat("[", limits.Nesting+1), "deep"},
	} {
		var tree Tree
		_, err := tree.Read([]byte(c.in), "test")
		require.Error(t, err, c.in)
		require.Contains(t, err.Error(), c.want, c.in)
		require.IsType(t, &diag.Error{}, err)
		require.Positive(t, err.(*diag.Error).Place.Line)
	}
}

func TestDuplicateAmongMany(t *testing.T) {
	var b strings.Builder
	b.WriteString("{")
	for i := range 50 {
		b.WriteString(`"k` + string(rune('a'+i%26)) + strings.Repeat("x", i/26) + `":1,`)
	}
	_, err := new(Tree).Read([]byte(b.String()+`"z":1}`), "test")
	require.NoError(t, err)
	_, err = new(Tree).Read([]byte(b.String()+`"kc":1}`), "test")
	require.ErrorContains(t, err, "twice")
}

func TestDeepNestingIsFine(t *testing.T) {
	tree, root := read(t, strings.Repeat(`{"a":`, limits.Nesting)+"1"+strings.Repeat("}", limits.Nesting))
	require.Len(t, tree.Pointer(ID(tree.Len()-1)), 2*limits.Nesting)
	require.NotZero(t, root)
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{`{"a":[1,-2.5e3,"x\u0041",true,null]}`, `"\ud83d\ude00"`, `[[[]]]`, `{"":{}}`, ` ` +
		`1 `, `{"a":1,"a":2}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		var tree Tree
		root, err := tree.Read(in, "fuzz")
		if err == nil {
			require.True(t, json.Valid(in))
			require.Equal(t, strings.TrimSpace(string(in)), tree.Raw(root))
			last := ID(tree.Len() - 1)
			require.Equal(t, last, tree.Resolve(root, tree.Pointer(last)))
		}
	})
}

func BenchmarkRead(b *testing.B) {
	var s strings.Builder
	s.WriteString(`{"type":"object","properties":{`)
	for i := 0; s.Len() < 1900; i++ {
		if i > 0 {
			s.WriteByte(',')
		}
		s.WriteString(`"name` + strings.Repeat("x", i%7) + string(rune('a'+i)) +
			`": {"type": "string", "description": "what it is for", "minLength": 3}`)
	}
	s.WriteString(`},"required":["namea"]}`)
	src := []byte(s.String())
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		var tree Tree
		if _, err := tree.Read(src, "bench"); err != nil {
			b.Fatal(err)
		}
	}
}

// The place of an invalid byte is that byte, after any text.
func TestPlaceOfInvalidUTF8(t *testing.T) {
	for _, before := range []string{`{"const":"`, `{"const":"日本語`, "{\n \"é\": \"😀", "\uFFFD"} {
		var tree Tree
		_, err := tree.Read([]byte(before+"\xff\"}"), "test")
		var e *diag.Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, diag.Syntax, e.Code)
		require.Equal(t, len(before), e.Place.Offset, before)
		line := before[strings.LastIndexByte(before, '\n')+1:]
		require.Equal(t, len([]rune(line))+1, e.Place.Column, before)
	}
}

func TestByteOrderMark(t *testing.T) {
	var tree Tree
	_, err := tree.Read([]byte("\uFEFF{}"), "test")
	require.ErrorContains(t, err, "byte order mark")
	require.NotContains(t, err.Error(), "\uFEFF")
}

func TestRemove(t *testing.T) {
	for _, name := range []string{"a", "b", "c"} {
		tree, root := read(t, `{"a": 1, "b": [2], "c": 3}`)
		gone := tree.Get(root, name)
		tree.Remove(gone)
		require.Zero(t, tree.Get(root, name))
		require.Equal(t, uint32(2), tree.Node(root).Count)
		require.Len(t, slices.Collect(tree.Children(root)), 2)
		require.Equal(t, "/"+name, tree.Pointer(gone))
	}
}
