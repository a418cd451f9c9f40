package contexts

import (
	"go/types"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/typeset"
)

// Row returns what the tables say of a function.
func (r *Result) Row(fn *types.Func) (knowledge.Row, bool) {
	if fn == nil {
		return knowledge.Row{}, false
	}
	if known, ok := r.rows[fn]; ok {
		return known.row, known.ok
	}
	row, ok := r.tables.Of(fn)
	r.rows[fn] = rowOf{row, ok}
	return row, ok
}

// Name returns the name under which the tables have a function, or "" for none.
func (r *Result) Name(fn *types.Func) string {
	name, ok := r.names[fn]
	if !ok {
		name = typeset.FullName(fn)
		r.names[fn] = name
	}
	return name
}

// rowOf is what Row has found.
type rowOf struct {
	row knowledge.Row
	ok  bool
}
