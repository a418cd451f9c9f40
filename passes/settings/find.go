package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

const (
	// FileName is the name of the configuration file.
	FileName = ".doneby.yaml"
	// Variable is the environment variable that names a configuration file, before any that Find would see.
	Variable = "DONEBY_CONFIG"
)

func configVariable() string { return os.Getenv(Variable) }

// Find returns the path of the configuration file for a run in dir: the one that DONEBY_CONFIG names; otherwise the one
// beside go.work, or where no workspace is in force beside the nearest go.mod, at dir or above it. It returns "" where there
// is none, which is no error. Files in other directories are not read: a run from a subdirectory must not find other settings.
func Find(dir string) (path string, err error) {
	dir, err = filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if named := configVariable(); named != "" {
		if !filepath.IsAbs(named) {
			named = filepath.Join(dir, named)
		}
		if ok, err := isFile(named); err != nil || !ok {
			return "", fmt.Errorf("%s names %s, which is no file that can be read: correct it or unset it", Variable, named)
		}
		return named, nil
	}
	root, err := root(dir)
	if root == "" || err != nil {
		return "", err
	}
	path = filepath.Join(root, FileName)
	if ok, err := isFile(path); err != nil || !ok {
		return "", err
	}
	return path, nil
}

// root returns the directory of the workspace, or else of the module, that dir belongs to, or "".
func root(dir string) (string, error) {
	switch work := os.Getenv("GOWORK"); work {
	case "":
		if found, err := above(dir, "go.work"); found != "" || err != nil {
			return found, err
		}
	case "off":
	default:
		return filepath.Dir(work), nil
	}
	return above(dir, "go.mod")
}

// above returns the nearest directory at or above dir that holds a file of that name, or "".
func above(dir, name string) (string, error) {
	for {
		ok, err := isFile(filepath.Join(dir, name))
		if err != nil {
			return "", err
		}
		if ok {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", nil
		}
		dir = parent
	}
}

// isFile reports whether path is a file. That it does not exist is no error; that it cannot be looked at is one.
func isFile(path string) (bool, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return !info.IsDir(), nil
}
