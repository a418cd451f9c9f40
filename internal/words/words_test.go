package words

import (
	"strings"
	"testing"
)

func TestOf(t *testing.T) {
	for name, want := range map[string]string{
		"applyDBMigration": "apply db migration",
		"init#1":           "init",
		"HTTPServer":       "http server",
		"metrics_addr":     "metrics addr",
		"cfg.Debug.Addr":   "cfg debug addr",
		"initiate":         "initiate",
		"":                 "",
	} {
		if got := strings.Join(Of(name), " "); got != want {
			t.Errorf("Of(%q) = %q, want %q", name, got, want)
		}
	}
}
