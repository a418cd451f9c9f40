package clocks

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/doneby/doneby/internal/passtest"
)

const lib = `package lib
import "time"
type Clock interface{ Now() time.Time }
func Now() time.Time { return time.Now() }
func UTC() time.Time { return Now().UTC() }
func Seconds() int64 { return time.Now().Unix() }
func Day() time.Time { return time.Now().Truncate(24 * time.Hour) }
func Since(t time.Time) time.Duration { return time.Since(t) }
func Either(t time.Time) time.Time { if t.IsZero() { return time.Now().UTC() }; return t }
`

const src = `package p
import ("time"; "sync/atomic"; "example.com/lib")
func direct() bool { at := lib.UTC(); return time.Now().After(at) }
func mono() bool { at := lib.Now(); return time.Now().After(at) }
func foreign(at time.Time) bool { return lib.UTC().After(at) }
func given(c lib.Clock) bool { at := c.Now().UTC(); return c.Now().After(at) }
var last int64
func touch() { atomic.StoreInt64(&last, lib.Seconds()) }
func idle() bool { return lib.Seconds()-atomic.LoadInt64(&last) > 5 }
func start() { pass(time.Now().Local()) }
func pass(t time.Time) bool { return time.Since(t) > 1 }
var now = func() time.Time { return time.Now().UTC() }
func indirect() time.Duration { t := now(); return now().Sub(t) }
func escapes(f func(*time.Time)) time.Duration { t := time.Now().UTC(); f(&t); return time.Since(t) }
`

// TestFacts wants what other packages have to know of a function that reads the clock.
func TestFacts(t *testing.T) {
	got := passtest.Run(t, Analyzer, passtest.One("example.com/lib", lib))[0].Facts()
	want := []string{"Now: reads the clock", "Seconds: reads the wall clock", "UTC: reads the wall clock"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("facts\n%q, want\n%q", got, want)
	}
}

// TestUses wants the line where a reading lost its monotonic part, and how.
func TestUses(t *testing.T) {
	res := passtest.Run(t, Analyzer, passtest.One("example.com/lib", lib), passtest.One("example.com/p", src))
	var got []string
	for _, u := range res[1].Value.(*Result).Uses() {
		got = append(got, fmt.Sprintf("%d %s %t %t", res[1].Pass.Fset.Position(u.Lost.Pos()).Line, u.How, u.Deadline, u.Decides))
	}
	want := []string{"3 lib.UTC false true", "6 UTC false true", "8 lib.Seconds false true", "10 Local false true", "12 UTC false false"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("uses\n%q, want\n%q", got, want)
	}
}
