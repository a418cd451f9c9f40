package deadline

import (
	"context"
	"math/big"
	"strings"
	"testing"
	"time"
)

// seedValues are what hostile peers and honest mistakes send.
var seedValues = []string{"", "0", "1", "28500", "9999999999", "99999999999", "-1", "+1", "1.5", "1e9", "NaN", "Inf", "0x7f", "١٢", "1_0",
	"28500m", "0n", "99999999H", "1h30m", "1.5s", "5d", "wait=10", `respond-async, wait="5"`, "attempt=1; ttl=20250101T120005Z",
	"1735732802.5", "1735732800000000000 1735732802000000000", "2025-01-01T12:00:02Z", "Wed, 01 Jan 2025 12:00:10 GMT",
	"\x00\x00\x03\xe8", "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01", strings.Repeat("9", 300)}

// FuzzParse: no value of any dialect makes Parse panic, a value that is not Valid comes with no time to rely on, and a
// verdict does not depend on blanks around.
func FuzzParse(f *testing.F) {
	for i, value := range seedValues {
		f.Add(uint8(i), value, int64(time.Second))
	}
	f.Fuzz(func(t *testing.T, row uint8, value string, skew int64) {
		d := Dialect{row: row % uint8(len(wires))}
		left, v := d.Parse(value, noon, time.Duration(skew))
		if v == Valid && left <= 0 && !d.Absolute() && wires[d.row].zero != zeroExpired {
			t.Fatalf("%v of %q is expired, where 0 means none", d, value)
		}
		if v == Valid && d.Absolute() && left < -time.Duration(skew) {
			t.Fatalf("%v of %q: %v is beyond the skew", d, value, left)
		}
		if wires[d.row].binary() {
			return
		}
		if again, v2 := d.Parse(" \t"+value+" ", noon, time.Duration(skew)); again != left || v2 != v {
			t.Fatalf("%v of %q: %v %v, with blanks %v %v", d, value, left, v, again, v2)
		}
	})
}

// FuzzDigits: the numbers of X-Deadline-Ms are those of unbounded arithmetic.
func FuzzDigits(f *testing.F) {
	for _, value := range seedValues {
		f.Add(value)
	}
	f.Fuzz(func(t *testing.T, value string) {
		left, v := XDeadlineMs.Parse(value, noon, 0)
		bare := strings.Trim(value, " \t")
		inForm := bare != "" && strings.Trim(bare, "0123456789") == ""
		switch {
		case bare == "" && v != Absent, bare != "" && inForm != (v == Valid):
			t.Fatalf("%q is %v", value, v)
		case !inForm:
			return
		}
		n, _ := new(big.Int).SetString(bare, 10)
		want := n.Mul(n, big.NewInt(int64(time.Millisecond)))
		if len(bare) > 10 {
			want = big.NewInt(int64(longest))
		}
		if want.Cmp(big.NewInt(int64(left))) != 0 {
			t.Fatalf("%q = %v, want %v", value, left, want)
		}
	})
}

// FuzzRoundTrip: what is written and read again at the same instant is never more, and at most one unit less.
func FuzzRoundTrip(f *testing.F) {
	for i := range wires {
		f.Add(uint8(i), int64(28500*time.Millisecond+1), noon.UnixNano())
		f.Add(uint8(i), int64(longest), noon.UnixNano())
	}
	f.Fuzz(func(t *testing.T, row uint8, left, at int64) {
		if at < 0 {
			at = -(at + 1) // clocks stand after 1970
		}
		d, now := Dialect{row: row % uint8(len(wires))}, time.Unix(0, at)
		unit := int64(wires[d.row].unit)
		value, ok := d.Append(nil, time.Duration(left), now)
		if !ok {
			if left >= 2*unit && at < int64(longest)-left {
				t.Fatalf("%v does not say %v", d, time.Duration(left))
			}
			return
		}
		back, v := d.Parse(string(value), now, time.Hour)
		switch {
		case v != Valid:
			t.Fatalf("%v wrote %q for %v and calls it %v", d, value, time.Duration(left), v)
		case int64(back) > left:
			t.Fatalf("%v grew %v to %v by %q", d, time.Duration(left), back, value)
		case left < int64(24*time.Hour) && d != GRPCTimeout && d != GRPCGatewayTimeout && int64(back) <= left-unit:
			t.Fatalf("%v shrank %v to %v by %q", d, time.Duration(left), back, value)
		}
	})
}

// FuzzHops: through any three dialects, with any time passing on the way, and whatever else is in the headers, what is left
// never grows.
func FuzzHops(f *testing.F) {
	f.Add(uint8(0), uint8(2), uint8(4), int64(time.Minute), uint32(5_000_000), "junk")
	f.Add(uint8(1), uint8(9), uint8(25), int64(time.Hour), uint32(1), "99999999999")
	f.Fuzz(func(t *testing.T, a, b, c uint8, left int64, passes uint32, also string) {
		now := noon
		budget := time.Duration(left)
		for _, row := range []uint8{a, b, c} {
			d := Dialect{row: row % uint8(len(wires))}
			value, ok := d.Append(nil, budget, now)
			if !ok {
				return // not sent at all
			}
			now = now.Add(time.Duration(passes))
			h := map[string][]string{d.Field(): {also, string(value), "", also}}
			r := readHeaders(context.Background(), nil, h, []Dialect{d}, now, time.Hour, 0)
			if r.found && r.left > budget {
				t.Fatalf("%v grew %v to %v by %q", d, budget, r.left, value)
			}
			if !r.found {
				return // the next hop uses its own default, which the server's tests bound
			}
			budget = r.left
		}
	})
}
