// Package bstore stands for a store in this process whose API takes contexts.
package bstore

import "context"

type DB struct{}

func (db *DB) Insert(ctx context.Context, values ...any) error { return nil }
