package source

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every option of a constraint is in the key. New options are found by reflection.
func TestEveryOptionIsInTheKey(t *testing.T) {
	given := map[string]Options{"none": {}}
	fields := reflect.TypeOf(Options{})
	for i := range fields.NumField() {
		field := fields.Field(i)
		if field.Tag.Get("json") == "-" { // set by the compiler or by a waiting caller
			continue
		}
		var o Options
		switch v := reflect.ValueOf(&o).Elem().Field(i); v.Kind() {
		case reflect.Bool:
			v.SetBool(true)
		case reflect.Int:
			v.SetInt(7)
		case reflect.Uint8:
			v.SetUint(1)
		case reflect.String:
			v.SetString("x")
		case reflect.Pointer:
			v.Set(reflect.New(v.Type().Elem()))
		case reflect.Map:
			if x, ok := v.Addr().Interface().(*map[string]NamedGrammar); ok {
				*x = map[string]NamedGrammar{"x": {Lark: "{}"}}
				break
			}
			v.Set(reflect.ValueOf(map[string]json.RawMessage{"x": json.RawMessage("{}")}))
		default:
			t.Fatalf("an option of a type that this test does not know: %s", field.Name)
		}
		given[field.Name] = o
	}
	require.Greater(t, len(given), 17)
	keys := map[string]string{}
	for name, o := range given {
		key := string(o.AppendKey(nil))
		require.Equal(t, key, string(o.AppendKey(nil)))
		require.NotContains(t, keys, key, "%s", name)
		keys[key] = name
	}
}

// Neighbouring texts do not run together in a key, and documents have no order.
func TestKeysOfTexts(t *testing.T) {
	key := func(o Options) string { return string(o.AppendKey(nil)) }
	require.NotEqual(t, key(Options{Dialect: "ab"}), key(Options{Dialect: "a", Family: "b"}))
	require.NotEqual(t, key(Options{Separators: &[2]string{"a", ""}}), key(Options{Separators: &[2]string{"", "a"}}))
	documents := func(uris ...string) Options {
		o := Options{Documents: map[string]json.RawMessage{}}
		for _, uri := range uris {
			o.Documents[uri] = json.RawMessage(`true`)
		}
		return o
	}
	require.Equal(t, key(documents("a", "b", "c")), key(documents("c", "b", "a")))
	require.NotEqual(t, key(documents("a", "b")), key(documents("a")))
	named := func(g NamedGrammar) Options { return Options{Grammars: map[string]NamedGrammar{"a": g}} }
	require.NotEqual(t, key(named(NamedGrammar{Lark: "{}"})), key(named(NamedGrammar{Schema: []byte("{}")})))
}
