package shape

import (
	"time"

	"github.com/doneby/doneby/deadline/sim/internal/model"
)

// A Queued is a discipline of the queue at one load, under one law, with and without deadlines.
type Queued struct {
	Discipline, Law string
	A, C, E         Cell
}

// QueueLoad is the load that the disciplines are compared at.
const QueueLoad = 1.5

// Queues compares the disciplines. Who is turned away at once waits a little before the next attempt, or all three would meet the
// same full queue: a random pause below 50 ms, then below 100 ms, for all of them.
func Queues(s Scale) []Queued {
	var configs []model.Config
	var out []Queued
	for _, law := range Laws() {
		for _, d := range Disciplines() {
			out = append(out, Queued{Discipline: d.Name, Law: law.Name})
			for _, v := range []string{"A", "C", "E"} {
				c := base(model.Named(v, Mean), law, QueueLoad)
				c.Queue, c.Backoff = d, 50*time.Millisecond
				c.Warm, c.Length = s.Warm, s.Length
				configs = append(configs, c)
			}
		}
	}
	all := cells(configs, s.Seeds)
	for i := range out {
		out[i].A, out[i].C, out[i].E = all[3*i], all[3*i+1], all[3*i+2]
	}
	return out
}
