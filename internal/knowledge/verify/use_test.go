package verify

import (
	"go/token"
	"go/types"
	"os"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/rowtest"
)

// TestUse uses every row about a library in programs that are checked against the library itself, and holds what the analysis
// says of them against what the row promises: package rowtest.
func TestUse(t *testing.T) {
	tables := knowledge.Builtin()
	rows := libraryRows(tables)
	libs := rowtest.Libraries{Fset: token.NewFileSet(), Pkgs: map[string]*types.Package{}}
	pkgs, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedDeps | packages.NeedExportFile,
		Env:  append(os.Environ(), "GOFLAGS=", "GOWORK=off"),
		Fset: libs.Fset,
	}, append(importPaths(rows), "std")...)
	if err != nil {
		t.Fatal(err)
	}
	packages.Visit(pkgs, nil, func(p *packages.Package) { libs.Pkgs[p.PkgPath] = p.Types })
	rowtest.Run(t, libs, rows, tables.Rows()).Hold(t, map[string]int{
		"a parameter of a type that cannot be named":          2,
		"ctx= is given to nobody":                             2, // a context that the value brings
		"belongs to a type that cannot be named":              17,
		"nothing in the tables makes the handle":              536, // what is made of a client that no context is given to
		"nothing in the tables puts it on a connection":       151, // a library's own connection, which only it can dial
		"nothing in the tables waits on what it makes":        62,  // names, options, tickers
		"the function that it calls again takes no context":   2,
		"the function that it calls has a context of its own": 18, // its waits are judged in it
		"the handler is the library's own":                    6,
		"what it binds is there already":                      8, // SetContext: the analysis does not see it
		"what it registers are the methods of a value":        8,
	}, []string{
		"github.com/go-redis/redis/v8.NewScanCmd",            // takes a function of a type that is not exported
		"(*github.com/gomodule/redigo/redis.loggingConn).Do", // of a type that nothing hands out
		"(*github.com/gomodule/redigo/redis.loggingConn).Receive",
		"(*github.com/jmoiron/sqlx.qStmt).Exec", // of a type that nothing hands out
		"(*github.com/jmoiron/sqlx.qStmt).Query",
		"(*github.com/jmoiron/sqlx.qStmt).QueryRowx",
		"(*github.com/jmoiron/sqlx.qStmt).Queryx",
		"github.com/redis/go-redis/v9.NewScanCmd",
		"(golang.org/x/net/proxy.direct).Dial", // of a variable, proxy.Direct
		"(golang.org/x/net/proxy.direct).DialContext",
	})
}
