package core

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/compiler"
	"github.com/sluice-engine/sluice/core/internal/diag"
	"github.com/sluice-engine/sluice/core/internal/source"
)

// filled returns a struct without zero values in it or in its inner structs.
func filled[T any](t *testing.T) (out T) {
	fillValue(t, reflect.ValueOf(&out).Elem())
	return out
}

func fillValue(t *testing.T, v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int:
		v.SetInt(7)
	case reflect.Uint8, reflect.Uint32:
		v.SetUint(1)
	case reflect.String:
		v.SetString("x")
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fillValue(t, v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			fillValue(t, v.Field(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			fillValue(t, v.Index(i))
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fillValue(t, v.Index(0))
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fillValue(t, key)
		fillValue(t, value)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Func:
		v.Set(reflect.MakeFunc(v.Type(), func([]reflect.Value) []reflect.Value {
			return []reflect.Value{reflect.New(v.Type().Out(0)).Elem()}
		}))
	default:
		t.Fatalf("a field of a type that this test does not know: %v", v.Type())
	}
}

// Conversions between caller and engine lose no field, in both directions.
func TestConversionsKeepEveryField(t *testing.T) {
	o := filled[Options](t)
	there := o.engine()
	back := optionsOfEngine(there)
	require.NotNil(t, there.Stop)
	require.NotNil(t, there.TokenIDs)
	require.NotNil(t, back.Stop)
	require.NotNil(t, back.TokenIDs)
	o.Stop, o.TokenIDs, back.Stop, back.TokenIDs = nil, nil, nil, nil // functions cannot be compared
	require.Equal(t, o, back)
	// Callers have every option of the engine except those that the compiler sets itself.
	own := map[string]bool{"TokenText": true, "EndTokens": true, "TokenCount": true, "Work": true}
	for i := range reflect.TypeFor[source.Options]().NumField() {
		f := reflect.TypeFor[source.Options]().Field(i)
		if _, ok := reflect.TypeFor[Options]().FieldByName(f.Name); !ok {
			require.True(t, own[f.Name], "callers cannot set %s", f.Name)
		}
	}

	e := filled[Error](t)
	require.Equal(t, &e, ofEngine(e.engine()))
	require.Equal(t, filled[diag.Error](t), *e.engine())
	require.Equal(t, []Note{filled[Note](t)}, notesOfEngine([]diag.Note{filled[diag.Note](t)}))
	require.Nil(t, notesOfEngine(nil))
}

// The tables of capabilities equal the front ends', in the form for programs.
func TestCapabilitiesKeepEveryField(t *testing.T) {
	members := func(table any) (m map[string]any) {
		text, err := json.Marshal(table)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(text, &m))
		return m
	}
	require.Equal(t, members(filled[source.Capability](t)), members(filled[Capability](t)))
	ours := members(Capabilities())
	for name, list := range members(compiler.Capabilities()) {
		require.Equal(t, list, ours[name], name)
	}
}

// Every path returns errors of the engine as errors of this package.
func TestErrorsAreThisPackages(t *testing.T) {
	_, err := ParseVocabulary(FormatAuto, []byte("{"), VocabularyOptions{})
	require.IsType(t, &Error{}, err)
	_, err = Check(Regex, []byte("("), nil)
	require.IsType(t, &Error{}, err)
	_, err = ParseFamily([]byte("{}"))
	require.IsType(t, &Error{}, err)
	_, err = ReadRequest([]byte("["), nil, nil)
	require.IsType(t, &Error{}, err)
	v, err := NewVocabulary(VocabularyConfig{Tokens: [][]byte{[]byte("a"), []byte("</s>")}, Special: []uint32{1}})
	require.NoError(t, err)
	c := NewCompiler(v, CompilerConfig{})
	for _, kind := range []Kind{Lark, GrammarText, Request} {
		_, err = c.Compile(kind, []byte("{"), nil)
		require.IsType(t, &Error{}, err)
	}

	g, err := c.Compile(Regex, []byte("b"), nil)
	require.NoError(t, err)
	m, err := NewMatcher(g, MatcherOptions{})
	require.NoError(t, err)
	_, err = m.Fill(make([]uint32, v.Words())) // no token continues
	require.IsType(t, &Error{}, err)
	require.Equal(t, CodeUnsatisfiable, AsError(err).Code)
	b := Batch{Items: []BatchItem{{Matcher: m, Steps: 1}}}
	b.Rollback()
	require.IsType(t, &Error{}, b.Items[0].Err)
	require.Equal(t, CodeArgument, AsError(b.Items[0].Err).Code)
}
