package scanner

import (
	"context"
	"fmt"
	"log"
	"sync"
)

type Entry struct {
	Index int64
	Leaf  []byte
}

// LogClient reads ranges of a log.
type LogClient interface {
	GetRawEntries(ctx context.Context, start, end int64) ([]Entry, error)
}

type span struct{ start, end int64 }

// Scanner runs several fetchers over a range.
type Scanner struct {
	lc      LogClient
	batch   int64
	workers int
}

func New(lc LogClient, workers int) *Scanner { return &Scanner{lc: lc, batch: 1000, workers: workers} }

func (s *Scanner) fetch(ctx context.Context, spans <-chan span, use func(Entry)) {
	for sp := range spans {
		for sp.start <= sp.end {
			got, err := s.lc.GetRawEntries(ctx, sp.start, sp.end) // ALT(retry) ALT(deafctx)
			if err != nil {
				log.Printf("fetch %d-%d: %v", sp.start, sp.end, err)
				continue // BUG(deafctx) ALT(retry)
			}
			for _, e := range got {
				use(e)
				sp.start++
			}
		}
	}
}

// Scan hands all entries of [start, end] to use.
func (s *Scanner) Scan(ctx context.Context, start, end int64, use func(Entry)) error {
	if end < start {
		return fmt.Errorf("bad range %d-%d", start, end)
	}
	spans := make(chan span)
	var wg sync.WaitGroup
	for i := 0; i < s.workers; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			s.fetch(ctx, spans, use)
		}()
	}
feed:
	for at := start; at <= end; at += s.batch {
		select {
		case spans <- span{at, min(at+s.batch-1, end)}:
		case <-ctx.Done():
			break feed
		}
	}
	close(spans)
	wg.Wait()
	return ctx.Err()
}
