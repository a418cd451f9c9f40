package conformance

import (
	"strings"
	"testing"
	"time"

	"github.com/doneby/doneby/deadline"
)

var values = []string{"", "0", "1", "28500", "9999999999", "99999999999", "-1", "-0", "+1", "1.5", "1e9", "NaN", "0x7f", "١٢", "1_0", "0000000001",
	"28500m", "0n", "99999999H", "2562048H", "123456789n", "+5S", "-5S", "5", "S", "5x", "1S1S", " 5S", "5S ", "000000005S"}

// FuzzGRPC: a value that grpc-go takes is read the same, and one that it refuses is malformed. connect-go takes a plus sign
// and needless zeros, too; what both take is the same.
func FuzzGRPC(f *testing.F) {
	for _, value := range values {
		f.Add(value)
	}
	f.Fuzz(func(t *testing.T, value string) {
		left, v := deadline.GRPCTimeout.Parse(value, time.Time{}, 0)
		if strings.Trim(value, " \t") != value || value == "" {
			return // we take blanks off the ends, as HTTP does before a header is read
		}
		theirs, err := grpcDecode(value)
		if (err == nil) != (v == deadline.Valid) || err == nil && theirs != left {
			t.Fatalf("%q: grpc-go %v %v, we %v %v", value, theirs, err, left, v)
		}
		theirs, err = connectGRPCDecode(value)
		switch {
		case v == deadline.Valid && err == nil && theirs != left:
			t.Fatalf("%q: connect-go %v, we %v", value, theirs, left)
		case v == deadline.Valid && err != nil && left != 1<<63-1: // where that is all there is, connect-go has no deadline
			t.Fatalf("%q: connect-go says %v, we %v", value, err, left)
		case v != deadline.Valid && err == nil && value[0] != '+' && len(value) <= 9:
			t.Fatalf("%q: connect-go %v, we %v", value, theirs, v)
		}
	})
}

// FuzzConnect: a value that we take, connect-go reads the same. It takes a plus sign, too, and a minus sign before zeros.
func FuzzConnect(f *testing.F) {
	for _, value := range values {
		f.Add(value)
	}
	f.Fuzz(func(t *testing.T, value string) {
		left, v := deadline.ConnectTimeoutMs.Parse(value, time.Time{}, 0)
		if strings.Trim(value, " \t") != value {
			return
		}
		theirs, bounded, err := connectDecode(value)
		ok := bounded && err == nil
		switch {
		case v == deadline.Valid && !ok, v != deadline.Valid && ok && value[0] != '+' && value[0] != '-':
			t.Fatalf("%q: connect-go %v %v, we %v %v", value, theirs, err, left, v)
		case v == deadline.Valid && (theirs < left || theirs > left+time.Minute): // its clock ran on
			t.Fatalf("%q: connect-go %v, we %v", value, theirs, left)
		case v == deadline.Absent && (err != nil || bounded):
			t.Fatalf("%q: connect-go %v %v, we %v", value, bounded, err, v)
		}
	})
}

// FuzzWritten: what we write the others read as we do, and as no more than there is; what they write we read as they do.
func FuzzWritten(f *testing.F) {
	for _, left := range []int64{-1, 0, 1, 999_999, 1_000_000, 99_999_999, 100_000_000, 28_500_000_000, 1 << 50, 1<<63 - 1} {
		f.Add(left)
	}
	f.Fuzz(func(t *testing.T, n int64) {
		left, now := time.Duration(n), time.Time{}
		if value, ok := deadline.GRPCTimeout.Append(nil, left, now); ok {
			if theirs, err := grpcDecode(string(value)); err != nil || theirs > left || theirs <= 0 {
				t.Fatalf("%v as %q: grpc-go %v %v", left, value, theirs, err)
			}
			if theirs, err := connectGRPCDecode(string(value)); err != nil || theirs > left || theirs <= 0 {
				t.Fatalf("%v as %q: connect-go %v %v", left, value, theirs, err)
			}
			if value2 := connectGRPCEncode(left); value2 != string(value) {
				t.Fatalf("%v: connect-go writes %q, we %q", left, value2, value)
			}
		}
		theirs, err := grpcDecode(grpcEncode(left))
		if ours, v := deadline.GRPCTimeout.Parse(grpcEncode(left), now, 0); err != nil || v != deadline.Valid || ours != theirs {
			t.Fatalf("%v: grpc-go writes %q and reads %v, we %v %v", left, grpcEncode(left), theirs, ours, v)
		}
		value, ok := deadline.ConnectTimeoutMs.Append(nil, left, now)
		if ok {
			if theirs, bounded, err := connectDecode(string(value)); !bounded || err != nil || theirs < left.Truncate(time.Millisecond) && left < 1e16 {
				t.Fatalf("%v as %q: connect-go %v %v", left, value, theirs, err)
			}
		}
		switch encoded := connectEncode(left); {
		case encoded == "": // more than ten digits: it sends nothing, we the most there is
			if string(value) != "9999999999" {
				t.Fatalf("%v: we write %q", left, value)
			}
		case !ok: // less than a millisecond: it sends 1, we do not call
			if encoded != "1" || left >= time.Millisecond {
				t.Fatalf("%v: connect-go writes %q, we nothing", left, encoded)
			}
		case encoded != string(value):
			t.Fatalf("%v: connect-go writes %q, we %q", left, encoded, value)
		}
	})
}
