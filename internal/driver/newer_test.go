package driver

import (
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
)

// A module that needs a newer Go than doneby was built with is one line, however many packages it has.
func TestTooNew(t *testing.T) {
	module := func(path, version string) *unit {
		return &unit{listed: &listed{ImportPath: path, Module: &analysis.Module{Path: path, GoVersion: version}}}
	}
	units := []*unit{module("example.com/new", "1.30"), module("example.com/new", "1.30"), module("example.com/same", "1.26.9"), module("example.com/old", "1.20"), module("example.com/none", "")}
	problems := tooNew(units, buildEnv{GOVERSION: "go1.30.1"}, "go1.26.8")
	if len(problems) != 1 || !strings.Contains(problems[0].Message, "example.com/new needs go1.30, and doneby was built with go1.26.8") {
		t.Errorf("problems %v", problems)
	}
	for i, failed := range []bool{true, true, false, false, false} {
		if (units[i].failed != "") != failed {
			t.Errorf("%s %s is taken out: %t", units[i].ImportPath, units[i].Module.GoVersion, !failed)
		}
	}
}
