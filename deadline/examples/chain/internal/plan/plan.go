// Package plan has the numbers of the chain. All three variants use the same.
//
// The times are those of the story in the README, divided by [Scale], so that a run takes seconds and not minutes.
package plan

import "time"

// Scale is what the times of the story are divided by.
const Scale = 20

// What each hop allows. Each number is reasonable; together A may take 5.5 s and 4.6 s where the browser waits for 10 s.
const (
	Patience  = 10 * time.Second / Scale        // the browser's, and so the gateway's: 500 ms
	CallLimit = 5500 * time.Millisecond / Scale // A's, for one attempt at B or at C: 275 ms
	OwnLimit  = 4600 * time.Millisecond / Scale // A's, to get at its own work: 230 ms
	ReadLimit = 2 * time.Second / Scale         // for a query: 100 ms
)

// Attempts is how often A asks B and C, and Pause what it waits in between.
const (
	Attempts = 3
	Pause    = 500 * time.Millisecond / Scale // 25 ms
)

// What the work takes.
const (
	Query = 12 * time.Millisecond // in the database
	Look  = 20 * time.Millisecond // at B and at C, their query included
	Page  = 15 * time.Millisecond // at A
)

// How much of it runs at a time.
const (
	WorkersOfA  = 8
	WorkersOfB  = 2 // the bottleneck
	WorkersOfC  = 6
	Connections = 8 // to the database
)

// Capacity is what the chain can do, in requests a second: B has two workers, and a request holds one for 20 ms.
const Capacity = WorkersOfB * float64(time.Second) / float64(Look)

// What the variant after keeps and asks for. It is about twice what the work takes, since two cores are shared with everything
// else that runs.
const (
	Answer   = 5 * time.Millisecond  // each hop keeps this to answer
	NeedRead = 15 * time.Millisecond // a query
	NeedBC   = 30 * time.Millisecond // B, or C
	NeedPage = 25 * time.Millisecond // A's own work
	NeedA    = NeedBC + NeedPage + 2*Answer
)
