// Package good is the front of a booking system. Its services tell each other
// how much time is left.
package good

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

const (
	remainingHeader = "X-Deadline-Ms"
	reserve         = 50 * time.Millisecond
)

// hop is the transport of all clients that call our own services.
type hop struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (h hop) RoundTrip(req *http.Request) (*http.Response, error) {
	d, ok := req.Context().Deadline()
	if !ok {
		return h.next.RoundTrip(req)
	}
	left := time.Until(d) - reserve
	if left <= 0 {
		if req.Body != nil {
			req.Body.Close()
		}
		return nil, context.DeadlineExceeded
	}
	req = req.Clone(req.Context())
	req.Header.Set(remainingHeader, strconv.FormatInt(left.Milliseconds(), 10))
	return h.next.RoundTrip(req)
}

// Edge gives each request a deadline: the caller's, but at most limit.
func Edge(limit time.Duration, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		budget := limit
		if ms, err := strconv.ParseInt(r.Header.Get(remainingHeader), 10, 64); err == nil {
			budget = min(budget, time.Duration(ms)*time.Millisecond)
		}
		if budget < reserve {
			http.Error(w, "no time left", http.StatusGatewayTimeout)
			return
		}
		ctx, cancel := context.WithTimeout(r.Context(), budget)
		defer cancel()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// Services reaches the other machines.
type Services struct {
	client *http.Client
	seats  string
	ledger string
}

// NewServices returns the clients of the seat and the ledger service.
func NewServices(seats, ledger string) *Services {
	tr := http.DefaultTransport.(*http.Transport).Clone()
	tr.MaxIdleConnsPerHost = 32
	return &Services{client: &http.Client{Transport: hop{tr}}, seats: seats, ledger: ledger}
}

func (s *Services) post(ctx context.Context, url string, in, out any) error {
	raw, err := json.Marshal(in)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(raw))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := s.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode/100 != 2 {
		return fmt.Errorf("%s: %s", url, resp.Status)
	}
	return json.NewDecoder(io.LimitReader(resp.Body, 1<<20)).Decode(out)
}

// Booking is an order for seats.
type Booking struct {
	Show  string `json:"show"`
	Seats int    `json:"seats"`
	Hold  string `json:"hold,omitempty"`
}

// Book holds the seats and enters the booking.
func (s *Services) Book(ctx context.Context, b Booking) (string, error) {
	var held, entered struct {
		ID string `json:"id"`
	}
	if err := s.post(ctx, s.seats+"/holds", b, &held); err != nil {
		return "", fmt.Errorf("hold: %w", err)
	}
	b.Hold = held.ID
	if err := s.post(ctx, s.ledger+"/bookings", b, &entered); err != nil {
		return "", fmt.Errorf("enter: %w", err)
	}
	return entered.ID, nil
}

// Routes returns the handler of the front.
func Routes(s *Services) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /bookings", func(w http.ResponseWriter, r *http.Request) {
		var b Booking
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 64<<10)).Decode(&b); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		id, err := s.Book(r.Context(), b)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		fmt.Fprintln(w, id)
	})
	return Edge(15*time.Second, mux)
}
