// Command stamp puts onto a committed result what it was made from, and by which command, so that a test fails when that has changed:
//
//	go run ./internal/gen/stamp docs/figures/score.txt 'make cases' passes/... testdata/cases/...
//
// It runs at the top of the repository, right after the result was written.
package main

import (
	"log"
	"os"

	"github.com/doneby/doneby/internal/gen"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("stamp: ")
	if len(os.Args) < 4 {
		log.Fatal("usage: stamp RESULT COMMAND INPUT...")
	}
	if err := gen.StampFile(".", os.Args[1], os.Args[2], os.Args[3:]...); err != nil {
		log.Fatal(err)
	}
}
