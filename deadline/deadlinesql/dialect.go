package deadlinesql

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"time"

	"github.com/doneby/doneby/deadline"
)

// A Dialect is how a server is told when to stop.
type Dialect uint8

// The dialects.
const (
	Postgres Dialect = iota + 1 // statement_timeout, for every statement
	MySQL                       // max_execution_time, which MySQL has for SELECT only; since 5.7.8
	MariaDB                     // max_statement_time, for every statement; since 10.1
)

// A setting is the variable of a dialect.
type setting struct {
	read    string        // a query of the value that a session begins with
	session string        // sets it for the session; the value is appended
	local   string        // sets it for the transaction, where the server knows that
	unit    time.Duration // what the value counts
}

var settings = [...]setting{
	Postgres: {
		read:    "SELECT setting FROM pg_settings WHERE name = 'statement_timeout'",
		session: "SET SESSION statement_timeout = ",
		local:   "SET LOCAL statement_timeout = ",
		unit:    time.Millisecond,
	},
	MySQL:   {read: "SELECT @@SESSION.max_execution_time", session: "SET SESSION max_execution_time = ", unit: time.Millisecond},
	MariaDB: {read: "SELECT @@SESSION.max_statement_time", session: "SET SESSION max_statement_time = ", unit: time.Second},
}

// valid reports whether d is one of the dialects.
func (d Dialect) valid() bool { return d > 0 && int(d) < len(settings) }

// String is the name of the database.
func (d Dialect) String() string {
	switch d {
	case Postgres:
		return "PostgreSQL"
	case MySQL:
		return "MySQL"
	case MariaDB:
		return "MariaDB"
	}
	return "Dialect(" + strconv.Itoa(int(d)) + ")"
}

// value is a limit as the server reads it, rounded down to milliseconds. 0 is no limit.
func (s setting) value(limit time.Duration) string {
	ms := limit.Milliseconds()
	if s.unit == time.Millisecond {
		return strconv.FormatInt(ms, 10)
	}
	return fmt.Sprintf("%d.%03d", ms/1000, ms%1000)
}

// parse reads what a server says of its setting.
func (s setting) parse(value any) (time.Duration, error) {
	if text, ok := value.([]byte); ok {
		value = string(text)
	}
	n, err := strconv.ParseFloat(fmt.Sprint(value), 64)
	if err != nil || !(n >= 0 && n <= float64(longest/s.unit)) {
		return 0, fmt.Errorf("the server has a statement timeout of %v", value)
	}
	return time.Duration(n * float64(s.unit)), nil
}

// SetLocal limits the statements of a transaction of PostgreSQL from here on, each for itself, to what ctx has left now under policy. It
// is for where no [Dialect.Connector] can be, such as behind a pooler that lends connections for a transaction, and is to be called
// before each statement that may take long. The setting ends with the transaction.
//
// A ctx without a deadline, and a policy without a Cap, leave the setting as it is. A refusal is that of [StatementTimeout].
func SetLocal(ctx context.Context, tx *sql.Tx, policy deadline.Policy) error {
	limit, bounded, err := StatementTimeout(ctx, policy)
	if err != nil || !bounded {
		return err
	}
	s := settings[Postgres]
	_, err = tx.ExecContext(ctx, s.local+s.value(limit))
	return err
}
