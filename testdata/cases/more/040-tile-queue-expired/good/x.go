package tiles

import (
	"errors"
	"sync"
	"time"
)

var ErrBusy = errors.New("queue full")

type Tile struct{ Z, X, Y int }

type request struct {
	tile     Tile
	deadline time.Time
	reply    chan result
}

type result struct {
	png []byte
	err error
}

// Renderer renders one tile; it takes seconds.
type Renderer interface {
	Render(t Tile) ([]byte, error)
}

// Pool renders on a fixed number of workers.
type Pool struct {
	q    chan request
	r    Renderer
	wg   sync.WaitGroup
	once sync.Once
}

func NewPool(r Renderer, workers, depth int) *Pool {
	p := &Pool{q: make(chan request, depth), r: r}
	p.wg.Add(workers)
	for i := 0; i < workers; i++ {
		go p.work()
	}
	return p
}

func (p *Pool) work() {
	defer p.wg.Done()
	for req := range p.q {
		if time.Now().After(req.deadline) {
			req.reply <- result{err: errors.New("expired in queue")}
			continue
		}
		png, err := p.r.Render(req.tile)
		req.reply <- result{png, err}
	}
}

// Get renders a tile within limit.
func (p *Pool) Get(t Tile, limit time.Duration) ([]byte, error) {
	req := request{tile: t, deadline: time.Now().Add(limit), reply: make(chan result, 1)}
	select {
	case p.q <- req:
	default:
		return nil, ErrBusy
	}
	tm := time.NewTimer(limit)
	defer tm.Stop()
	select {
	case r := <-req.reply:
		return r.png, r.err
	case <-tm.C:
		return nil, errors.New("too late")
	}
}

func (p *Pool) Close() {
	p.once.Do(func() { close(p.q) })
	p.wg.Wait()
}
