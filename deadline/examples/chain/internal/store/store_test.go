package store

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/doneby/doneby/deadline/examples/chain/internal/ledger"
)

// TestRead reads from SQLite, and from the PostgreSQL that CHAIN_DSN names, if it names one.
func TestRead(t *testing.T) {
	for _, dsn := range []string{"", os.Getenv("CHAIN_DSN")} {
		book := ledger.New()
		db, err := Open(t.Context(), dsn, book.Station("database", 0))
		if err != nil {
			t.Fatal(err)
		}
		book.Begin("1007", time.Now().Add(time.Hour))
		if name, err := db.Read(t.Context(), "1007"); err != nil || name != "order 7" {
			t.Errorf("%q, %v", name, err)
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := db.Read(ended, "1007"); !errors.Is(err, context.Canceled) {
			t.Errorf("a context that has ended: %v", err)
		}
		if _, err := db.Read(t.Context(), "many"); err == nil {
			t.Error("an order without a number is found")
		}
		if accounts, _ := book.Accounts(); accounts[0].Calls != 1 || accounts[0].Busy == 0 {
			t.Errorf("%+v", accounts)
		}
		if err := db.Close(ended); err != nil {
			t.Error(err)
		}
	}
}

// TestOpenFails wants an error of what is no database.
func TestOpenFails(t *testing.T) {
	for _, dsn := range []string{"postgres://%", "postgres://127.0.0.1:1/none"} {
		if db, err := Open(t.Context(), dsn, ledger.New().Station("database", 0)); err == nil {
			t.Errorf("%s opens %v", dsn, db)
		}
	}
}
