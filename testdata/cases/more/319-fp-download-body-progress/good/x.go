package download

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
)

// Progress hears how much has come.
type Progress func(done, total int64)

type counter struct {
	io.Reader
	done, total int64
	tell        Progress
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.done += int64(n)
	c.tell(c.done, c.total)
	return n, err
}

// Fetcher downloads files that may be large: the request's context ends a
// download, not a limit of the client.
type Fetcher struct {
	hc  *http.Client
	dir string
}

// New keeps files in dir.
func New(dir string) *Fetcher {
	tr := http.DefaultTransport.(*http.Transport).Clone()
	return &Fetcher{hc: &http.Client{Transport: tr}, dir: dir}
}

var errSum = errors.New("checksum differs")

func (f *Fetcher) open(ctx context.Context, url string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	res, err := f.hc.Do(req)
	if err != nil {
		return nil, err
	}
	if res.StatusCode != http.StatusOK {
		res.Body.Close()
		return nil, fmt.Errorf("%s: %s", url, res.Status)
	}
	return res, nil
}

// Fetch downloads one file and checks its sum.
func (f *Fetcher) Fetch(ctx context.Context, url, sum string, tell Progress) (name string, err error) {
	res, err := f.open(ctx, url)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	tmp, err := os.CreateTemp(f.dir, "part-*")
	if err != nil {
		return "", err
	}
	defer os.Remove(tmp.Name())
	defer tmp.Close()
	h := sha256.New()
	body := &counter{Reader: res.Body, total: res.ContentLength, tell: tell}
	if _, err := io.Copy(io.MultiWriter(tmp, h), body); err != nil {
		return "", err
	}
	if hex.EncodeToString(h.Sum(nil)) != sum {
		return "", errSum
	}
	name = filepath.Join(f.dir, sum)
	return name, os.Rename(tmp.Name(), name)
}
