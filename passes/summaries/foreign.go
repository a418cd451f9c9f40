package summaries

import (
	"go/types"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/typeset"
	"github.com/doneby/doneby/passes/ir"
)

// known returns the row of the tables that all types of the direct imports have for a method that an interface of this
// package asks for: of interface{ Query(string, ...any) (*sql.Rows, error) }, that of *sql.DB and *sql.Tx. None when a type
// of this package implements it too, when there are more than three, or when the rows differ.
func (s *implementers) known(r *Result, m *types.Func) (knowledge.Row, bool) {
	if row, ok := s.rows[m]; ok {
		return row, row.Verb != ""
	}
	row := s.findRow(r, m)
	s.rows[m] = row
	return row, row.Verb != ""
}

func (s *implementers) findRow(r *Result, m *types.Func) knowledge.Row {
	none := knowledge.Row{}
	if m.Pkg() != r.pass.Pkg || !typeset.IsInterfaceMethod(m) {
		return none
	}
	iface, ok := typeset.Receiver(m).Underlying().(*types.Interface)
	if !ok {
		return none
	}
	for _, t := range s.types {
		if types.Implements(t, iface) {
			return none // its own implementers are joined
		}
	}
	var rows []knowledge.Row
	for _, t := range r.importedTypes() {
		if !types.Implements(t, iface) {
			continue
		}
		row, ok := r.ctx.Row(typeset.Method(t, m.Name()))
		if !ok || len(rows) == maxImplementers || len(rows) > 0 && !sameWait(rows[0], row) {
			return none
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		return none
	}
	return rows[0]
}

// sameWait reports whether two rows say the same but for the names.
func sameWait(a, b knowledge.Row) bool {
	return a.Verb == b.Verb && a.Ctx == b.Ctx && a.Meant == b.Meant && a.ByRecv == b.ByRecv && (a.Use == "") == (b.Use == "")
}

// importedTypes returns the exported concrete types of the direct imports that the tables cover, *T for each T.
func (r *Result) importedTypes() []types.Type {
	if r.impls.imported != nil {
		return r.impls.imported
	}
	out := []types.Type{}
	for _, p := range ir.Imports(r.pass) {
		if !r.ctx.Covers(p.Path()) {
			continue
		}
		out = append(out, exportedTypes(p)...)
	}
	r.impls.imported = out
	return out
}

// exportedTypes returns *T for each exported concrete type T of a package.
func exportedTypes(p *types.Package) []types.Type {
	var out []types.Type
	for _, name := range p.Scope().Names() {
		tn, ok := p.Scope().Lookup(name).(*types.TypeName)
		if !ok || !tn.Exported() || tn.IsAlias() || types.IsInterface(tn.Type()) {
			continue
		}
		if n, ok := tn.Type().(*types.Named); ok && n.TypeParams().Len() == 0 {
			out = append(out, types.NewPointer(n))
		}
	}
	return out
}
