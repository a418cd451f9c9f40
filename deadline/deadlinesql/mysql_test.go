//go:build unix

package deadlinesql

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/doneby/doneby/deadline"
	"github.com/go-sql-driver/mysql"
)

// TestMySQL needs a server, since Debian has no package of it: DEADLINESQL_MYSQL is its DSN, in the form of go-sql-driver/mysql. Without
// one, what is sent is tested by TestSent, and the driver by TestMariaDB.
func TestMySQL(t *testing.T) {
	dsn := os.Getenv("DEADLINESQL_MYSQL")
	if dsn == "" {
		t.Skip("SKIPPED: no DEADLINESQL_MYSQL")
	}
	config, err := mysql.ParseDSN(dsn)
	if err != nil {
		t.Fatal(err)
	}
	testMySQL(t, MySQL, config, 3024)
}

// TestMariaDB starts a MariaDB.
func TestMariaDB(t *testing.T) {
	install := program(t, "mariadb-install-db", "/usr/bin/mariadb-install-db", "mariadb-server")
	daemon := program(t, "mariadbd", "/usr/sbin/mariadbd", "mariadb-server")
	s := directory(t)
	data, base := filepath.Join(s.dir, "data"), filepath.Dir(filepath.Dir(daemon))
	s.run(t, install, "--no-defaults", "--basedir="+base, "--datadir="+data, "--auth-root-authentication-method=normal", "--skip-test-db")
	config := mysql.NewConfig()
	config.User, config.Net, config.Addr = "root", "unix", filepath.Join(s.dir, "socket")
	config.Logger = &mysql.NopLogger{} // it tells of each attempt to reach a server that is only starting
	dial := func(ctx context.Context) error {
		connector, err := mysql.NewConnector(config)
		if err != nil {
			return err
		}
		conn, err := connector.Connect(ctx)
		if err != nil {
			return err
		}
		return conn.Close()
	}
	s.start(t, syscall.SIGTERM, dial, daemon, "--no-defaults", "--basedir="+base, "--datadir="+data, "--socket="+config.Addr, "--skip-networking")
	testMySQL(t, MariaDB, config, 1969)
}

// testMySQL: a query of 20 s, under a context of which the driver never hears that it is over, is ended by the server with code, and
// the connection keeps no limit.
func testMySQL(t *testing.T, d Dialect, config *mysql.Config, code uint16) {
	const slow = "SELECT COUNT(*) FROM information_schema.tables a, information_schema.tables b, information_schema.tables c WHERE SLEEP(20 + ?) = 0"
	for _, interpolate := range []bool{false, true} { // prepared by the driver, or sent as one text
		with := config.Clone()
		with.InterpolateParams = interpolate
		inner, err := mysql.NewConnector(with)
		if err != nil {
			t.Fatal(err)
		}
		db := single(t, sql.OpenDB(d.Connector(inner, deadline.Policy{Name: "items", Reserve: 500 * time.Millisecond})))
		err = db.QueryRowContext(deaf{within(t, time.Second)}, slow, 0).Scan(new(int))
		var server *mysql.MySQLError
		if !errors.As(err, &server) || server.Number != code {
			t.Errorf("%v is not the server's own", err)
		}
		if !errors.Is(err, deadline.Expired) {
			t.Errorf("%v is not an expiry", err)
		}
		for _, left := range []time.Duration{time.Minute, 0} {
			var limit float64
			ran(t, nil, db.QueryRowContext(within(t, left), settings[d].read).Scan(&limit))
			seconds := limit * settings[d].unit.Seconds()
			if left == 0 && limit != 0 || left > 0 && (limit <= 0 || seconds > 59.5) {
				t.Errorf("a limit of %gs where %v are left", seconds, left)
			}
		}
		db.Close()
	}
}
