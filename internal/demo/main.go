// Demo runs doneby on testdata/demo, prints what it says, and compares it with testdata/demo/DEFECTS.md, where it is
// written what is wrong with the demo and what only looks wrong. It exits 1 when the two differ.
//
//	go run ./internal/demo
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/doneby/doneby/analyzers"
	"github.com/doneby/doneby/internal/driver"
	"github.com/doneby/doneby/internal/gate"
	"github.com/doneby/doneby/passes/settings"
)

func main() {
	right, err := run(context.Background(), os.Stdout, filepath.Join("testdata", "demo"))
	if err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(2)
	}
	if !right {
		os.Exit(1)
	}
}

// run lints the demo in dir and writes the findings and the verdict. It reports whether all is as DEFECTS.md says.
func run(ctx context.Context, w io.Writer, dir string) (bool, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return false, err
	}
	cfg, err := settings.Load(filepath.Join(dir, settings.FileName))
	if err != nil {
		return false, err
	}
	report, err := driver.Run(ctx, driver.Options{Dir: dir, Config: cfg, Analyzers: analyzers.All, NoCache: true})
	if err != nil {
		return false, err
	}
	gate.Problems(w, dir, report.Problems)
	fmt.Fprintln(w, "$ doneby -C testdata/demo")
	if err := gate.Text(w, dir, report.Findings); err != nil {
		return false, err
	}
	plan, err := readPlan(dir)
	if err != nil {
		return false, err
	}
	v := compare(plan, dir, report.Findings)
	v.print(w)
	return v.right() && len(report.Problems) == 0, nil
}
