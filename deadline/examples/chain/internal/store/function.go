package store

import (
	"database/sql/driver"
	"errors"
	"sync"
	"time"

	"modernc.org/sqlite"
)

// sleeps gives SQLite, which has no function that takes time, PostgreSQL's. The driver has one set of functions for all databases.
var sleeps = sync.OnceValue(func() error {
	return sqlite.RegisterScalarFunction("pg_sleep", 1, func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
		seconds, ok := args[0].(float64)
		if !ok {
			return nil, errors.New("pg_sleep takes a number of seconds")
		}
		time.Sleep(time.Duration(seconds * float64(time.Second)))
		return "", nil
	})
})
