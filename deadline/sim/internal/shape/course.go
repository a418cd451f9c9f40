package shape

import (
	"time"

	"github.com/doneby/doneby/deadline/sim/internal/model"
)

// A Course is how a variant fares while the load changes. Its bins hold all seeds together.
type Course struct {
	Cell
	Law  string
	Bins []model.Bin
	// Back is how long after the change it took until nine in ten of what could be had was had, for good; Never if it was not.
	Back time.Duration
	// During and End are the success while the load was high, and at the end.
	During, End float64
}

// Never is that something does not happen while it is watched.
const Never = model.Never

// courses runs configs whose load changes.
func courses(configs []model.Config, seeds int) []Course {
	var out []Course
	for i, results := range runs(configs, seeds) {
		c := Course{Cell: cell(configs[i], results), Law: configs[i].Law.Name, Bins: make([]model.Bin, len(results[0].Course))}
		for _, r := range results {
			for j, b := range r.Course {
				c.Bins[j].Requests += b.Requests
				c.Bins[j].InTime += b.InTime
				c.Bins[j].Answers += b.Answers
			}
		}
		out = append(out, c)
	}
	return out
}

// success is the share of the requests of the bins that were answered in time.
func success(bins []model.Bin) float64 {
	var all model.Bin
	for _, b := range bins {
		all.Requests += b.Requests
		all.InTime += b.InTime
	}
	return all.Success()
}

// back is the time from the first bin until good holds for all that follow.
func back(bins []model.Bin, width time.Duration, good func(model.Bin) bool) time.Duration {
	for i := len(bins) - 1; i >= 0; i-- {
		if !good(bins[i]) {
			if i == len(bins)-1 {
				return Never
			}
			return time.Duration(i+1) * width
		}
	}
	return 0
}
