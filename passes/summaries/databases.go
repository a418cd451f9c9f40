package summaries

import (
	"go/constant"
	"regexp"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/internal/typeset"
)

// A statement without a context ends by what its database was opened with, where that says so: the driver's limit for a read
// (go-sql-driver/mysql, readTimeout), or the server's for a statement (PostgreSQL, statement_timeout; MySQL, max_execution_time).

// limitsStatement matches the text of such a limit: in a data source name, as the name of a parameter, in a SET.
var limitsStatement = regexp.MustCompile(`\b(statement_timeout|max_execution_time)\b|\b(readTimeout|socket_timeout)=|^(readTimeout|socket_timeout)$`)

// endedByDatabase reports whether a wait is for a database that the package opens with such a limit.
func (r *Result) endedByDatabase(w Wait) bool {
	f := r.libraryFunc(w)
	if f == nil {
		return false
	}
	switch f.Pkg().Path() {
	case "database/sql", "github.com/jmoiron/sqlx", "gorm.io/gorm", "github.com/jackc/pgx/v4", "github.com/jackc/pgx/v4/pgxpool",
		"github.com/jackc/pgx/v5", "github.com/jackc/pgx/v5/pgxpool":
		return r.limitsStatements()
	}
	return false
}

// limitsStatements reports whether something in the package sets a limit for statements.
func (r *Result) limitsStatements() bool {
	if r.dbLimit == nil {
		found := false
		for in := range r.ir.Instrs() {
			found = found || setsStatementLimit(in)
		}
		r.dbLimit = &found
	}
	return *r.dbLimit
}

// setsStatementLimit reports whether an instruction has the text of such a limit, or sets the driver's own field for one.
func setsStatementLimit(in ssa.Instruction) bool {
	if st, ok := in.(*ssa.Store); ok {
		field, of := ssawalk.Field(st.Addr)
		if field != nil && field.Name() == "ReadTimeout" && typeset.Is(typeset.Deref(of.Type()), "github.com/go-sql-driver/mysql", "Config") {
			return true
		}
	}
	for _, op := range in.Operands(nil) {
		if c, ok := (*op).(*ssa.Const); ok && c.Value != nil && c.Value.Kind() == constant.String && limitsStatement.MatchString(constant.StringVal(c.Value)) {
			return true
		}
	}
	return false
}
