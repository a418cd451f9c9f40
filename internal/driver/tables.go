package driver

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/doneby/doneby/internal/knowledge"
	"github.com/doneby/doneby/internal/knowledge/check"
)

// checkTables holds the rows of the user's tables against the packages of the build: a row that names nothing is a
// problem, since what it was written for goes unseen. Rows about packages that are not in the build cannot be judged.
func (r *run) checkTables(report *Report) {
	var rows []knowledge.Row
	var absent []string
	for _, row := range r.o.Config.TableRows() {
		path := row.ImportPath()
		if p := r.listed[path]; p != nil && p.Export != "" {
			rows = append(rows, row)
		} else if !slices.Contains(absent, path) {
			absent = append(absent, path)
		}
	}
	errs := check.Truth(rows, func(path string) *types.Package {
		pkg, err := r.shared.load(path)
		if err != nil {
			return nil
		}
		return pkg
	})
	for _, err := range errs {
		report.Problems = append(report.Problems, Problem{Message: err.Error()})
	}
	if absent != nil {
		report.Notices = append(report.Notices,
			fmt.Sprintf("table rows about %s were not checked: no such package is in this build", strings.Join(absent, ", ")))
	}
}
