package deadline

import (
	"math"
	"strings"
	"testing"
	"time"
)

// noon is the now of the tables: 2025-01-01 12:00:00 UTC, half a second in.
var noon = time.Unix(1735732800, 500_000_000)

func TestDialectsParse(t *testing.T) {
	const ms, s = time.Millisecond, time.Second
	long := strings.Repeat("9", 100_000)
	tests := []struct {
		d     Dialect
		value string
		left  time.Duration
		v     Verdict
	}{
		{XDeadlineMs, "28500", 28500 * ms, Valid},
		{XDeadlineMs, " \t28500 ", 28500 * ms, Valid},
		{XDeadlineMs, "0", 0, Valid},
		{XDeadlineMs, "0000000000", 0, Valid},
		{XDeadlineMs, "9999999999", 9999999999 * ms, Valid},
		{XDeadlineMs, "99999999999", longest, Valid}, // more than ten digits: the route's maximum
		{XDeadlineMs, long, longest, Valid},
		{XDeadlineMs, long + "x", 0, Malformed},
		{XDeadlineMs, "", 0, Absent},
		{XDeadlineMs, "  ", 0, Absent},
		{XDeadlineMs, "-1", 0, Malformed},
		{XDeadlineMs, "+1", 0, Malformed},
		{XDeadlineMs, "1.5", 0, Malformed},
		{XDeadlineMs, "1e3", 0, Malformed},
		{XDeadlineMs, "1_000", 0, Malformed},
		{XDeadlineMs, "0x10", 0, Malformed},
		{XDeadlineMs, "NaN", 0, Malformed},
		{XDeadlineMs, "Inf", 0, Malformed},
		{XDeadlineMs, "١٢٣", 0, Malformed}, // Arabic digits
		{XDeadlineMs, "１２", 0, Malformed},  // full-width digits
		{XDeadlineMs, "1 2", 0, Malformed},
		{XDeadlineMs, "1,2", 0, Malformed},
		{XDeadlineMs, "1\x00", 0, Malformed},
		{XDeadlineMs, "\u00a01", 0, Malformed}, // a no-break space is not a blank

		{GRPCTimeout, "28500m", 28500 * ms, Valid},
		{GRPCTimeout, "1H", time.Hour, Valid},
		{GRPCTimeout, "99999999H", longest, Valid},
		{GRPCTimeout, "0n", 0, Valid},
		{GRPCTimeout, "123456789n", 0, Malformed},
		{GRPCTimeout, "S", 0, Malformed},
		{GRPCTimeout, "5", 0, Malformed},
		{GRPCTimeout, "5h", 0, Malformed},
		{GRPCTimeout, "-5S", 0, Malformed},
		{GRPCGatewayTimeout, "0S", 0, Absent},
		{GRPCGatewayTimeout, "2S", 2 * s, Valid},

		{ConnectTimeoutMs, "0", 0, Valid},
		{ConnectTimeoutMs, "9999999999", 9999999999 * ms, Valid},
		{ConnectTimeoutMs, "12345678901", longest, Malformed},
		{TripleTimeoutMs, "-5", 0, Malformed},
		{EnvoyTimeoutMs, "0", 0, Absent},
		{EnvoyTimeoutMs, "250", 250 * ms, Valid},
		{EnvoyExpectedMs, "1", ms, Valid},
		{YARPCTimeoutMs, "0", 0, Valid},
		{THeaderTimeoutMs, "0", 0, Absent},
		{THeaderTimeoutMs, "2147483648", longest, Malformed},
		{KitexTimeoutMs, "0", 0, Absent},
		{DubboTimeoutMs, "1000", s, Valid},
		{BRPCTimeoutMs, "0", 0, Absent},
		{UserverTimeoutMs, "0", 0, Valid},
		{UserverTimeoutMs, "315360000000", 0, Absent}, // ten years
		{UserverTimeoutMs, "18446744073709551615", 0, Absent},
		{ClientTimeoutMs, "9223372036854775808", longest, Malformed},

		{LinkerdTimeout, "10s", 10 * s, Valid},
		{LinkerdTimeout, "1d", 24 * time.Hour, Valid},
		{LinkerdTimeout, "1.5s", 0, Malformed},
		{LinkerdTimeout, "1h30m", 0, Malformed},
		{LinkerdTimeout, "0", 0, Absent},
		{NexusTimeout, "1.5s", 1500 * ms, Valid},
		{NexusTimeout, "2m", 2 * time.Minute, Valid},
		{NexusTimeout, "1h", 0, Malformed},
		{LeoTimeout, "5m", 5 * ms, Valid}, // a millisecond, as gRPC has it
		{LeoTimeout, "5M", 5 * time.Minute, Valid},
		{LeoTimeout, "1h30s", time.Hour + 30*s, Valid},
		{LeoTimeout, "7µs", 7 * time.Microsecond, Valid},
		{LeoTimeout, "-7s", 0, Malformed},
		{LeoTimeout, "1..5s", 0, Malformed},
		{GoogleServerTimeout, "300.5", 300*s + 500*ms, Valid},
		{GoogleServerTimeout, "1.", 0, Malformed},

		{PreferWait, "wait=10", 10 * s, Valid},
		{PreferWait, `respond-async, WAIT="10" ; x=1`, 10 * s, Valid},
		{PreferWait, "wait=10, wait=5", 5 * s, Valid},
		{PreferWait, "wait=x, wait=5", 5 * s, Valid},
		{PreferWait, `foo="a,wait=1"`, 0, Absent},
		{PreferWait, "respond-async", 0, Absent},
		{PreferWait, "wait", 0, Malformed},
		{PreferWait, "wait=-1", 0, Malformed},

		{TChannelTTL, "\x00\x00\x03\xe8", s, Valid},
		{TChannelTTL, "\x00\x00\x00\x00", 0, Malformed},
		{TChannelTTL, "\x00\x00\x03", 0, Malformed},
	}
	for _, tt := range tests {
		left, v := tt.d.Parse(tt.value, noon, time.Second)
		if left != tt.left || v != tt.v {
			t.Errorf("%v of %.40q = %v, %v, want %v, %v", tt.d, tt.value, left, v, tt.left, tt.v)
		}
	}
}

func TestAbsoluteDialectsParse(t *testing.T) {
	const ms, s = time.Millisecond, time.Second
	pair := func(set, end int64) string {
		return string(appendInt64(appendInt64(nil, set), end))
	}
	tests := []struct {
		d     Dialect
		value string
		left  time.Duration
		v     Verdict
	}{
		{XDeadline, "1735732830.123", 29623 * ms, Valid},
		{XDeadline, "1735732830", 29500 * ms, Valid},
		{XDeadline, "1735732800.4", -100 * ms, Valid}, // past, within the skew: expired
		{XDeadline, "1735732799.4", 0, Skewed},        // past, beyond it: a clock that is wrong
		{XDeadline, "0", 0, Valid},
		{XDeadline, "999999999999", longest, Valid},
		{XDeadline, "1735732830123", 0, Malformed}, // milliseconds
		{XDeadline, "-1735732830", 0, Malformed},
		{XDeadline, "1735732830.", 0, Malformed},
		{XDeadline, "1735732830.123x", 0, Malformed},
		{XDeadline, "NaN", 0, Malformed},

		{FinagleDeadline, "1735732800000000000 1735732802000000000", 1500 * ms, Valid},
		{FinagleDeadline, "1735732802000000000 1735732803000000000", 0, Skewed}, // set in the future
		{FinagleDeadline, "1735732800900000000 1735732801400000000", 500 * ms, Valid},
		{FinagleDeadline, "1735732801400000000 1735732801900000000", 500 * ms, Valid}, // our clock is behind: no more than when it was set
		{FinagleDeadline, "1735732802000000000 1735732801000000000", 0, Malformed},
		{FinagleDeadline, "1735732802000000000", 0, Malformed},
		{FinagleDeadline, "1735732800.5 1735732802000000000", 0, Malformed},
		{FinagleDeadline, "-1 1735732802000000000", 0, Malformed},
		{MuxDeadline, pair(1735732800e9, 1735732802e9), 1500 * ms, Valid},
		{MuxDeadline, pair(1735732800e9, -1), 0, Malformed},
		{MuxDeadline, "short", 0, Malformed},

		{UserverDeadline, "2025-01-01T12:00:02Z", 1500 * ms, Valid},
		{UserverDeadline, "1735732802", 1500 * ms, Valid},
		{DeadlineDate, "2025-01-01T13:00:02.25+01:00", 1750 * ms, Valid},
		{DeadlineDate, "2025-01-01T10:30:02-01:30", 1500 * ms, Valid},
		{DeadlineDate, "Wed, 01 Jan 2025 12:00:10 GMT", 9500 * ms, Valid},
		{DeadlineDate, "2025-02-30T12:00:00Z", 0, Malformed},
		{DeadlineDate, "2025-01-01T12:00:60Z", 0, Malformed},
		{DeadlineDate, "2025-01-01T24:00:00Z", 0, Malformed},
		{DeadlineDate, "2025-01-01 12:00:00Z", 0, Malformed},
		{DeadlineDate, "2025-01-01T12:00:00.", 0, Malformed},
		{DeadlineDate, "Wed, 01 Xxx 2025 12:00:10 GMT", 0, Malformed},
		{DeadlineDate, "tomorrow", 0, Malformed},
		{AWSTTL, "attempt=1; max=3; ttl=20250101T120005Z", 4500 * ms, Valid},
		{AWSTTL, "attempt=1; max=3", 0, Absent},
		{AWSTTL, "ttl=soon", 0, Malformed},
	}
	for _, tt := range tests {
		left, v := tt.d.Parse(tt.value, noon, s)
		if left != tt.left || v != tt.v {
			t.Errorf("%v of %q = %v, %v, want %v, %v", tt.d, tt.value, left, v, tt.left, tt.v)
		}
		if !tt.d.Absolute() {
			t.Errorf("%v is not said to be absolute", tt.d)
		}
		if _, v := tt.d.Parse(tt.value, noon, 0); v != Skewed {
			t.Errorf("%v of %q with no tolerance declared is %v", tt.d, tt.value, v)
		}
	}
}

func TestDialectsAppend(t *testing.T) {
	tests := []struct {
		d    Dialect
		left time.Duration
		want string // "" is not sent
	}{
		{XDeadlineMs, 28500*time.Millisecond + 999_999, "28500"},
		{XDeadlineMs, 999_999, ""},
		{XDeadlineMs, 0, ""},
		{XDeadlineMs, -time.Second, ""},
		{XDeadlineMs, math.MaxInt64, "9999999999"},
		{XDeadline, 2 * time.Second, "1735732802.500"},
		{GRPCTimeout, 1500 * time.Millisecond, "1500000u"},
		{GRPCTimeout, 99_999_999, "99999999n"},
		{GRPCTimeout, 100_000_001, "100000u"},
		{GRPCTimeout, math.MaxInt64, "2562047H"},
		{ConnectTimeoutMs, 200 * 24 * time.Hour, "9999999999"},
		{THeaderTimeoutMs, 100 * 24 * time.Hour, "2147483647"},
		{LinkerdTimeout, 1500 * time.Millisecond, "1500ms"},
		{GoogleServerTimeout, 1900 * time.Millisecond, "1"},
		{GoogleServerTimeout, 900 * time.Millisecond, ""},
		{PreferWait, 10 * time.Second, "wait=10"},
		{TChannelTTL, time.Second, "\x00\x00\x03\xe8"},
		{FinagleDeadline, time.Second, "1735732800500000000 1735732801500000000"},
		{AWSTTL, 2 * time.Second, "ttl=20250101T120002Z"},
		{AWSTTL, 400 * time.Millisecond, ""},
		{DeadlineDate, time.Second, "2025-01-01T12:00:01.500Z"},
	}
	for _, tt := range tests {
		got, ok := tt.d.Append(nil, tt.left, noon)
		if string(got) != tt.want || ok != (tt.want != "") {
			t.Errorf("%v of %v = %q, %v, want %q", tt.d, tt.left, got, ok, tt.want)
		}
	}
}

func TestDialectNames(t *testing.T) {
	seen := map[string]bool{}
	for i, d := range Dialects() {
		if seen[d.String()] {
			t.Errorf("two dialects are called %v", d)
		}
		seen[d.String()] = true
		if f := d.Field(); f != "" && d.Named(f).Field() != f {
			t.Errorf("%v: the header %q is not in canonical form", d, f)
		}
		if wires[i].note == "" {
			t.Errorf("%v has no note", d)
		}
	}
	if (Dialect{}) != XDeadlineMs || DeadlineDate != Dialects()[len(wires)-1] {
		t.Error("the variables are not in the order of the table")
	}
	house := XDeadlineMs.Named("x-acme-timeout-ms")
	if house.Field() != "X-Acme-Timeout-Ms" || house.String() != house.Field() {
		t.Errorf("Named = %v", house)
	}
}

func TestParseAllocatesNothing(t *testing.T) {
	values := []string{"28500", strings.Repeat("9", 1<<20), strings.Repeat("x", 1<<16), "28500m", "wait=1", "1h30m", "2025-01-01T12:00:02Z",
		"Wed, 01 Jan 2025 12:00:10 GMT", "ttl=20250101T120005Z", "1735732802 1735732803", "1735732802.5", "0123456789abcdef", strings.Repeat("1h", 1<<16)}
	for _, d := range Dialects() {
		for _, value := range values {
			if n := testing.AllocsPerRun(5, func() { d.Parse(value, noon, time.Second) }); n != 0 {
				t.Errorf("%v of %.20q: %v allocations", d, value, n)
			}
		}
	}
}
