package budgets

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/doneby/doneby/internal/passtest"
)

// hops has sums that a person can check by hand.
const hops = `package p
import ("context"; "database/sql"; "time")
func wait(ctx context.Context, db *sql.DB) error { return db.PingContext(ctx) }
// Hop may take 2s, and has one retry: 4s.
func Hop(ctx context.Context, db *sql.DB) (err error) {
	for range 2 { if err = hop(ctx, db); err == nil { return nil } }
	return err
}
func hop(ctx context.Context, db *sql.DB) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second); defer cancel()
	return wait(ctx, db)
}
// Five hops one after the other: 20s.
func Five(ctx context.Context, db *sql.DB) error {
	if err := Hop(ctx, db); err != nil { return err }
	for i := 0; i < 3; i++ { if err := Hop(ctx, db); err != nil { return err } }
	return Hop(ctx, db)
}
// A allows itself 5s, and C may take 2s after it, or B 1s: 7s.
func A(ctx context.Context, db *sql.DB, b bool) error {
	own, cancel := context.WithTimeout(ctx, 5*time.Second); defer cancel()
	if err := Five(own, db); err != nil { return err }
	if err := Hop(own, db); err != nil { return err }
	if b { short, cancel := context.WithDeadline(ctx, time.Now().Add(time.Second)); defer cancel(); return wait(short, db) }
	return hop(ctx, db)
}
// Gateway allows 10s for all.
func Gateway(ctx context.Context, db *sql.DB) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second); defer cancel()
	return A(ctx, db, true)
}
func Open(ctx context.Context, db *sql.DB) error { if err := hop(ctx, db); err != nil { return err }; return wait(ctx, db) }
func Some(ctx context.Context, db *sql.DB, keys []int) error { for range keys { if err := hop(ctx, db); err != nil { return err } }; return nil }
func Given(ctx context.Context, db *sql.DB, d time.Duration) error { ctx, cancel := context.WithTimeout(ctx, d); defer cancel(); return wait(ctx, db) }
func Again(ctx context.Context, db *sql.DB) error { if err := hop(ctx, db); err != nil { return Again(ctx, db) }; return nil }
func None(ctx context.Context) error { return ctx.Err() }
func Beside(ctx context.Context, db *sql.DB) { go hop(ctx, db) }
`

// TestFacts wants the longest time of each function under its context.
func TestFacts(t *testing.T) {
	got := passtest.Run(t, Analyzer, passtest.One("example.com/p", hops))[0].Facts()
	want := []string{
		"A: costs 7s: 5s timeout + 2s timeout", "A: takes up to 7s under param 0",
		"Again: costs 2s: 2s timeout", "Again: takes as long as it likes under param 0",
		"Five: costs 20s: 2 × 2s timeout + 6 × 2s timeout + 2 × 2s timeout", "Five: takes up to 20s under param 0",
		"Gateway: costs 7s: 5s timeout + 2s timeout", "Gateway: takes up to 10s under param 0",
		"Given: takes up to a cap under param 0", "Hop: costs 4s: 2 × 2s timeout", "Hop: takes up to 4s under param 0",
		"Open: costs 2s: 2s timeout", "Open: takes as long as it likes under param 0",
		"Some: costs 2s: 2s timeout", "Some: takes as long as it likes under param 0 in rounds of 2s",
	}
	got = slices.DeleteFunc(got, func(fact string) bool { return strings.Contains(fact, ": waits in ") }) // of package summaries
	if !reflect.DeepEqual(got, want) {
		t.Errorf("facts\n%q, want\n%q", got, want)
	}
}

// TestSaturates wants sums that stop at the longest duration.
func TestSaturates(t *testing.T) {
	const most = time.Duration(math.MaxInt64)
	for _, tt := range []struct{ got, want time.Duration }{
		{sum(most, 1), most}, {sum(1, most-1), most}, {sum(2, 3), 5}, {product(most/2, 3), most}, {product(3, 4), 12}, {product(most, 0), 0},
		{span{For: most}.plus(span{For: most}).times(5).For, most},
	} {
		if tt.got != tt.want {
			t.Errorf("%d, want %d", tt.got, tt.want)
		}
	}
}

// TestSpan wants a longest time to be open or unknown when any part is.
func TestSpan(t *testing.T) {
	two := span{For: 2}
	for _, tt := range []struct{ got, want span }{
		{two.plus(two), span{For: 4}}, {two.or(span{For: 3}), span{For: 3}}, {two.times(3), span{For: 6}},
		{two.plus(unknownSpan), unknownSpan}, {unknownSpan.or(openSpan), openSpan}, {openSpan.times(0), openSpan}, {two.or(unknownSpan), unknownSpan},
	} {
		if tt.got != tt.want {
			t.Errorf("%v, want %v", tt.got, tt.want)
		}
	}
}
