package core_test

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protopath"
	"google.golang.org/protobuf/reflect/protorange"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/sluice-engine/sluice/core"
	"github.com/sluice-engine/sluice/core/internal/testkit"
	"github.com/sluice-engine/sluice/core/sluicev1"
)

// savedConstraints need token sets of every form: lists, bitmaps, counted ones, differences, and sets behind whitespace.
var savedConstraints = []struct {
	kind core.Kind
	text string
}{
	{core.JSONSchema, `{"properties": {"a": {"pattern": "^[a-z]{2,9}-x"}, "b": {"maxLength": 7, "minLength": 3}}}`},
	{core.JSONSchema, `{"patternProperties": {"^n": {"enum": ["name", "true", 23]}}, "required": ["name", "other"]}`},
	{core.JSONSchema, `{"items": {"format": "uri"}, "minItems": 2, "uniqueItems": true}`},
	{core.Regex, `([^"\\]|\\n){5,90}"`},
	{core.EBNF, "root ::= item (\",\" [ \\n]* item)*\nitem ::= [a-z<>]+ | \"\\\"\" [^\"]{0,12} \"\\\"\""},
	{core.Lark, "start: (WORD \" \")+ \"end\"\nWORD: /\\w+/ & ~/null|true/"},
	{core.AnyJSON, ""},
}

// A compiler that was loaded computes the masks of one that was not, from the token sets in the file.
func TestSavedCompilerHasTheSameMasks(t *testing.T) {
	testkit.Alone(t)
	v := denseVocabulary(t)
	first := core.NewCompiler(v, core.CompilerConfig{WarmBytes: -1})
	plain := walks(t, first)
	data, err := first.Save()
	require.NoError(t, err)
	again, err := first.Save()
	require.NoError(t, err)
	require.Equal(t, data, again)

	own, err := core.ParseVocabulary(core.FormatAuto, data, core.VocabularyOptions{})
	require.NoError(t, err)
	require.Equal(t, v.Hash(), own.Hash())
	loaded, err := core.LoadCompiler(own, data, core.CompilerConfig{WarmBytes: -1})
	require.NoError(t, err)
	saved, err := loaded.Save()
	require.NoError(t, err)
	require.Equal(t, data, saved, "the token sets of the file are there at once")
	require.Equal(t, plain, walks(t, loaded))
	saved, err = loaded.Save()
	require.NoError(t, err)
	require.Equal(t, data, saved, "the walks have found every token set in the file, and each is as it was")
}

// A file is a message that generated code reads: every field is declared, and the parts fit one another.
func TestSavedCompilerIsAMessage(t *testing.T) {
	testkit.Alone(t)
	v := denseVocabulary(t)
	c := core.NewCompiler(v, core.CompilerConfig{WarmBytes: -1})
	walks(t, c)
	data, err := c.Save()
	require.NoError(t, err)
	var m sluicev1.Compiler
	require.NoError(t, proto.Unmarshal(data, &m))
	unknown := 0
	require.NoError(t, protorange.Range(m.ProtoReflect(), func(p protopath.Values) error {
		if x, ok := p.Index(-1).Value.Interface().(protoreflect.Message); ok {
			unknown += len(x.GetUnknown())
		}
		return nil
	}))
	require.Zero(t, unknown)
	require.Equal(t, v.Size(), len(m.Vocabulary.Lengths))
	require.Equal(t, v.Size(), len(m.Vocabulary.Flags))
	require.Equal(t, v.EndTokens(), m.Vocabulary.EndTokens)
	require.Equal(t, "name", m.Vocabulary.Names[1].Name)
	require.NotZero(t, m.Checksum)
	forms := map[string]int{}
	for _, set := range m.TokenSets {
		for form, is := range map[string]bool{
			"narrow": set.Cost == 0, "counted": set.Counted, "place": set.Place != nil, "group": set.Groups != nil,
			"exits": set.Exits != nil, "ends": set.Ends != nil,
			"ranges": set.Inside != nil,
		} {
			if is {
				forms[form]++
			}
		}
	}
	require.Len(t, forms, 7, "the constraints need sets of every form: %v", forms)
	again, err := proto.Marshal(&m)
	require.NoError(t, err)
	require.Equal(t, len(data), len(again))
}

// walks returns masks along random outputs of savedConstraints, and the work of each compilation.
func walks(t *testing.T, c *core.Compiler) (all [][]uint32) {
	r := rand.New(rand.NewSource(5))
	for _, x := range savedConstraints {
		g, err := c.Compile(x.kind, []byte(x.text), nil)
		require.NoError(t, err, x.text)
		all = append(all, []uint32{uint32(g.Stats().CompileWork)})
		for range 4 {
			m, err := core.NewMatcher(g, core.MatcherOptions{})
			require.NoError(t, err)
			for range 60 {
				row := make([]uint32, c.Vocabulary().Words())
				_, err := m.Fill(row)
				require.NoError(t, err)
				all = append(all, row)
				var ids []int32
				for id := range uint32(c.Vocabulary().Size()) {
					if row[id>>5]>>(id&31)&1 != 0 {
						ids = append(ids, int32(id))
					}
				}
				n, err := m.Accept(ids[r.Intn(len(ids)):][:1])
				require.NoError(t, err)
				require.Equal(t, 1, n)
				if m.Terminated() {
					break
				}
			}
		}
	}
	return all
}

func denseVocabulary(t *testing.T) *core.Vocabulary {
	r := rand.New(rand.NewSource(8))
	pieces := []string{
		"a", "b", `"`, `\`, `\n`, `\u00`, "{", "}", "[", "]", ":", ",", " ", "\n", "0", "23", "-x", ".",
		"true", "name", "é", "\xc3", "😀", "<", "x", "://",
	}
	var c core.VocabularyConfig
	for b := range 256 {
		c.Tokens = append(c.Tokens, []byte{byte(b)})
	}
	for len(c.Tokens) < 6000 {
		var text []byte
		for range 1 + r.Intn(6) {
			text = append(text, pieces[r.Intn(len(pieces))]...)
		}
		c.Tokens = append(c.Tokens, text)
	}
	c.Special, c.EndTokens = []uint32{6001, 6002, 6003}, []uint32{6001}
	c.SpecialText = map[uint32][]byte{6001: []byte("</s>"), 6002: []byte("name"), 6003: []byte("name")}
	c.PaddedSize = 6100
	v, err := core.NewVocabulary(c)
	require.NoError(t, err)
	return v
}

func TestSavedFilesAreRefused(t *testing.T) {
	v := denseVocabulary(t)
	data, err := core.NewCompiler(v, core.CompilerConfig{}).Save()
	require.NoError(t, err)
	change := func(f func(b []byte) []byte) []byte { return f(append([]byte(nil), data...)) }
	for _, c := range []struct {
		name string
		data []byte
		code core.Code
		says string
	}{
		{"nothing", nil, core.CodeSyntax, "do not begin"},
		{"another file", []byte(`{"model": {}}`), core.CodeSyntax, "do not begin"},
		{"another format", change(func(b []byte) []byte { b[1]++; return b }), core.CodeUnsupported, "save the compiler again"},
		{"cut off", data[:len(data)/2], core.CodeSyntax, "cut off"},
		{"without its end", data[:len(data)-5], core.CodeSyntax, "cut off"},
		{"damaged", change(func(b []byte) []byte { b[len(b)/2] ^= 4; return b }), core.CodeInvalid, ""},
		{"longer", append(data[:len(data):len(data)], 0), core.CodeSyntax, ""},
	} {
		_, err := core.LoadCompiler(v, c.data, core.CompilerConfig{})
		require.Error(t, err, c.name)
		if e := core.AsError(err); c.name != "damaged" { // damage within a length is a syntax error
			require.Equal(t, c.code, e.Code, "%s: %v", c.name, err)
		}
		require.ErrorContains(t, err, c.says, c.name)
		_, err = core.ParseVocabulary(core.FormatSluice, c.data, core.VocabularyOptions{})
		require.Error(t, err, c.name)
	}
	_, err = core.LoadCompiler(smallVocabulary(), data, core.CompilerConfig{})
	require.ErrorContains(t, err, "hash")
	require.Equal(t, core.CodeArgument, core.AsError(err).Code)

	// Options override the file; the vocabulary is then another one.
	other, err := core.ParseVocabulary(core.FormatSluice, data, core.VocabularyOptions{EndTokens: []uint32{7}})
	require.NoError(t, err)
	require.Equal(t, []uint32{7}, other.EndTokens())
	_, err = core.LoadCompiler(other, data, core.CompilerConfig{})
	require.ErrorContains(t, err, "hash")
}
