// Chain runs a browser, a gateway and the services A, B, C with their database, three times under the same overload: before
// (timeouts of each hop's own), ctx only (what doneby finds is mended) and after (package deadline is used). It prints what came of each.
//
//	go run .
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/doneby/doneby/deadline/examples/chain/after"
	"github.com/doneby/doneby/deadline/examples/chain/before"
	"github.com/doneby/doneby/deadline/examples/chain/ctxonly"
	"github.com/doneby/doneby/deadline/examples/chain/internal/plan"
)

// variants are what is compared, in the order of the table.
var variants = []variant{{"before", before.Build}, {"ctx only", ctxonly.Build}, {"after", after.Build}}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout)
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
	default:
		fmt.Fprintln(os.Stderr, "chain:", err)
		os.Exit(1)
	}
}

// options are those of the command line.
type options struct {
	lasts time.Duration
	load  float64
	seed  uint64
	dsn   string
}

func parse(args []string, usage io.Writer) (options, error) {
	var o options
	flags := flag.NewFlagSet("chain", flag.ContinueOnError)
	flags.SetOutput(usage)
	flags.DurationVar(&o.lasts, "for", 10*time.Second, "how long browsers keep coming, in each variant")
	flags.Float64Var(&o.load, "load", 1.5, fmt.Sprintf("how many come, as a multiple of the capacity of %.0f/s", plan.Capacity))
	flags.Uint64Var(&o.seed, "seed", 1, "of the moments at which they come")
	flags.StringVar(&o.dsn, "db", "", "a PostgreSQL database, such as postgres://localhost/test; without it, SQLite")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	switch {
	case flags.NArg() > 0:
		return o, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case o.lasts <= 0:
		return o, errors.New("-for is not above 0")
	case !(o.load > 0 && o.load <= 10):
		return o, errors.New("-load is not above 0 and at most 10")
	}
	return o, nil
}

// run makes the runs that args ask for, and prints their table.
func run(ctx context.Context, args []string, w io.Writer) error {
	o, err := parse(args, os.Stderr)
	if err != nil {
		return err
	}
	var outcomes []outcome
	for _, v := range variants {
		out, err := v.run(ctx, o)
		if err != nil {
			return fmt.Errorf("%s: %w", v.name, err)
		}
		outcomes = append(outcomes, out)
	}
	return print(w, o, outcomes)
}
