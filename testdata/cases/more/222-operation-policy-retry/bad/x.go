package cloudapi

import (
	"context"
	"time"
)

// Response is the answer to an operation.
type Response struct {
	Status  int
	Attempt uint
	Err     error
}

// Policy says when and how often to try again.
type Policy struct {
	Attempts uint
	Again    func(Response) bool
	Delay    func(Response) time.Duration
}

// DefaultPolicy tries again on throttling and server errors.
func DefaultPolicy() Policy {
	return Policy{
		Attempts: 8,
		Again:    func(r Response) bool { return r.Status == 429 || r.Status >= 500 },
		Delay:    func(r Response) time.Duration { return time.Duration(1<<r.Attempt) * time.Second },
	}
}

// Request is anything that may bring its own policy.
type Request interface{ RetryPolicy() *Policy }

// Operation sends a request once.
type Operation[R Request] func(ctx context.Context, req R) (int, error)

// Do sends a request as often as its policy says.
func Do[R Request](ctx context.Context, req R, op Operation[R], fallback Policy) Response {
	policy := fallback
	if p := req.RetryPolicy(); p != nil {
		policy = *p
	}
	var res Response
	for n := uint(1); ; n++ {
		status, err := op(ctx, req)
		res = Response{Status: status, Attempt: n, Err: err}
		if err == nil || n >= policy.Attempts || !policy.Again(res) {
			return res
		}
		time.Sleep(policy.Delay(res)) // BUG(retry) ALT(deafwait)
	}
}
