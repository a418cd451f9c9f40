package model

import "time"

// A Variant says which of the means against overload are in use. They are cumulative only where the flags say so.
type Variant struct {
	Name, Text string
	// Clamp: the hop that calls gives each attempt min(T, time left), and makes none once the client's time is up. Without it
	// each attempt has T, whatever became of the client.
	Clamp bool
	// Leave: a call whose caller has given up is taken out of the queue.
	Leave bool
	// Check: the call carries its deadline, and the server looks at it when the call is taken out of the queue.
	Check bool
	// Stop: work that has begun ends at the deadline of the call.
	Stop bool
	// Min is the least time in which the call is of use, for the hop that calls and for the server that takes out of the queue.
	Min time.Duration
	// Tokens: the retries of all requests together have a budget.
	Tokens bool
}

// Variants are the baselines and what package deadline does, in the order in which they add up. MinUseful is the minimum of E
// and F.
func Variants(minUseful time.Duration) []Variant {
	return []Variant{
		{Name: "A", Text: "fixed timeout a call, and nothing travels"},
		{Name: "B", Text: "A, and a call that its caller gave up leaves the queue; work that runs goes on", Leave: true},
		{Name: "B+", Text: "B, and the hop hands on its own context: min(T, time left)", Clamp: true, Leave: true},
		{Name: "G", Text: "the hop alone: min(T, time left), and nothing travels", Clamp: true},
		{Name: "C", Text: "B+, and work that runs is ended too: idiomatic Go over one direct HTTP/2 connection", Clamp: true, Leave: true, Stop: true},
		{Name: "H", Text: "G, and the deadline travels: expired calls are dropped when they are taken out of the queue, and work ends at the deadline. Cancellation travels nowhere", Clamp: true, Check: true, Stop: true},
		{Name: "E", Text: "H, and a minimum useful time: what has less left is not begun", Clamp: true, Check: true, Stop: true, Min: minUseful},
		{Name: "F", Text: "E, and retry tokens: a fifth of the requests, and ten a second, over ten seconds", Clamp: true, Check: true, Stop: true, Min: minUseful, Tokens: true},
	}
}

// Named is the variant of that name. It panics if there is none.
func Named(name string, minUseful time.Duration) Variant {
	for _, v := range Variants(minUseful) {
		if v.Name == name {
			return v
		}
	}
	panic("no variant " + name)
}
