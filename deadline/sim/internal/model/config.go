// Package model is the service under load that the simulator runs: clients with a deadline, a hop that works a little and then
// calls, with retries, and a station with a queue and servers that does the work.
//
//	client --(deadline)--> hop --(attempts of T)--> queue --> servers
//
// What it leaves out makes all variants look better than they are, and those most that drop much: the network takes no time,
// and a call that is dropped or turned away costs the server nothing. The hop itself is never short of anything.
package model

import (
	"time"

	"github.com/doneby/doneby/deadline"
	"github.com/doneby/doneby/deadline/sim/internal/queue"
)

// A Config is one run.
type Config struct {
	Variant
	Queue   queue.Discipline
	Servers int
	Law     Law
	// Client is how long a client waits; 0 is for ever. Own is what the hop does itself before it calls.
	Client, Own time.Duration
	// Timeout is T, the time of an attempt; 0 is no limit. There are up to Attempts of them, with a pause in between as of
	// deadline.Exponential: at random below Backoff, doubled after each; 0 is no pause.
	Timeout, Backoff time.Duration
	Attempts         int
	// Load says how many requests arrive, at random times (Poisson).
	Load []Step
	// Closed, instead of Load, is how many clients there are, each of which asks again as soon as it has its answer or gave up.
	Closed int
	// Warm is how long the run goes before anything counts, and Length how long what arrives counts.
	Warm, Length time.Duration
	// Bin is the width of the bins of the course; 0 is none.
	Bin  time.Duration
	Seed uint64
}

// A Step is the rate of arrivals from a time on, in 1/s.
type Step struct {
	From time.Duration
	Rate float64
}

// retry is the policy of the hop, as package deadline has it.
func (c *Config) retry() deadline.Retry {
	return deadline.Retry{Attempts: c.Attempts, AttemptCap: c.Timeout, Min: c.Min}
}

// A Result is what became of the requests that arrived after Warm and within Length.
type Result struct {
	Requests, InTime int // of the clients; in time is answered before the client gave up
	Calls            int // that the hop made for them
	Refused          int // calls that found the queue full
	Dropped          int // calls that left the queue unserved
	Served           int // calls that a server began
	Waited           time.Duration
	Latency          [512]int // of requests that were answered in time, in 512ths of Client
	// Useful and Wasted are the servers' time for all work that ended within Length, whenever it was asked for: answered in time, or
	// not.
	Useful, Wasted time.Duration
	Course         []Bin // from Warm on
	client         time.Duration
}

// A Bin is a part of the course of a run.
type Bin struct {
	Requests, InTime int // of those that arrived in it
	Answers          int // in time, whenever asked for
}

// Success is the share of requests that were answered in time.
func (r *Result) Success() float64 { return ratio(r.InTime, r.Requests) }

// Success is that of the bin.
func (b Bin) Success() float64 { return ratio(b.InTime, b.Requests) }

// Amplification is how many calls the hop made for one request.
func (r *Result) Amplification() float64 { return ratio(r.Calls, r.Requests) }

// Quantile is the time that this share of the answers in time took at most.
func (r *Result) Quantile(share float64) time.Duration {
	seen := 0
	for i, n := range r.Latency {
		if seen += n; n > 0 && float64(seen) >= share*float64(r.InTime) {
			return r.client * time.Duration(i+1) / time.Duration(len(r.Latency))
		}
	}
	return 0
}

func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}
