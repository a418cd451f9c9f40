// Figure runs a command and keeps what it prints as a committed result, under the header that says from which inputs
// (gen.Stamp). If the command fails, the result stays as it was.
//
//	go run ./internal/gen/figure -o docs/figures/chain.txt -by "make chain" -in "deadline/examples/chain/..." -C deadline/examples/chain go run .
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"

	"github.com/doneby/doneby/internal/gen"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "figure:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	out := flag.String("o", "", "the result, from the top of the repository")
	by := flag.String("by", "", "the command that makes the result anew, for the header")
	in := flag.String("in", "", "the inputs, for the header, with blanks in between")
	dir := flag.String("C", ".", "where to run the command")
	flag.Parse()
	if *out == "" || *by == "" || *in == "" || flag.NArg() == 0 {
		return fmt.Errorf("-o, -by, -in and a command are wanted")
	}
	stamp, err := gen.Stamp(".", *by, strings.Fields(*in)...) // before the command, which may take a while
	if err != nil {
		return err
	}
	var said bytes.Buffer
	cmd := exec.CommandContext(ctx, flag.Arg(0), flag.Args()[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = *dir, &said, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", strings.Join(flag.Args(), " "), err)
	}
	return os.WriteFile(*out, append([]byte(stamp+"\n"), said.Bytes()...), 0o666)
}
