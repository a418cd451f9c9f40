// Package journal replays a journal file into an index at start-up.
package journal

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
)

// Entry is one line of the journal.
type Entry struct {
	Seq uint64          `json:"seq"`
	Op  string          `json:"op"`
	Arg json.RawMessage `json:"arg"`
}

// Index is kept in memory.
type Index interface {
	Apply(e Entry) error
}

// Journal is a directory of segments.
type Journal struct {
	dir  string
	last uint64
}

func Open(dir string) *Journal { return &Journal{dir: dir} }

func (j *Journal) segments() ([]string, error) {
	names, err := filepath.Glob(filepath.Join(j.dir, "*.jsonl"))
	sort.Strings(names)
	return names, err
}

// Replay applies every segment in order.
func (j *Journal) Replay(ctx context.Context, ix Index) error {
	names, err := j.segments()
	if err != nil {
		return err
	}
	for _, n := range names {
		if err := j.replay(ctx, n, ix); err != nil {
			return fmt.Errorf("%s: %w", n, err)
		}
	}
	return nil
}

func (j *Journal) replay(ctx context.Context, name string, ix Index) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		select {
		case <-ctx.Done():
			return ctx.Err()
		default:
		}
		var e Entry
		if err := json.Unmarshal(sc.Bytes(), &e); err != nil {
			return err
		}
		if e.Seq <= j.last {
			continue
		}
		if err := ix.Apply(e); err != nil {
			return err
		}
		j.last = e.Seq
	}
	return sc.Err()
}
