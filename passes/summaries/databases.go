package summaries

import (
	"go/constant"
	"regexp"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
)

// A statement without a context ends by what its database was opened with, where that says so: the driver's limit for a read
// (go-sql-driver/mysql, readTimeout), or the server's for a statement (PostgreSQL, statement_timeout; MySQL, max_execution_time).

// limitsStatement matches the text of such a limit: in a data source name, as a parameter of the session, in a SET.
var limitsStatement = regexp.MustCompile(`(?i)\b(readTimeout|statement_timeout|max_execution_time|socket_timeout)\b`)

// endedByDatabase reports whether a wait is for a database that the package opens with such a limit.
func (r *Result) endedByDatabase(w Wait) bool {
	name := strings.TrimLeft(w.Name, "(*")
	for _, pkg := range [...]string{"sql.", "sqlx.", "gorm.", "pgx.", "pgxpool."} {
		if strings.HasPrefix(name, pkg) {
			return r.limitsStatements()
		}
	}
	return false
}

// limitsStatements reports whether something in the package sets a limit for statements.
func (r *Result) limitsStatements() bool {
	if r.dbLimit != nil {
		return *r.dbLimit
	}
	found := false
	for _, fn := range append([]*ssa.Function{r.ir.Pkg.Func("init")}, r.ir.Funcs...) {
		if fn == nil || r.ir.InTest(fn) {
			continue
		}
		for in := range ssawalk.Instrs(fn) {
			found = found || setsStatementLimit(in)
		}
	}
	r.dbLimit = &found
	return found
}

// setsStatementLimit reports whether an instruction has the text of such a limit, or sets the driver's own field for one.
func setsStatementLimit(in ssa.Instruction) bool {
	if st, ok := in.(*ssa.Store); ok {
		if fa, ok := st.Addr.(*ssa.FieldAddr); ok {
			field, _ := ssawalk.Field(fa)
			return field.Name() == "ReadTimeout" && typeset.Is(typeset.Deref(fa.X.Type()), "github.com/go-sql-driver/mysql", "Config") ||
				textLimits(st.Val)
		}
	}
	for _, op := range in.Operands(nil) {
		if *op != nil && textLimits(*op) {
			return true
		}
	}
	return false
}

func textLimits(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && c.Value.Kind() == constant.String && limitsStatement.MatchString(constant.StringVal(c.Value))
}
