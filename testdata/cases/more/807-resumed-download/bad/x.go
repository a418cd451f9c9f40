// Package bad copies objects out of a blob store over unreliable links.
package bad

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

const (
	maxResumes  = 4
	resumePause = 300 * time.Millisecond
)

// Bucket reads objects over HTTP.
type Bucket struct {
	base   string
	client *http.Client
}

// NewBucket returns the bucket at base.
func NewBucket(base string, client *http.Client) *Bucket {
	return &Bucket{base: base, client: client}
}

func (b *Bucket) fetch(ctx context.Context, key string, off int64) (io.ReadCloser, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, b.base+"/"+key, nil)
	if err != nil {
		return nil, err
	}
	want := http.StatusOK
	if off > 0 {
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-", off))
		want = http.StatusPartialContent
	}
	resp, err := b.client.Do(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != want {
		resp.Body.Close()
		return nil, fmt.Errorf("get %s at %d: %s", key, off, resp.Status)
	}
	return resp.Body, nil
}

// Open returns the object's bytes. Reading ends with ctx.
func (b *Bucket) Open(ctx context.Context, key string) (io.ReadCloser, error) {
	body, err := b.fetch(ctx, key, 0)
	if err != nil {
		return nil, err
	}
	return &object{ctx: ctx, bucket: b, key: key, body: body}, nil
}

type object struct {
	ctx     context.Context
	bucket  *Bucket
	key     string
	off     int64
	resumes int
	body    io.ReadCloser
}

// Read implements io.Reader.
func (o *object) Read(p []byte) (int, error) {
	for {
		n, err := o.body.Read(p)
		o.off += int64(n)
		if n > 0 || err == nil || errors.Is(err, io.EOF) {
			if n > 0 && !errors.Is(err, io.EOF) {
				err = nil
			}
			return n, err
		}
		if rerr := o.resume(); rerr != nil {
			return 0, errors.Join(err, rerr)
		}
	}
}

func (o *object) resume() error {
	if o.resumes == maxResumes {
		return errors.New("too many interruptions")
	}
	o.resumes++
	pause := time.NewTimer(resumePause)
	defer pause.Stop()
	select {
	case <-pause.C:
	case <-o.ctx.Done():
		return o.ctx.Err()
	}
	body, err := o.bucket.fetch(context.Background(), o.key, o.off) // BUG(detached)
	if err != nil {
		return err
	}
	o.body.Close()
	o.body = body
	return nil
}

// Close implements io.Closer.
func (o *object) Close() error { return o.body.Close() }

// Proxy hands objects on to clients.
type Proxy struct {
	Bucket *Bucket
	Limit  time.Duration
}

// ServeHTTP implements http.Handler.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), p.Limit)
	defer cancel()
	body, err := p.Bucket.Open(ctx, r.PathValue("key"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer body.Close()
	w.Header().Set("Content-Type", "application/octet-stream")
	_, _ = io.Copy(w, body)
}
