package driver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"honnef.co/go/tools/lintcmd/cache"
)

// CacheVariable is the environment variable that names the directory of the cache.
const CacheVariable = "DONEBY_CACHE"

// entry is what is remembered of one package.
type entry struct {
	Findings []Finding // file names relative to the package's directory: a checkout elsewhere has the same entries
	Facts    []byte
	Exported string // hashes of what importers see, see unit
	Travel   string
}

// A store remembers entries. With a nil cache it remembers nothing.
type store struct {
	cache cache.Cache

	mu     sync.Mutex
	failed error // why an entry could not be written; after that nothing is written any more
}

// openStore opens the cache. When it cannot, it returns a store that remembers nothing, and says why.
func openStore(o Options) (*store, string) {
	if o.NoCache {
		return new(store), ""
	}
	dir, err := cacheDir(o)
	if err == nil {
		err = os.MkdirAll(dir, 0o777)
	}
	if err != nil {
		return new(store), fmt.Sprintf("running without a cache: %v", err)
	}
	c, err := cache.Open(dir)
	if err != nil {
		return new(store), fmt.Sprintf("running without a cache: %v", err)
	}
	return &store{cache: c}, ""
}

// cacheDir returns the directory of the cache: what the options say, or the environment, or the user's cache directory.
func cacheDir(o Options) (string, error) {
	if o.CacheDir != "" {
		return o.CacheDir, nil
	}
	if dir := os.Getenv(CacheVariable); dir != "" {
		if !filepath.IsAbs(dir) {
			return "", fmt.Errorf("%s=%s is not an absolute path", CacheVariable, dir)
		}
		return dir, nil
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("%w; set %s to use one", err, CacheVariable)
	}
	return filepath.Join(dir, "doneby"), nil
}

// get returns the entry under the key, or nil. An entry that cannot be read counts as none: it will be written anew.
func (s *store) get(key cache.ActionID) *entry {
	if s.cache == nil {
		return nil
	}
	data, _, err := cache.GetBytes(s.cache, key)
	if err != nil {
		return nil
	}
	e := new(entry)
	if err := json.Unmarshal(data, e); err != nil {
		return nil
	}
	return e
}

// put remembers the entry. The first failure is kept for notice, and ends the writing.
func (s *store) put(key cache.ActionID, e *entry) {
	if s.cache == nil {
		return
	}
	s.mu.Lock()
	failed := s.failed != nil
	s.mu.Unlock()
	if failed {
		return
	}
	data, err := json.Marshal(e)
	if err == nil {
		_, _, err = s.cache.Put(key, bytes.NewReader(data))
	}
	if err != nil {
		s.mu.Lock()
		s.failed = err
		s.mu.Unlock()
	}
}

// close drops what has not been used for days, and returns what went wrong, as a notice.
func (s *store) close() string {
	if s.cache == nil {
		return ""
	}
	s.cache.Close() // an error here loses nothing
	if s.failed != nil {
		return fmt.Sprintf("the cache cannot be written, so nothing more was remembered: %v", s.failed)
	}
	return ""
}

// relative returns name relative to dir if it lies in or below it.
func relative(dir, name string) string {
	if rel, ok := strings.CutPrefix(name, dir+string(filepath.Separator)); ok {
		return filepath.ToSlash(rel)
	}
	return name
}

// absolute undoes relative.
func absolute(dir, name string) string {
	if name == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, filepath.FromSlash(name))
}
