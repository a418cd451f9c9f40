package plugins

import (
	"bytes"
	"context"
	"log"
	"os/exec"
	"path/filepath"
	"sync"
	"time"
)

type Plugin struct {
	File  string
	Every time.Duration
	Limit time.Duration
}

type result struct {
	out []byte
	err error
}

type scheduler struct {
	p    Plugin
	quit chan struct{}
	done sync.WaitGroup
	emit func([]byte)
}

func start(p Plugin, emit func([]byte)) *scheduler {
	if p.Limit <= 0 {
		p.Limit = p.Every / 2
	}
	s := &scheduler{p: p, quit: make(chan struct{}), emit: emit}
	s.done.Add(1)
	go s.loop()
	return s
}

func (s *scheduler) loop() {
	defer s.done.Done()
	t := time.NewTicker(s.p.Every)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			r := s.once()
			if r.err != nil {
				log.Printf("plugin %s: %v", s.p.File, r.err)
				continue
			}
			s.emit(r.out)
		case <-s.quit:
			return
		}
	}
}

func (s *scheduler) once() result {
	ctx, cancel := context.WithTimeout(context.Background(), s.p.Limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Clean(s.p.File))
	cmd.WaitDelay = time.Second
	var out bytes.Buffer
	cmd.Stdout = &out
	err := cmd.Run()
	return result{out.Bytes(), err}
}

func (s *scheduler) stop() {
	close(s.quit)
	s.done.Wait()
}

// Set runs a set of plugins.
type Set struct{ running []*scheduler }

func (s *Set) Start(ps []Plugin, emit func([]byte)) {
	for _, p := range ps {
		s.running = append(s.running, start(p, emit))
	}
}

func (s *Set) Stop() {
	for _, r := range s.running {
		r.stop()
	}
}
