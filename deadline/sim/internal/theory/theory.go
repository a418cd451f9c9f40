// Package theory has what is known without a simulation. A simulator that cannot reproduce it is not worth reading.
//
// Rates are in 1/s and times in seconds; load is the arrival rate times the mean service time, in servers.
package theory

import "math"

// ErlangB is the share of arrivals that find all servers busy and are turned away (M/G/c/c; Erlang 1917). It holds for any law
// of the service time with the mean that load implies.
func ErlangB(servers int, load float64) float64 {
	b := 1.0
	for n := 1; n <= servers; n++ {
		b = load * b / (float64(n) + load*b)
	}
	return b
}

// ErlangC is the share of arrivals that wait, if all may (M/M/c). The load is below the number of servers.
func ErlangC(servers int, load float64) float64 {
	b := ErlangB(servers, load)
	busy := load / float64(servers)
	return b / (1 - busy*(1-b))
}

// WaitMMC is the mean time in the queue of M/M/c.
func WaitMMC(servers int, rate, service float64) float64 {
	load := rate * service
	return ErlangC(servers, load) * service / (float64(servers) - load)
}

// WaitMG1 is the mean time in the queue of one server whose service times have this mean and this squared coefficient of
// variation: 0 for equal ones (M/D/1), 1 for exponential ones, e-1 for log-normal ones with sigma 1 (Pollaczek 1930, Khinchine
// 1932).
func WaitMG1(rate, service, variation float64) float64 {
	busy := rate * service
	return busy * service * (1 + variation) / (2 * (1 - busy))
}

// Leaves is the share of arrivals at M/M/1 that are not served within patience, and leave (M/M/1+D; Barrer 1957). The wait that
// an arrival is offered has density r·p0·exp(-(u-r)x) up to the patience, where only who will be served adds to it, and decays
// as exp(-ux) from there; that all of it is 1 gives p0. It holds above capacity too.
func Leaves(rate, service, patience float64) float64 {
	u := 1 / service
	within := patience // of exp(-(u-rate)x), from 0 to patience
	if u != rate {
		within = -math.Expm1(-(u-rate)*patience) / (u - rate)
	}
	beyond := math.Exp(-(u-rate)*patience) / u
	p0 := 1 / (1 + rate*(within+beyond))
	return rate * p0 * beyond
}

// Bimodal is the example of the SRE book's chapter on cascading failures ("Bimodal latency"): of rate requests a second a share
// hangs until the deadline, and the others take service. It is the share of requests that the threads can take on. With the
// book's numbers, 1000 threads, 1000 requests a second of 100 ms, of which 5 % hang for 100 s, it is 1000/5095 = 19.6 %.
func Bimodal(threads int, rate, service, hang, deadline float64) float64 {
	return min(1, float64(threads)/(rate*(hang*deadline+(1-hang)*service)))
}

// Knee is the longest deadline with which the threads can still take on everything: (1000-95)/50 = 18.1 s with the book's
// numbers. The book does not give it; it follows.
func Knee(threads int, rate, service, hang float64) float64 {
	return (float64(threads)/rate - (1-hang)*service) / hang
}
