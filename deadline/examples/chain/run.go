package main

import (
	"context"
	"errors"
	"time"

	"github.com/doneby/doneby/deadline/examples/chain/internal/host"
	"github.com/doneby/doneby/deadline/examples/chain/internal/ledger"
	"github.com/doneby/doneby/deadline/examples/chain/internal/load"
	"github.com/doneby/doneby/deadline/examples/chain/internal/plan"
	"github.com/doneby/doneby/deadline/examples/chain/internal/store"
	"github.com/doneby/doneby/deadline/examples/chain/internal/web"
)

// A variant is one way to write the chain.
type variant struct {
	name  string
	build func(host.Addresses, *ledger.Ledger, *store.DB) (host.Services, error)
}

// An outcome is what came of a run.
type outcome struct {
	name     string
	result   load.Result
	stations []ledger.Account
	useful   time.Duration
}

// warmUp is how long each chain runs at half of its capacity first, so that connections are there when the run begins.
const warmUp = time.Second

// grace is how long a database may take to open, and the services to end after a run. What is in their queues is dropped then, so
// they need a fraction of it.
const grace = 20 * time.Second

// run starts the chain, sends it the load, and ends it.
func (v variant) run(ctx context.Context, o options) (outcome, error) {
	book := ledger.New()
	opening, cancel := context.WithTimeout(ctx, grace)
	db, err := store.Open(opening, o.dsn, book.Station("database", 0))
	cancel()
	if err != nil {
		return outcome{}, err
	}
	chain, err := host.Start(ctx, func(at host.Addresses) (host.Services, error) { return v.build(at, book, db) })
	if err != nil {
		return outcome{}, errors.Join(err, db.Close(ctx))
	}
	browsers := web.Transport()
	warm := load.Load{Rate: plan.Capacity / 2, For: warmUp, Seed: o.seed, From: 1 << 20}
	comers := load.Load{Rate: o.load * plan.Capacity, For: o.lasts, Seed: o.seed}
	out := outcome{name: v.name}
	if _, err = warm.Run(ctx, chain.URL, ledger.New(), browsers); err == nil { // the ledger of the run knows nothing of these
		out.result, err = comers.Run(ctx, chain.URL, book, browsers)
	}
	book.Close()
	out.stations, out.useful = book.Accounts()
	browsers.CloseIdleConnections()

	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace) // Ctrl-C ends the run, not the way out of it
	defer cancel()
	return out, errors.Join(err, chain.Stop(last), db.Close(last))
}
