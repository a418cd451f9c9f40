// Command sim runs the experiments of the simulator and writes what they found: RESULTS.md and plots/*.svg. From the folder above:
//
//	go run ./sim
//
// The same program writes the same files. In the repository it is `make sim`, which puts a stamp on them too.
package main

import (
	"flag"
	"log"
	"runtime/debug"
	"time"

	"github.com/doneby/doneby/deadline/sim/internal/report"
	"github.com/doneby/doneby/deadline/sim/internal/shape"
)

func main() {
	dir := flag.String("out", "sim", "the folder for RESULTS.md and plots")
	flag.Parse()
	log.SetFlags(0)
	log.SetPrefix("sim: ")
	if flag.NArg() > 0 {
		log.Fatalf("%q is no flag; the folder is given with -out", flag.Arg(0))
	}
	debug.SetGCPercent(400) // the queues of an overloaded server are large, and live for long
	began := time.Now()
	findings := report.Gather(shape.Full, func(what string) { log.Printf("%5.1fs %s", time.Since(began).Seconds(), what) })
	for _, c := range findings.Checks {
		if !c.OK() {
			log.Fatalf("%s is %.2f %s, and %.2f by the closed form: nothing is written", c.Name, c.Got, c.Unit, c.Want)
		}
	}
	if err := findings.Write(*dir); err != nil {
		log.Fatal(err)
	}
	log.Printf("%5.1fs written to %s", time.Since(began).Seconds(), *dir)
}
