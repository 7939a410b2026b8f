package corpus

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRespell(t *testing.T) {
	for in, want := range map[string]string{
		`{"b":1,"a":[1,2 , {}],"":{}}`:               `{"b": 1, "a": [1, 2, {}], "": {}}`,
		`"a, b: \" \\ \u00e9\n\u0001\ud83d\ude00\/"`: `"a, b: \" \\ é\n\u0001😀/"`,
		`[1.0, 1e2, 1E400, 0.1, 1e15, 1e16, 1.5e300, 0.0001, 0.00001, -0, -0.0, 12345678901234567890]`: `[1.0, ` +
			`100.0, ` +
			`1E400, 0.1, 1000000000000000.0, 1e+16, 1.5e+300, 0.0001, 1e-05, 0, -0.0, 12345678901234567890]`,
		`null`: `null`, " [true,\tfalse]\n": `[true, false]`,
	} {
		got, ok := Respell([]byte(in))
		require.True(t, ok, in)
		require.Equal(t, want, got)
	}
	for _, half := range []string{`"\ud800"`, `"\udc00x"`, `["\\\ud800\\u0041"]`, `"\ud800\ud800"`} {
		_, ok := Respell([]byte(half))
		require.False(t, ok, half)
	}
	_, ok := Respell([]byte(`"\\ud800"`))
	require.True(t, ok, "a backslash and letters")
}
