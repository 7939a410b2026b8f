package format

import (
	"sync"

	"github.com/sluice-engine/sluice/core/internal/limits"
	"github.com/sluice-engine/sluice/core/internal/source/regex"
	"github.com/sluice-engine/sluice/core/internal/terminal"
	"github.com/sluice-engine/sluice/core/internal/terminal/table"
)

// madeTables caches the results of Table, by name and looseness, for the process.
var madeTables sync.Map

type tableKey struct {
	name  string
	loose bool
}

type madeTable struct {
	t  *table.Table
	ok bool
}

// Table returns a format as a table, without leap seconds. If loose, labels of host names may have any length, which
// gives more texts and fewer states. ok is false if the table is too large, or the format has no loose form.
func Table(name string, loose bool) (*table.Table, bool) {
	key := tableKey{name, loose}
	if m, ok := madeTables.Load(key); ok {
		return m.(madeTable).t, m.(madeTable).ok
	}
	pattern := Pattern(name)
	if loose {
		pattern = Of(name).loose
	}
	if pattern == "" {
		return nil, false
	}
	st := terminal.NewStore()
	e, err := regex.Lower(st, regex.MustParse(pattern), regex.Mode{Encoding: terminal.UTF8})
	if err != nil {
		return nil, false
	}
	t, ok := table.Anything().Within(st, e, false, limits.FormatTableWork)
	madeTables.Store(key, madeTable{t, ok})
	return t, ok
}
