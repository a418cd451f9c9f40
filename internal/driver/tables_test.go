package driver_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/doneby/doneby/passes/settings"
)

// A row that names nothing is a problem at its place; a row about a package that is not there is only mentioned.
func TestUserTables(t *testing.T) {
	dir := unpack(t, "chain.txtar")
	write(t, dir, "own.txt", "example.com/chain/deep.Load  waits\n"+
		"example.com/chain/deep.Lode  waits\n"+
		"example.com/nowhere.X        waits\n")
	write(t, dir, ".doneby.yaml", "tables: [own.txt]\nown: [example.com/chain]\n")
	cfg, err := settings.Load(filepath.Join(dir, ".doneby.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	o := options(t, dir)
	o.Config = cfg
	for range 2 { // the cache hides nothing
		r := run(t, o)
		if len(r.Problems) != 1 || !strings.Contains(r.Problems[0].Message, "own.txt:2:1: example.com/chain/deep.Lode") {
			t.Errorf("problems %v", r.Problems)
		}
		if len(r.Notices) != 1 || !strings.Contains(r.Notices[0], "example.com/nowhere") {
			t.Errorf("notices %q", r.Notices)
		}
		if len(r.Findings) != len(chainFindings) {
			t.Errorf("findings %v", lines(dir, r))
		}
	}
}
