package driver

import (
	"context"
	"runtime"
	"sync"
)

// schedule runs all units, each after its dependencies, as many at a time as there are processors. When ctx ends, what
// has begun is finished, so that the cache is whole, and nothing more is begun.
func (r *run) schedule(ctx context.Context) error {
	waiting := make(map[*unit]int)
	dependents := make(map[*unit][]*unit)
	ready := make(chan *unit, len(r.order))
	for _, u := range r.order {
		waiting[u] = len(u.deps)
		for _, dep := range u.deps {
			dependents[dep] = append(dependents[dep], u)
		}
		if len(u.deps) == 0 {
			ready <- u
		}
	}
	progress := startProgress(r.o.Progress, len(r.order))
	defer progress.stop()
	todo := len(r.order) - r.breakCycles(waiting, dependents)
	if todo == 0 {
		return ctx.Err()
	}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), todo) {
		//doneby:ignore deafwait ready has room for every unit, and whoever takes the last one closes it: no wait outlasts the work that has begun
		wg.Go(func() {
			for u := range ready {
				if ctx.Err() == nil {
					r.work(u)
				}
				progress.done()
				mu.Lock()
				for _, d := range dependents[u] {
					if waiting[d]--; waiting[d] == 0 {
						ready <- d
					}
				}
				if todo--; todo == 0 {
					close(ready)
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}

// breakCycles takes out the units that never become ready, because they import each other. It returns how many.
func (r *run) breakCycles(waiting map[*unit]int, dependents map[*unit][]*unit) int {
	left := make(map[*unit]int, len(waiting))
	var queue []*unit
	for _, u := range r.order {
		if left[u] = waiting[u]; left[u] == 0 {
			queue = append(queue, u)
		}
	}
	for i := 0; i < len(queue); i++ {
		for _, d := range dependents[queue[i]] {
			if left[d]--; left[d] == 0 {
				queue = append(queue, d)
			}
		}
	}
	for _, u := range r.order {
		if left[u] > 0 {
			msg := "not analysed because it is in an import cycle, or imports one"
			if u.Error != nil {
				msg = where(u.Error) + firstLine(u.Error.Err)
			}
			u.fail(Problem{Package: u.ImportPath, Message: msg})
		}
	}
	return len(r.order) - len(queue)
}
