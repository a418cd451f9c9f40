package model

import (
	"math/rand/v2"
	"time"

	"github.com/doneby/doneby/deadline"
	"github.com/doneby/doneby/deadline/sim/internal/event"
	"github.com/doneby/doneby/deadline/sim/internal/queue"
	"github.com/doneby/doneby/deadline/sim/internal/rule"
)

// happening is one of the things that can happen.
type happening struct {
	what what
	req  *request
	call *call
}

type what uint8

const (
	arrives  what = iota // a request, by Load
	asks                 // one of the Closed clients
	attempts             // the hop, for a request
	expires              // the time of an attempt
	leaves               // the client of a request
	ends                 // the work on a call
)

// A request is what one client wants.
type request struct {
	arrived  time.Duration
	end      time.Duration // when the client gives up
	failures int
	counts   bool
	done     bool // the client has its answer, an error, or has given up
}

// A call is one attempt of the hop.
type call struct {
	req      *request
	end      time.Duration // when the attempt expires, for the hop, and on the wire
	whole    bool          // that is all the time the hop had
	over     bool          // the hop waits no more
	began    time.Duration // the work
	work     time.Duration // how long it would take
	waiting  *queue.Entry[*call]
	complete bool // the work ends by itself, and not at the deadline
}

// run is the state of a run.
type run struct {
	Config
	events   event.Queue[happening]
	waiting  *queue.Queue[*call]
	busy     int
	tokens   *rule.Tokens
	asAgain  deadline.Retry
	arrivals *rand.Rand // of their own, so that all variants see the same
	services *rand.Rand
	pauses   *rand.Rand
	peak     float64
	result   Result
	finished func(*request, bool) // for tests
}

// Run runs c. The same Config has the same Result.
func Run(c Config) Result {
	r := start(c)
	r.all()
	return r.result
}

// start is a run in which nothing has happened yet.
func start(c Config) *run {
	r := &run{
		Config: c, waiting: queue.New[*call](c.Queue), asAgain: c.retry(),
		arrivals: rand.New(rand.NewPCG(c.Seed, 1)), services: rand.New(rand.NewPCG(c.Seed, 2)), pauses: rand.New(rand.NewPCG(c.Seed, 3)),
	}
	r.result.client = c.Client
	if c.Tokens {
		r.tokens = rule.NewTokens(0.2, 10, 10*time.Second) // the defaults of deadline.Tokens, which are Finagle's
	}
	if c.Bin > 0 {
		r.result.Course = make([]Bin, (c.Length+c.Bin-1)/c.Bin)
	}
	for _, s := range c.Load {
		r.peak = max(r.peak, s.Rate)
	}
	for range c.Closed {
		r.events.At(0, happening{what: asks})
	}
	if c.Closed == 0 {
		r.next()
	}
	return r
}

// all lets happen what does. The load goes on until the last request that counts is over.
func (r *run) all() {
	for last := r.Warm + r.Length + r.Client; ; {
		h, ok := r.events.Next(last)
		if !ok {
			return
		}
		r.happen(h)
	}
}

func (r *run) happen(h happening) {
	switch h.what {
	case arrives:
		r.next()
		if now := r.events.Now(); r.arrivals.Float64()*r.peak < r.rate(now) { // thinning: the peak less what is too much
			r.arrive()
		}
	case asks:
		r.arrive()
	case attempts:
		r.attempt(h.req)
	case expires:
		r.expire(h.call)
	case leaves:
		r.finish(h.req, false)
	case ends:
		r.end(h.call)
	}
}

// next asks for the next arrival at the peak rate.
func (r *run) next() {
	if r.peak <= 0 {
		return // nobody comes
	}
	gap := r.arrivals.ExpFloat64() / r.peak
	r.events.At(r.events.Now()+time.Duration(gap*float64(time.Second)), happening{what: arrives})
}

func (r *run) rate(now time.Duration) float64 {
	rate := 0.0
	for _, s := range r.Load {
		if s.From <= now {
			rate = s.Rate
		}
	}
	return rate
}

// arrive is a client that asks.
func (r *run) arrive() {
	now := r.events.Now()
	req := &request{arrived: now, end: now + r.Client, counts: now >= r.Warm && now < r.Warm+r.Length}
	if r.Client == 0 {
		req.end = Never
	} else {
		r.events.At(req.end, happening{what: leaves, req: req})
	}
	if req.counts {
		r.result.Requests++
		if b := r.bin(now); b != nil {
			b.Requests++
		}
	}
	if r.Own == 0 {
		r.attempt(req)
		return
	}
	r.events.At(now+r.Own, happening{what: attempts, req: req})
}

// finish is the end of a request for its client.
func (r *run) finish(req *request, inTime bool) {
	if req.done {
		return
	}
	req.done = true
	if r.finished != nil {
		r.finished(req, inTime)
	}
	now := r.events.Now()
	if r.Closed > 0 {
		r.events.At(now, happening{what: asks})
	}
	if b := r.bin(now); b != nil && inTime {
		b.Answers++
	}
	if !req.counts || !inTime {
		return
	}
	r.result.InTime++
	if b := r.bin(req.arrived); b != nil {
		b.InTime++
	}
	if r.Client > 0 {
		slots := len(r.result.Latency)
		r.result.Latency[min(int((now-req.arrived)*time.Duration(slots)/r.Client), slots-1)]++
	}
}

// bin is the part of the course that now lies in, or nil.
func (r *run) bin(now time.Duration) *Bin {
	if r.Bin == 0 || now < r.Warm || now >= r.Warm+r.Length {
		return nil
	}
	return &r.result.Course[(now-r.Warm)/r.Bin]
}
