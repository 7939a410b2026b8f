package matcher

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-engine/sluice/core/internal/diag"
)

// While a matcher is held, every call that can fail fails with Busy.
func TestCallsOfAHeldMatcherAreBusy(t *testing.T) {
	m, err := New(fresh(t, "ab*"), Options{})
	require.NoError(t, err)
	h, ok := m.Hold()
	require.True(t, ok)
	defer h.Release()
	failure := reflect.TypeFor[error]()
	calls := 0
	for _, of := range []any{m, Until{m, nil}} {
		v := reflect.ValueOf(of)
		for i := range v.NumMethod() {
			call := v.Type().Method(i)
			results := call.Type.NumOut()
			if results == 0 || call.Type.Out(results-1) != failure {
				continue
			}
			args := []reflect.Value{}
			for k := 1; k < call.Type.NumIn(); k++ {
				args = append(args, reflect.Zero(call.Type.In(k)))
			}
			err, _ := v.Method(i).Call(args)[results-1].Interface().(error)
			require.Equal(t, diag.Busy, codeOf(err), "%s.%s: %v", v.Type(), call.Name, err)
			calls++
		}
	}
	require.Greater(t, calls, 25)
}
