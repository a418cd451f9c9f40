package gitsrv

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
)

type runner struct {
	bin string
	env []string
}

func (r *runner) output(ctx context.Context, dir string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, r.bin, args...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), r.env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s %s: %w: %s", r.bin, args[0], err, strings.TrimSpace(errs.String()))
	}
	return out.Bytes(), nil
}

// Server hands out archives of repositories.
type Server struct {
	root string
	git  *runner
}

func NewServer(root string) *Server {
	return &Server{root: root, git: &runner{bin: "git", env: []string{"GIT_TERMINAL_PROMPT=0"}}}
}

func (s *Server) archive(ctx context.Context, repo, ref string) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	dir := filepath.Join(s.root, filepath.Clean("/"+repo))
	return s.git.output(ctx, dir, "archive", "--format=tar.gz", ref)
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	data, err := s.archive(r.Context(), r.PathValue("repo"), r.PathValue("ref"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/gzip")
	w.Write(data)
}
