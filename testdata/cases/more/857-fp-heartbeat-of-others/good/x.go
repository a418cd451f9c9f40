// Package good watches the agents of a host through files they write.
package good

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// beat is the content of an agent's file.
type beat struct {
	PID    int    `json:"pid"`
	Host   string `json:"host"`
	AtUnix int64  `json:"at"`
}

// Agent writes its beat once per interval.
type Agent struct {
	Dir  string
	Name string
	Host string
}

// Beat replaces the agent's file.
func (a *Agent) Beat() error {
	raw, err := json.Marshal(beat{PID: os.Getpid(), Host: a.Host, AtUnix: time.Now().UTC().Unix()})
	if err != nil {
		return err
	}
	final := filepath.Join(a.Dir, a.Name+".beat")
	if err := os.WriteFile(final+".new", raw, 0o644); err != nil {
		return err
	}
	return os.Rename(final+".new", final)
}

// Supervisor runs in a process of its own.
type Supervisor struct {
	dir     string
	maxAge  time.Duration
	grace   time.Duration
	started time.Time
}

// NewSupervisor reports no agent as lost before grace is over.
func NewSupervisor(dir string, maxAge, grace time.Duration) *Supervisor {
	return &Supervisor{dir: dir, maxAge: maxAge, grace: grace, started: time.Now()}
}

// Lost returns the agents whose last beat is too old.
func (s *Supervisor) Lost() ([]string, error) {
	if time.Since(s.started) < s.grace {
		return nil, nil
	}
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return nil, err
	}
	var lost []string
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".beat")
		if !ok {
			continue
		}
		b, err := s.read(e.Name())
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			log.Printf("agent %s: %v", name, err)
			lost = append(lost, name)
			continue
		}
		if s.age(b) > s.maxAge {
			lost = append(lost, fmt.Sprintf("%s (pid %d on %s)", name, b.PID, b.Host))
		}
	}
	return lost, nil
}

func (s *Supervisor) age(b *beat) time.Duration {
	last := time.Unix(b.AtUnix, 0)
	return time.Now().UTC().Sub(last)
}

func (s *Supervisor) read(name string) (*beat, error) {
	raw, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil {
		return nil, err
	}
	b := new(beat)
	if err := json.Unmarshal(raw, b); err != nil {
		return nil, err
	}
	return b, nil
}
