package accounts

import (
	"context"
	"errors"
	"fmt"
)

// Ledger books amounts.
type Ledger interface {
	Balance(ctx context.Context, id string) (int64, error)
	Book(ctx context.Context, id string, amount int64) error
}

type gate chan struct{}

func newGate() gate { return make(gate, 1) }

func (g gate) enter(ctx context.Context) error {
	select {
	case g <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (g gate) leave() { <-g }

// Account is one account, used by one caller at a time.
type Account struct {
	gate
	id     string
	ledger Ledger
}

// Open gives the account with an id.
func Open(l Ledger, id string) *Account { return &Account{gate: newGate(), id: id, ledger: l} }

var errFunds = errors.New("not enough funds")

// Withdraw books an amount off the account.
func (a *Account) Withdraw(ctx context.Context, amount int64) error {
	if err := a.enter(ctx); err != nil {
		return err
	}
	defer a.leave()
	have, err := a.ledger.Balance(ctx, a.id)
	if err != nil {
		return err
	}
	if have < amount {
		return fmt.Errorf("%s: %w", a.id, errFunds)
	}
	return a.ledger.Book(ctx, a.id, -amount)
}

// TryClose tells whether nobody used the account.
func (a *Account) TryClose(ctx context.Context) (bool, error) {
	select {
	case a.gate <- struct{}{}:
	default:
		return false, nil
	}
	have, err := a.ledger.Balance(ctx, a.id)
	a.leave()
	return err == nil && have == 0, err
}
