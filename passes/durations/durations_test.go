package durations

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/doneby/doneby/internal/passtest"
	"github.com/doneby/doneby/internal/ssawalk"
	"github.com/doneby/doneby/passes/ir"
)

const lib = `package lib
import "time"
var Timeout = 20 * time.Second
var Moved = 20 * time.Second
func init() { Moved = 1 }
func Default() time.Duration { return Timeout / 2 }
func Twice(d time.Duration) time.Duration { return 2 * d }
type Config struct{ Wait time.Duration }
func (*Config) Pause() time.Duration { return time.Minute }
`

// Each show call is one case: its second argument is what Describe returns, "" for unknown.
const src = `package p
import ("time"; "flag"; "example.com/lib")

func show(d time.Duration, want string) {}
const second = 1000
var unit = 3 * time.Second
var flagged = 3 * time.Second
var changed = 3 * time.Second
var never time.Duration
var literal = func() time.Duration { return unit }
func init() { flag.DurationVar(&flagged, "f", 1, ""); changed = 4; literal = nil }
type client struct{ timeout, other time.Duration; tagged time.Duration ` + "`json:\"t\"`" + `; Exported time.Duration }
type Open struct{ Exported, hidden time.Duration }
type old struct{ d time.Duration }
type new_ struct{ d time.Duration }
func newClient() *client { return &client{timeout: 5 * time.Second, tagged: 1, Exported: 90*time.Second} }
func (c *client) reset(d time.Duration) { c.timeout = 5000 * time.Millisecond; c.other = 1; if d > 0 { c.other = 2 } }
func open() *Open { return &Open{Exported: 1, hidden: 2} }
func retype(o old) new_ { n := new_{d: 1}; n = new_(o); return n }
func limit() time.Duration { if unit > 1 { return 2 * time.Second }; return 2000 * time.Millisecond }
func either(b bool) time.Duration { if b { return 1 }; return 2 }
func loop() time.Duration { return loop2() }
func loop2() time.Duration { return loop() }

func cases(b bool, d time.Duration, n int, c *client, o *Open, w new_) {
	show(5*time.Second, "5s")
	show(time.Duration(second)*time.Millisecond, "1s")
	x := 90
	show(time.Duration(x)*time.Second, "1m30s")
	show(time.Duration(n)*time.Second, "")
	show(d, "")
	show(unit, "3s")
	show(unit*2+time.Second-1*time.Second, "6s")
	show(-unit, "-3s")
	show(flagged, "")
	show(changed, "")
	show(never, "0s")
	show(lib.Timeout, "20s")
	show(lib.Moved, "")
	show(lib.Default(), "10s")
	show(lib.Twice(1), "")
	show((*lib.Config)(nil).Pause(), "1m")
	show(c.timeout, "5s")
	show(c.other, "")
	show(c.tagged, "")
	show(c.Exported, "1m30s")
	show(o.Exported, "")
	show(o.hidden, "2ns")
	show(w.d, "")
	show(limit(), "2s")
	show(either(b), "")
	show(loop(), "")
	y := time.Hour
	if b { y = 60 * time.Minute }
	show(y, "1h")
	if b { y = 1 }
	show(y, "")
	z := time.Second
	for range n { z += 0 }
	show(z, "")
	k := time.Second
	for range n { show(k, "1s") }
	show(min(unit, time.Second), "1s")
	show(max(unit, d), "")
	big := time.Duration(1 << 62)
	show(big*4, "2562047h47m16.854775807s")
	local := 7 * time.Second
	func() { show(local, "7s") }()
	late := time.Duration(0)
	f := func() { show(late, "") }
	late = 5
	f()
	show(unit/never, "")
	show(time.Duration(uint8(x*3)), "")
	go show(unit, "3s")
	show(literal(), "")
}
`

func TestOf(t *testing.T) {
	res := passtest.Run(t, Analyzer, passtest.One("example.com/lib", lib), passtest.One("example.com/p", src))
	r := res[1].Value.(*Result)
	seen := 0
	for _, fn := range ir.Of(res[1].Pass).Funcs {
		for call := range ssawalk.Calls(fn) {
			s := ssawalk.Resolve(call)
			if s.Name() != "example.com/p.show" {
				continue
			}
			seen++
			want := strings.Trim(s.Arg(1).(*ssa.Const).Value.String(), `"`)
			if got := r.Describe(s.Arg(0)); got != want {
				t.Errorf("%s: Describe = %q, want %q", res[1].Pass.Fset.Position(call.Pos()), got, want)
			}
		}
	}
	if want := strings.Count(src, "show(") - 1; seen != want {
		t.Errorf("%d cases seen, want %d", seen, want)
	}
}

// TestUsual wants what a field has by default, and no more than one default.
func TestUsual(t *testing.T) {
	const src = `package p
import "time"
type Config struct{ Wait, Two, Never time.Duration; Tagged time.Duration ` + "`json:\"t\"`" + ` }
func Default() Config { return Config{Wait: 4*time.Minute, Two: 1, Tagged: time.Second} }
func other(c *Config) { c.Two = 2 }
func show(d time.Duration, want string) {}
func cases(c Config, p *Config) {
	show(c.Wait, "4m")
	show(p.Wait + 10*time.Second, "4m10s")
	show(c.Two, "")
	show(c.Never, "")
	show(p.Tagged, "1s")
}`
	res := passtest.Run(t, Analyzer, passtest.One("example.com/p", src))
	r := res[0].Value.(*Result)
	for _, fn := range ir.Of(res[0].Pass).Funcs {
		for call := range ssawalk.Calls(fn) {
			s := ssawalk.Resolve(call)
			got := ""
			if d, ok := r.Usual(s.Arg(0)); ok {
				got = Text(d)
			}
			if want := strings.Trim(s.Arg(1).(*ssa.Const).Value.String(), `"`); got != want {
				t.Errorf("%s: Usual = %q, want %q", res[0].Pass.Fset.Position(call.Pos()), got, want)
			}
			if _, ok := r.Of(s.Arg(0)); ok {
				t.Errorf("%s: Of knows it", res[0].Pass.Fset.Position(call.Pos()))
			}
		}
	}
}

// TestDefault wants what a field has where no option says otherwise, and no more than one such number.
func TestDefault(t *testing.T) {
	const src = `package p
import "time"
type job struct{ pause, two, told, lent time.Duration }
func read(*time.Duration) {}
func newJob(told time.Duration) *job {
	j := &job{pause: 10*time.Second, two: 1, told: told, lent: 1}
	read(&j.lent)
	return j
}
func with(d time.Duration) func(*job) { return func(j *job) { j.pause, j.two, j.lent = d, d, d } }
func reset(j *job) { j.two = 2 }
func show(d time.Duration, want string) {}
func cases(j *job) {
	show(j.pause, "10s")
	show(j.two, "")
	show(j.told, "")
	show(j.lent, "")
	show(2*j.pause, "")
}`
	res := passtest.Run(t, Analyzer, passtest.One("example.com/p", src))
	r, seen := res[0].Value.(*Result), 0
	for _, fn := range ir.Of(res[0].Pass).Funcs {
		for call := range ssawalk.Calls(fn) {
			s := ssawalk.Resolve(call)
			if s.Name() != "example.com/p.show" {
				continue
			}
			seen++
			got := ""
			if d, ok := r.Default(s.Arg(0)); ok {
				got = Text(d)
			}
			if want := strings.Trim(s.Arg(1).(*ssa.Const).Value.String(), `"`); got != want {
				t.Errorf("%s: Default = %q, want %q", res[0].Pass.Fset.Position(call.Pos()), got, want)
			}
		}
	}
	if seen != 5 {
		t.Errorf("%d cases seen, want 5", seen)
	}
}

func TestFacts(t *testing.T) {
	res := passtest.Run(t, Analyzer, passtest.Package{Path: "example.com/lib", Files: map[string]string{
		"a.go":      lib,
		"a_test.go": "package lib\nimport \"time\"\nvar InTest = time.Second\nfunc init() { Timeout = 1 }\n",
	}})
	want := []string{"*Config.Pause: always 1m", "Default: always 10s", "Timeout: always 20s"}
	if got := res[0].Facts(); !reflect.DeepEqual(got, want) {
		t.Errorf("facts %q, want %q", got, want)
	}
}

func TestZero(t *testing.T) {
	var r Result
	if _, ok := r.Of(nil); ok {
		t.Error("the zero Result knows what nil is")
	}
	if _, ok := r.Of(&ssa.Parameter{}); ok {
		t.Error("the zero Result knows a parameter")
	}
}

func TestArithmetic(t *testing.T) {
	tests := []struct{ x, y, sum, product int64 }{
		{2, 3, 5, 6},
		{-2, 3, 1, -6},
		{math.MaxInt64, 1, math.MaxInt64, math.MaxInt64},
		{math.MaxInt64, 2, math.MaxInt64, math.MaxInt64},
		{math.MinInt64, -1, math.MinInt64, math.MaxInt64},
		{math.MinInt64, 1, math.MinInt64 + 1, math.MinInt64},
		{math.MinInt64, 2, math.MinInt64 + 2, math.MinInt64},
		{math.MinInt64, math.MinInt64, math.MinInt64, math.MaxInt64},
	}
	for _, tt := range tests {
		if got := add(tt.x, tt.y); got != tt.sum {
			t.Errorf("%d + %d = %d, want %d", tt.x, tt.y, got, tt.sum)
		}
		if got := multiply(tt.x, tt.y); got != tt.product {
			t.Errorf("%d * %d = %d, want %d", tt.x, tt.y, got, tt.product)
		}
	}
}

func TestText(t *testing.T) {
	for d, want := range map[time.Duration]string{
		30 * time.Second: "30s", time.Minute: "1m", 90 * time.Second: "1m30s", time.Hour: "1h", 3630 * time.Second: "1h0m30s",
		1500 * time.Millisecond: "1.5s", 20 * time.Minute: "20m", 10 * time.Hour: "10h", 0: "0s", 250 * time.Millisecond: "250ms",
	} {
		if got := Text(d); got != want {
			t.Errorf("Text(%s) = %s, want %s", fmt.Sprint(d), got, want)
		}
	}
}
