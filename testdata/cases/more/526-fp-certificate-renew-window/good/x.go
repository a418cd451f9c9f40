package certs

import (
	"crypto/x509"
	"database/sql"
	"encoding/pem"
	"errors"
	"os"
	"time"
)

type Watch struct {
	path  string
	ahead time.Duration
	db    *sql.DB
	now   func() time.Time
}

func NewWatch(path string, db *sql.DB) *Watch {
	return &Watch{path: path, db: db, ahead: 30 * 24 * time.Hour, now: time.Now}
}

func (w *Watch) leaf() (*x509.Certificate, error) {
	raw, err := os.ReadFile(w.path)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(raw)
	if block == nil {
		return nil, errors.New("no PEM block")
	}
	return x509.ParseCertificate(block.Bytes)
}

// Due says whether the certificate should be renewed, and what is left of it.
func (w *Watch) Due() (bool, time.Duration, error) {
	leaf, err := w.leaf()
	if err != nil {
		return false, 0, err
	}
	left := leaf.NotAfter.UTC().Sub(w.now().UTC())
	return left < w.ahead, left, nil
}

type Token struct {
	ID      string
	Expires time.Time
}

func (t Token) Live() bool { return time.Now().UTC().Before(t.Expires) }

func parseToken(id string, unix int64) Token {
	return Token{ID: id, Expires: time.Unix(unix, 0)}
}

// Select keeps the tokens that are still good.
func Select(rows map[string]int64) (out []Token) {
	for id, unix := range rows {
		if t := parseToken(id, unix); t.Live() && time.Until(t.Expires) > time.Minute {
			out = append(out, t)
		}
	}
	return out
}
