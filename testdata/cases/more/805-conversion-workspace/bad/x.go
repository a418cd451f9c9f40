// Package bad merges uploaded documents by external converters.
package bad

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"mime/multipart"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// Engine turns input files into one output file.
type Engine interface {
	Merge(ctx context.Context, output string, inputs []string) error
}

// QPDF runs the command line tool, a few at a time.
type QPDF struct {
	Bin   string
	Slots chan struct{}
}

// Merge implements Engine.
func (q *QPDF) Merge(ctx context.Context, output string, inputs []string) error {
	select {
	case q.Slots <- struct{}{}:
		defer func() { <-q.Slots }()
	case <-ctx.Done():
		return ctx.Err()
	}
	args := append([]string{"--empty", "--pages"}, inputs...)
	cmd := exec.CommandContext(ctx, q.Bin, append(args, "--", output)...)
	cmd.WaitDelay = time.Second
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("merge: %w: %.200s", err, out)
	}
	return nil
}

// job is the working set of one conversion; it serves as the context of all
// its steps.
type job struct {
	context.Context
	cancel context.CancelFunc
	dir    string
	inputs []string
}

// API is the HTTP front of the converters.
type API struct {
	Engine  Engine
	Limit   time.Duration
	MaxBody int64
}

func (a *API) newJob(w http.ResponseWriter, r *http.Request) (*job, error) {
	r.Body = http.MaxBytesReader(w, r.Body, a.MaxBody)
	if err := r.ParseMultipartForm(8 << 20); err != nil {
		return nil, err
	}
	defer r.MultipartForm.RemoveAll()
	dir, err := os.MkdirTemp("", "job-")
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), a.Limit) // BUG(detached)
	j := &job{Context: ctx, cancel: cancel, dir: dir}
	for i, fh := range r.MultipartForm.File["files"] {
		if err := j.add(fmt.Sprintf("%04d.pdf", i), fh); err != nil {
			j.close()
			return nil, err
		}
	}
	if len(j.inputs) == 0 {
		j.close()
		return nil, errors.New("no files")
	}
	return j, nil
}

func (j *job) add(name string, fh *multipart.FileHeader) error {
	src, err := fh.Open()
	if err != nil {
		return err
	}
	defer src.Close()
	path := filepath.Join(j.dir, name)
	dst, err := os.Create(path)
	if err != nil {
		return err
	}
	if _, err := io.Copy(dst, src); err != nil {
		dst.Close()
		return err
	}
	j.inputs = append(j.inputs, path)
	return dst.Close()
}

func (j *job) close() {
	j.cancel()
	if err := os.RemoveAll(j.dir); err != nil {
		log.Printf("job: %v", err)
	}
}

// Merge answers POST /merge.
func (a *API) Merge(w http.ResponseWriter, r *http.Request) {
	j, err := a.newJob(w, r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	defer j.close()
	output := filepath.Join(j.dir, "out.pdf")
	if err := a.Engine.Merge(j, output, j.inputs); err != nil {
		status := http.StatusInternalServerError
		if errors.Is(err, context.DeadlineExceeded) {
			status = http.StatusServiceUnavailable
		}
		http.Error(w, err.Error(), status)
		return
	}
	http.ServeFile(w, r, output)
}
