// Package gorm has the few signatures of gorm.io/gorm that the READMEs' programs use.
package gorm

import "context"

type DB struct {
	Error        error
	RowsAffected int64
}

func (*DB) WithContext(ctx context.Context) *DB     { return nil }
func (*DB) Where(query any, args ...any) *DB        { return nil }
func (*DB) First(dest any, conds ...any) *DB        { return nil }
func (*DB) Find(dest any, conds ...any) *DB         { return nil }
func (*DB) Create(value any) *DB                    { return nil }
func (*DB) Save(value any) *DB                      { return nil }
func (*DB) Delete(value any, conds ...any) *DB      { return nil }
func (*DB) Exec(sql string, values ...any) *DB      { return nil }
func (*DB) Transaction(fc func(tx *DB) error) error { return nil }
