// Package deadline gives each request one deadline, and each call below it no more than the time that is left.
//
// A timeout belongs to one operation; a deadline belongs to the request, and only the deadline composes. At each hop
//
//	remaining = deadline - now
//
// and if that is less than a call needs to be of use, the call is refused before it starts; otherwise it gets
//
//	min(cap, remaining - reserve)
//
// where the cap is a safety net that knows how long this dependency can take, and the reserve is the slice that this hop
// keeps for itself: to answer, to clean up, or only to fail properly. A [Policy] holds those numbers, once per dependency;
// [Policy.Do] and [Policy.Start] apply them. [Within], [Hold] and [Share] are policies of one number each.
//
// Calls in parallel start from the same context and so get the same time each; calls in sequence get what is left.
//
// # What a deadline does not do
//
// It stops nothing by itself. It says when; the context's subtree says what. Each wait below must listen to its context.
// [Detach] and [Grace] are for the work that goes on after the request, and give it an end of its own.
//
// # Time
//
// All arithmetic within a process is on the monotonic clock, which a change of the wall clock does not move and which counts
// the time spent waiting. Between machines the remaining duration travels. What comes from outside only ever shortens.
//
// # Errors
//
// What this package refuses or gives up is an [*Error]: it is both context.DeadlineExceeded and the last real error, so that
// errors.Is finds either. A caller that went away is context.Canceled, never an Error, and no deadline event.
//
// # Tests
//
// There is no clock to replace. testing/synctest makes time, timers and the deadlines of contexts go together; a clock of our
// own beside contexts that follow the real one would go wrong.
//
// The package needs nothing but the standard library, so a service that imports it inherits nothing.
package deadline
