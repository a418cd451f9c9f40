// Package good imports records in batches.
package good

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
)

// Table takes batches.
type Table interface {
	Insert(ctx context.Context, rows [][]string) error
}

// Importer reads files into a table.
type Importer struct {
	table Table
	size  int
}

// New makes an Importer.
func New(t Table, size int) *Importer { return &Importer{table: t, size: size} }

// store inserts what comes through rows; after a failure it only empties rows,
// so that a sender is never stuck.
func (im *Importer) store(ctx context.Context, rows <-chan []string) error {
	var failed error
	batch := make([][]string, 0, im.size)
	flush := func() {
		if failed == nil && len(batch) > 0 {
			failed = im.table.Insert(ctx, batch)
		}
		batch = batch[:0]
	}
	for r := range rows {
		if failed != nil {
			continue
		}
		if batch = append(batch, r); len(batch) == im.size {
			flush()
		}
	}
	flush()
	return failed
}

// File imports one file.
func (im *Importer) File(ctx context.Context, name string) (err error) {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	rows := make(chan []string)
	stored := make(chan error, 1)
	go func() { stored <- im.store(ctx, rows) }()
	defer func() {
		close(rows)
		err = errors.Join(err, <-stored)
	}()
	cr := csv.NewReader(f)
	for n := 1; ; n++ {
		rec, err := cr.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: record %d: %w", name, n, err)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		rows <- rec
	}
}
