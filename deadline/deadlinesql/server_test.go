//go:build unix

package deadlinesql

import (
	"context"
	"database/sql"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/doneby/doneby/deadline"
)

// A server is a database of the test's own, in a directory of its own, which end with the test.
type server struct {
	dir string
	who *syscall.SysProcAttr // who runs it
}

// directory makes the place of a server that is not started yet.
func directory(t *testing.T) *server {
	t.Helper()
	s := &server{who: &syscall.SysProcAttr{Credential: credential(t)}}
	var err error
	if s.dir, err = os.MkdirTemp("", "db"); err != nil { // short: the path of a socket has room for 107 letters
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(s.dir) })
	if who := s.who.Credential; who != nil {
		if err := os.Chown(s.dir, int(who.Uid), int(who.Gid)); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// run runs a program to its end.
func (s *server) run(t *testing.T, name string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir, cmd.SysProcAttr = s.dir, s.who
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
}

// start starts a server, which stop ends, and waits until dial reaches it.
func (s *server) start(t *testing.T, stop os.Signal, dial func(context.Context) error, name string, args ...string) {
	t.Helper()
	log, err := os.Create(filepath.Join(s.dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = s.dir, log, log, s.who
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(stop)
		cmd.Wait()
	})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for {
		err := dial(ctx)
		if err == nil {
			return
		}
		if deadline.Sleep(ctx, 20*time.Millisecond, 0) != nil {
			said, _ := os.ReadFile(log.Name())
			t.Fatalf("%s does not answer: %v\n%s", name, err, said)
		}
	}
}

// program is where the first of names is: on the path, or by a pattern, where Debian keeps it. Without one the test is skipped.
func program(t *testing.T, name, pattern, pkg string) string {
	t.Helper()
	if path, err := exec.LookPath(name); err == nil {
		return path
	}
	found, _ := filepath.Glob(pattern)
	if len(found) == 0 {
		t.Skipf("SKIPPED: no %s on the path or as %s: install Debian's package %s", name, pattern, pkg)
	}
	return found[len(found)-1]
}

// credential is somebody who may run a database, which root may not. Of others it is nil: they run it themselves.
func credential(t *testing.T) *syscall.Credential {
	t.Helper()
	if os.Getuid() != 0 {
		return nil
	}
	for _, name := range []string{"postgres", "mysql", "nobody"} {
		who, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, _ := strconv.ParseUint(who.Uid, 10, 32)
		gid, _ := strconv.ParseUint(who.Gid, 10, 32)
		if uid != 0 {
			return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		}
	}
	t.Skip("SKIPPED: root cannot run a database, and there is no user postgres, mysql or nobody")
	return nil
}

// single is db with one connection, which is open.
func single(t *testing.T, db *sql.DB) *sql.DB {
	t.Helper()
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	ran(t, nil, db.PingContext(t.Context()))
	return db
}
