// Package orders is the service behind the gateway.
package orders

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"demo.example/prices"
	"demo.example/store"
)

// Service takes, counts and withdraws orders.
type Service struct {
	Store  *store.Store
	Prices *prices.Client
	Cache  *prices.Cache
	Hook   string   // the URL that is told of each order, or ""
	Acks   chan int // the warehouse's answers
}

// Place prices an order and stores it.
func (s *Service) Place(ctx context.Context, o store.Order) (int, error) {
	price, err := s.price(ctx, o.Item)
	if err != nil {
		return 0, err
	}
	if err := s.Store.Insert(context.Background(), o); err != nil {
		return 0, err
	}
	if s.Hook != "" {
		err = s.notify(ctx, o)
	}
	go func() { slog.Info("acknowledged", "order", <-s.Acks) }()
	s.audit(ctx, o)
	return price, err
}

// price asks the cache, then the price service.
func (s *Service) price(ctx context.Context, item string) (int, error) {
	if p, ok := s.Cache.Get(item); ok {
		return p, nil
	}
	p, err := s.Prices.Quote(ctx, item)
	if err == nil {
		s.Cache.Put(item, p)
	}
	return p, err
}

// notify tells the hook, and gives it a second.
func (s *Service) notify(ctx context.Context, o store.Order) error {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.Hook, strings.NewReader(o.Item))
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// audit looks, after the answer has gone out, whether the order can be found: the customer does not wait for it, and may have
// withdrawn it already.
func (s *Service) audit(ctx context.Context, o store.Order) {
	go func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		if _, err := s.Store.FindContext(ctx, o.ID); err != nil && !errors.Is(err, sql.ErrNoRows) {
			slog.ErrorContext(ctx, "audit", "order", o.ID, "err", err)
		}
	}()
}

// Withdraw takes an order back.
func (s *Service) Withdraw(ctx context.Context, id int) error {
	if _, err := s.Store.FindContext(ctx, id); err != nil {
		return err
	}
	own, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	return s.Store.Delete(own, id)
}

// Trial puts an order in to see whether that works, and takes it out again whatever happens.
func (s *Service) Trial(ctx context.Context, o store.Order) error {
	defer func() {
		own, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		s.Store.Delete(own, o.ID)
	}()
	return s.Store.Insert(ctx, o)
}

// Summary counts the orders and asks for a price, side by side.
func (s *Service) Summary(ctx context.Context) (count, price int, err error) {
	var wg sync.WaitGroup
	var errs [2]error
	wg.Add(2)
	go func() {
		defer wg.Done()
		count, errs[0] = s.Store.Count(ctx)
	}()
	go func() {
		defer wg.Done()
		price, errs[1] = s.Prices.Quote(ctx, "tea")
	}()
	wg.Wait()
	if errs[0] != nil {
		return 0, 0, errs[0]
	}
	return count, price, errs[1]
}
