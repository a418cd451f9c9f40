package conformance

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/doneby/doneby/deadline"
)

var update = flag.Bool("update", false, "write README.md")

// TestPage holds README.md against what the dialects do.
func TestPage(t *testing.T) {
	fixed, err := os.ReadFile("page.md")
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(string(fixed), "TABLE\n", table(), 1)
	if *update {
		if err := os.WriteFile("README.md", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("README.md is not what the dialects do: go test -run TestPage -update")
	}
}

// table has a row a dialect, each cell of which but the last is what the code does.
func table() string {
	var b strings.Builder
	b.WriteString("| dialect | header | 28.5 s left is written | 1.5 ms left | 100 years left | 0 means | signed | more digits | compared with | notes |\n")
	b.WriteString("|---|---|---|---|---|---|---|---|---|---|\n")
	for _, d := range deadline.Dialects() {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", d, header(d), written(d, 28500*time.Millisecond),
			written(d, 1500*time.Microsecond), written(d, 100*365*24*time.Hour), zero(d), signed(d), long(d), compared[d], d.Note())
	}
	return b.String()
}

// noon is 2025-01-01 12:00:00 UTC.
var noon = time.Unix(1735732800, 0).UTC()

var compared = map[deadline.Dialect]string{
	deadline.GRPCTimeout:      "grpc-go, connect-go",
	deadline.ConnectTimeoutMs: "connect-go",
}

func header(d deadline.Dialect) string {
	if d.Field() == "" {
		return "– (a frame)"
	}
	return "`" + d.Field() + "`"
}

func written(d deadline.Dialect, left time.Duration) string {
	value, ok := d.Append(nil, left, noon)
	if !ok {
		return "not sent"
	}
	for _, c := range value {
		if c < ' ' || c > '~' {
			return fmt.Sprintf("`%x` (hex)", value)
		}
	}
	return "`" + string(value) + "`"
}

// form is what the dialect writes, with its number replaced.
func form(d deadline.Dialect, number string) (string, bool) {
	value, _ := d.Append(nil, 28500*time.Millisecond, noon)
	text := string(value)
	first := strings.IndexAny(text, "0123456789")
	if d.Absolute() || first < 0 || len(text) == 4 && text[0] == 0 {
		return "", false
	}
	rest := strings.TrimLeft(text[first:], "0123456789")
	return text[:first] + number + rest, true
}

func zero(d deadline.Dialect) string {
	value, ok := form(d, "0")
	switch {
	case d == deadline.XDeadline:
		value = "0"
	case d == deadline.TChannelTTL:
		value = "\x00\x00\x00\x00"
	case !ok:
		return "–"
	}
	return verdict(d.Parse(value, noon, time.Second))
}

func signed(d deadline.Dialect) string {
	value, ok := form(d, "-5")
	if !ok {
		if d != deadline.XDeadline {
			return "–"
		}
		value = "-1735732801"
	}
	return verdict(d.Parse(value, noon, time.Second))
}

func long(d deadline.Dialect) string {
	value, ok := form(d, strings.Repeat("9", 30))
	if !ok {
		return "–"
	}
	return verdict(d.Parse(value, noon, time.Second))
}

func verdict(left time.Duration, v deadline.Verdict) string {
	switch {
	case v == deadline.Absent:
		return "none"
	case v != deadline.Valid:
		return v.String()
	case left <= 0:
		return "expired"
	}
	return "the maximum"
}
