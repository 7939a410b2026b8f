package core

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every field of Options has one line of the table, with an example that can be read and is not the default.
func TestEveryOptionIsInTheTable(t *testing.T) {
	fields := map[any]string{}
	o := new(Options)
	v := reflect.ValueOf(o).Elem()
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if !slices.Contains([]string{"Stop", "CheckBudget", "TokenIDs"}, f.Name) { // about the call, not the constraint
			fields[v.Field(i).Addr().Interface()] = f.Name
		}
	}
	for i := range options {
		x := &options[i]
		require.Contains(t, fields, x.field(o), x.name)
		delete(fields, x.field(o))
		require.True(t, x.read(o, json.RawMessage(x.example)), x.name)
		require.False(t, reflect.ValueOf(x.field(o)).Elem().IsZero(), x.name)
	}
	require.Empty(t, fields)
}
