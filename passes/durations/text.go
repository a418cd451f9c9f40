package durations

import (
	"strings"
	"time"
)

// Text writes a duration as messages do: like its String, without units that are zero. 30s, 1m, 1m30s, 1h.
func Text(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}
