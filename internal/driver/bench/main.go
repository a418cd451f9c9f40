//go:build unix

// Bench measures what a run of doneby costs, as ratios to what it cannot do without:
//
//	go run ./internal/driver/bench [-n 5] MODULE...
//
// The floor of a cold run (our cache empty, the build cache warm) is to load the module's packages over export data and to
// build their SSA form; that of a warm run with nothing changed is go list -export -deps. What a family of rules costs is what
// it adds to a cold run of the four rules of the core. Runs are interleaved, so that a busy moment of the machine meets all
// alike, and medians are compared. CPU is user and system time of a process and its children, memory the largest resident
// set of any of them.
//
// The exit status is 1 when a ratio is above its limit.
package main

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// The limits of the ratios.
const (
	coldCPU    = 1.3
	coldMemory = 1.2
	warmCPU    = 1.5
	waitingCPU = 1.15
	timeCPU    = 1.1
)

// The families of rules, as -rules takes them: every kind of theirs.
const (
	core    = "ctxless,detached,unbounded,fixedtimeout"
	waiting = "blindretry,deafwait,deafctx,orphan,stalework"
	clock   = "overbudget,bareserver,wallclock,lostdeadline"
)

func main() {
	n := flag.Int("n", 5, "how often each is run")
	floor := flag.Bool("floor", false, "be the floor, in the working directory")
	flag.Parse()
	var err error
	ok := true
	if *floor {
		err = runFloor()
	} else if flag.NArg() == 0 {
		err = fmt.Errorf("name the directories of modules to measure on")
	} else {
		ok, err = measureAll(flag.Args(), *n)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "bench: %v\n", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

// runFloor loads and builds the packages of the module in the working directory.
func runFloor() error {
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax | packages.NeedModule}, "./...")
	if err != nil {
		return err
	}
	prog, _ := ssautil.Packages(pkgs, ssa.BuilderMode(0))
	prog.Build()
	return nil
}

func measureAll(modules []string, n int) (bool, error) {
	tmp, err := os.MkdirTemp("", "doneby-bench")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(tmp)
	doneby := filepath.Join(tmp, "doneby")
	build := exec.Command("go", "build", "-o", doneby, "github.com/doneby/doneby/cmd/doneby")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return false, fmt.Errorf("building doneby: %w", err)
	}
	self, err := os.Executable()
	if err != nil {
		return false, err
	}
	ok := true
	for _, dir := range modules {
		good, err := measure(dir, n, tmp, []kind{
			{"floor", []string{self, "-floor"}, false},
			{"cold", []string{doneby, "./..."}, true},
			{"core", []string{doneby, "-rules", core, "./..."}, true},
			{"waiting", []string{doneby, "-rules", core + "," + waiting, "./..."}, true},
			{"time", []string{doneby, "-rules", core + "," + clock, "./..."}, true},
			{"list", []string{"go", "list", "-export", "-deps", "./..."}, false},
			{"warm", []string{doneby, "./..."}, false},
		})
		if err != nil {
			return false, fmt.Errorf("%s: %w", dir, err)
		}
		ok = ok && good
	}
	return ok, nil
}

// A kind is one of the things that are measured.
type kind struct {
	name string
	args []string
	cold bool // gets an empty cache of ours each time
}

// A cost is what one process took.
type cost struct {
	cpu    time.Duration
	memory int64 // kilobytes
}

func measure(dir string, n int, tmp string, kinds []kind) (bool, error) {
	costs := make(map[string][]cost)
	for round := range n + 1 {
		for _, k := range kinds {
			cache := filepath.Join(tmp, "warm", filepath.Base(dir))
			if k.cold {
				cache = filepath.Join(tmp, "cold", fmt.Sprint(filepath.Base(dir), k.name, round))
			}
			c, err := once(dir, cache, k.args)
			if err != nil {
				return false, fmt.Errorf("%s: %w", k.name, err)
			}
			if round > 0 { // the first round warms the build cache and ours
				costs[k.name] = append(costs[k.name], c)
			}
		}
	}
	med := make(map[string]cost)
	fmt.Printf("%s, medians of %d\n", filepath.Base(dir), n)
	for _, k := range kinds {
		med[k.name] = median(costs[k.name])
		fmt.Printf("\t%-7s  %6.2f CPU s  %5d MB\n", k.name, med[k.name].cpu.Seconds(), med[k.name].memory/1024)
	}
	cpu := func(a, b string) float64 { return med[a].cpu.Seconds() / med[b].cpu.Seconds() }
	ok := ratio("cold CPU to floor", cpu("cold", "floor"), coldCPU)
	ok = ratio("cold memory to floor", float64(med["cold"].memory)/float64(med["floor"].memory), coldMemory) && ok
	ok = ratio("waiting rules to core", cpu("waiting", "core"), waitingCPU) && ok
	ok = ratio("time rules to core", cpu("time", "core"), timeCPU) && ok
	return ratio("warm CPU to go list", cpu("warm", "list"), warmCPU) && ok, nil
}

func ratio(what string, got, limit float64) bool {
	verdict := "ok"
	if got > limit {
		verdict = "TOO MUCH"
	}
	fmt.Printf("\t%-22s %.2f, limit %.2f: %s\n", what, got, limit, verdict)
	return got <= limit
}

// once runs a process to its end. That it finds something is no failure; that a package could not be analysed is one, since
// such a package is not remembered and a warm run would not be warm.
func once(dir, cache string, args []string) (cost, error) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "DONEBY_CACHE="+cache)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	err := cmd.Run()
	state := cmd.ProcessState
	if state == nil || state.ExitCode() < 0 || state.ExitCode() > 1 {
		return cost{}, fmt.Errorf("%w: %s", err, &stderr)
	}
	c := cost{cpu: state.UserTime() + state.SystemTime()}
	if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
		c.memory = usage.Maxrss
	}
	return c, nil
}

// median takes the medians of both costs, each by itself.
func median(costs []cost) cost {
	slices.SortFunc(costs, func(a, b cost) int { return cmp.Compare(a.cpu, b.cpu) })
	m := cost{cpu: costs[len(costs)/2].cpu}
	slices.SortFunc(costs, func(a, b cost) int { return cmp.Compare(a.memory, b.memory) })
	m.memory = costs[len(costs)/2].memory
	return m
}
