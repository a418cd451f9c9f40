package ledger

import (
	"context"
	"database/sql"
	"fmt"
)

// Ledger moves amounts between accounts.
type Ledger struct {
	db *sql.DB
}

func (l *Ledger) inTx(ctx context.Context, fn func(*sql.Tx) error) (err error) {
	tx, err := l.db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelSerializable})
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			tx.Rollback()
			return
		}
		err = tx.Commit()
	}()
	return fn(tx)
}

func (l *Ledger) Transfer(ctx context.Context, from, to string, amount int64) error {
	return l.inTx(ctx, func(tx *sql.Tx) error {
		st, err := tx.PrepareContext(ctx, `UPDATE accounts SET balance = balance + $1 WHERE id = $2`)
		if err != nil {
			return err
		}
		defer st.Close()
		for id, d := range map[string]int64{from: -amount, to: amount} {
			r, err := st.ExecContext(ctx, d, id)
			if err != nil {
				return err
			}
			if n, _ := r.RowsAffected(); n != 1 {
				return fmt.Errorf("no account %s", id)
			}
		}
		return nil
	})
}

// Balances reads all accounts.
func (l *Ledger) Balances(ctx context.Context) (map[string]int64, error) {
	rows, err := l.db.QueryContext(ctx, `SELECT id, balance FROM accounts`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := map[string]int64{}
	for rows.Next() {
		var id string
		var b int64
		if err := rows.Scan(&id, &b); err != nil {
			return nil, err
		}
		out[id] = b
	}
	return out, rows.Err()
}
