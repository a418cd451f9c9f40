package deadlinesql_test

import (
	"context"
	"database/sql"
	"log"
	"time"

	"github.com/doneby/doneby/deadline"
	"github.com/doneby/doneby/deadline/deadlinesql"
	"github.com/go-sql-driver/mysql"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

var orders = deadline.Policy{Name: "orders", Cap: 2 * time.Second, Reserve: 50 * time.Millisecond, Min: 20 * time.Millisecond}

func ExampleDialect_Connector() {
	config, err := pgx.ParseConfig("postgres://localhost/orders")
	if err != nil {
		log.Fatal(err)
	}
	db := sql.OpenDB(deadlinesql.Postgres.Connector(stdlib.GetConnector(*config), orders))
	defer db.Close()
}

func ExampleDialect_Connector_mySQL() {
	config, err := mysql.ParseDSN("user@tcp(localhost)/orders?interpolateParams=true")
	if err != nil {
		log.Fatal(err)
	}
	inner, err := mysql.NewConnector(config)
	if err != nil {
		log.Fatal(err)
	}
	db := sql.OpenDB(deadlinesql.MySQL.Connector(inner, orders))
	defer db.Close()
}

func refund(ctx context.Context, tx *sql.Tx) error {
	if err := deadlinesql.SetLocal(ctx, tx, orders); err != nil {
		return err // too little is left
	}
	_, err := tx.ExecContext(ctx, "UPDATE orders SET refunded = now()")
	return err
}

func ExampleSetLocal() {
	db, err := sql.Open("pgx", "postgres://pooler/orders")
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if tx, err := db.BeginTx(ctx, nil); err == nil {
		_ = refund(ctx, tx)
	}
}
