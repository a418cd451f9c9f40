package auditlog

import (
	"context"
	"errors"
	"iter"
	"time"
)

// Entry is one line of the audit log.
type Entry struct {
	At   time.Time
	What string
}

// RateLimited says when the API may be asked again.
type RateLimited struct{ After time.Duration }

func (e *RateLimited) Error() string { return "rate limited for " + e.After.String() }

// API gives the audit log in pages.
type API interface {
	Page(ctx context.Context, cursor string) (entries []Entry, next string, err error)
}

// Log reads an audit log.
type Log struct {
	api API
}

// NewLog reads through api.
func NewLog(api API) *Log { return &Log{api: api} }

func (l *Log) page(ctx context.Context, cursor string) ([]Entry, string, error) {
	entries, next, err := l.api.Page(ctx, cursor)
	var limited *RateLimited
	if errors.As(err, &limited) {
		time.Sleep(limited.After) // BUG(retry) ALT(deafwait)
		return l.page(ctx, cursor)
	}
	return entries, next, err
}

// All goes through all entries, page by page.
func (l *Log) All(ctx context.Context) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for cursor := ""; ; {
			entries, next, err := l.page(ctx, cursor)
			if err != nil {
				yield(Entry{}, err)
				return
			}
			for _, e := range entries {
				if !yield(e, nil) {
					return
				}
			}
			if next == "" {
				return
			}
			cursor = next
		}
	}
}
