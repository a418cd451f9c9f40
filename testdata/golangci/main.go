// Command golangci is golangci-lint with doneby in it: what `golangci-lint custom` would write, without the network. The
// tests of the drivers build and run it. It is a module of its own, since golangci-lint requires two hundred others.
package main

import (
	"fmt"
	"os"
	"runtime"

	"github.com/golangci/golangci-lint/v2/pkg/commands"
	"github.com/golangci/golangci-lint/v2/pkg/exitcodes"

	_ "github.com/doneby/doneby/cmd/golangci" // registers the linter
)

func main() {
	// With this version golangci-lint hashes its own binary into the key of its cache: a rebuilt plugin must not be answered
	// from what an older one said.
	info := commands.BuildInfo{GoVersion: runtime.Version(), Version: "(devel)"}
	if err := commands.Execute(info); err != nil {
		fmt.Fprintln(os.Stderr, "golangci-lint:", err)
		os.Exit(exitcodes.Failure)
	}
}
