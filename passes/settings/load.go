package settings

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"github.com/doneby/doneby/internal/knowledge"
)

// An Error is what is wrong with a configuration file, where, and what to do about it.
type Error struct {
	File      string
	Line, Col int // 0 when the file as a whole is meant
	Msg       string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Msg)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Msg)
}

// Load reads the configuration file at path and the tables that it names. What the file does not say is as in Default.
func Load(path string) (*Config, error) {
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("the configuration cannot be read: %w", err)
	}
	return Parse(path, src)
}

// Parse reads a configuration from the text of a file of that name. Tables are looked for relative to the file.
func Parse(name string, src []byte) (*Config, error) {
	src = bytes.TrimPrefix(src, []byte("\ufeff")) // a byte order mark, as editors on Windows write it
	file, err := parser.ParseBytes(src, 0)
	if err != nil {
		return nil, syntaxError(name, err)
	}
	r := &reader{file: name, cfg: Default()}
	if len(file.Docs) > 1 {
		if second := file.Docs[1]; second.Start != nil {
			return nil, r.at(second.Start, "a second document: a configuration is one document; delete the line and join the two")
		}
	}
	for _, doc := range file.Docs {
		if doc.Body == nil {
			continue // an empty file, or only comments
		}
		if err := r.mapping(doc.Body, "the configuration", r.topKey); err != nil {
			return nil, err
		}
	}
	return r.cfg, r.cfg.Check()
}

// syntaxError gives a parser's error the place in the file.
func syntaxError(name string, err error) error {
	var placed interface {
		GetToken() *token.Token
		GetMessage() string
	}
	if errors.As(err, &placed) && placed.GetToken() != nil {
		pos := placed.GetToken().Position
		return &Error{name, pos.Line, pos.Column, "not YAML: " + placed.GetMessage()}
	}
	return &Error{File: name, Msg: "not YAML: " + err.Error()}
}

// A reader fills a Config from a syntax tree, so that every complaint has a line and a column.
type reader struct {
	file string
	cfg  *Config
}

func (r *reader) at(tk *token.Token, format string, args ...any) error {
	return &Error{r.file, tk.Position.Line, tk.Position.Column, fmt.Sprintf(format, args...)}
}

// topKeys lists the keys of the file, topKey reads them.
const topKeys = "rules, audit, tests, own, tables, thresholds, budgets"

func (r *reader) topKey(key *token.Token, value ast.Node) error {
	switch key.Value {
	case "rules":
		return r.list(key.Value, value, r.addRule)
	case "audit":
		return r.flag(key.Value, value, &r.cfg.Audit)
	case "tests":
		return r.flag(key.Value, value, &r.cfg.Tests)
	case "own":
		return r.list(key.Value, value, r.addOwn)
	case "tables":
		return r.list(key.Value, value, r.addTable)
	case "thresholds":
		return r.mapping(value, key.Value, r.threshold)
	case "budgets":
		return r.mapping(value, key.Value, r.budget)
	}
	return r.at(key, "unknown key %q: the keys are %s", key.Value, topKeys)
}

func (r *reader) threshold(key *token.Token, value ast.Node) error {
	if key.Value != "sleep" {
		return r.at(key, "unknown key %q under thresholds: the only key is sleep", key.Value)
	}
	return r.duration("thresholds.sleep", value, &r.cfg.Thresholds.Sleep)
}

func (r *reader) addRule(tk *token.Token, word string) error {
	if _, _, err := parseTerm(word); err != nil {
		return r.at(tk, "%v", err)
	}
	r.cfg.Rules = append(r.cfg.Rules, word)
	return nil
}

func (r *reader) addOwn(tk *token.Token, prefix string) error {
	if prefix == "" || strings.ContainsAny(prefix, " \\*") || strings.Contains(prefix, "...") {
		return r.at(tk, "%q is no import path: write the beginning of one, such as example.com/team, which covers all below it", prefix)
	}
	r.cfg.Own = append(r.cfg.Own, prefix)
	return nil
}

func (r *reader) addTable(tk *token.Token, name string) error {
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(r.file), path)
	}
	src, err := os.ReadFile(path)
	if err != nil {
		return r.at(tk, "table %s cannot be read: %v: correct the path, which is relative to this file", name, errors.Unwrap(err))
	}
	rows, err := knowledge.Parse(path, bytes.NewReader(src))
	if err != nil {
		return err // names the table's own file, line and column
	}
	r.cfg.Tables = append(r.cfg.Tables, name)
	r.cfg.addRows(rows)
	return nil
}
