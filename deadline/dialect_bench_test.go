//go:build go1.25

package deadline

import (
	"strconv"
	"testing"
	"time"
)

// The parser beside what it cannot do without. Read as ratios: at most 2.
func BenchmarkParse(b *testing.B) {
	now := time.Now()
	for _, value := range []string{"5", "28500", "9999999999"} {
		b.Run("XDeadlineMs/"+value, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				XDeadlineMs.Parse(value, now, 0)
			}
		})
		b.Run("ParseUint/"+value, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				strconv.ParseUint(value, 10, 64)
			}
		})
	}
	b.Run("GRPCTimeout/28500m", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			GRPCTimeout.Parse("28500m", now, 0)
		}
	})
}
