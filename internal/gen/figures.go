package gen

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Figures is the folder of the committed results, from the top of the repository. Each is what a program printed, under a
// header that says from what:
//
//	# inputs: internal/knowledge/... passes/... testdata/cases/...
//	# made by: make cases
//	# hash: 5d41402abc4b2a76
//
// In a document the header is a comment, between <!-- and -->. Documents that are results are listed in Pages.
//
// Inputs are files as package path matches them, or a folder and /... for all Go source and data below it. Tests, pages and
// hidden files are none: they change no result. A result whose inputs have another hash is stale, and CI fails.
const Figures = "docs/figures"

// Pages are the committed results that are documents.
var Pages = []string{"deadline/sim/RESULTS.md"}

// Stamp returns the header for a result: the caller writes it above what it printed. The command is what makes the result
// anew, and inputs is what it depends on, both as the header shows them.
func Stamp(root, command string, inputs ...string) (string, error) {
	sum, err := hash(os.DirFS(root), inputs)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("# inputs: %s\n# made by: %s\n# hash: %s\n", strings.Join(inputs, " "), command, sum), nil
}

// StampFile puts the header onto a committed result, in the place of the one it has.
func StampFile(root, name, command string, inputs ...string) error {
	stamp, err := Stamp(root, command, inputs...)
	if err != nil {
		return err
	}
	file := filepath.Join(root, filepath.FromSlash(name))
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	head, end := regexp.MustCompile(`\A(# (inputs|made by|hash): [^\n]*\n)+`), ""
	if path.Ext(name) == ".md" {
		stamp, end = "<!--\n"+stamp, "-->\n"
		head = regexp.MustCompile(`\A<!--\n(# (inputs|made by|hash): [^\n]*\n)+-->\n`)
	}
	return os.WriteFile(file, append([]byte(stamp+end), head.ReplaceAll(text, nil)...), 0o666)
}

// Stale returns a sentence for each committed result that no longer belongs to its inputs, or does not say what they are.
func Stale(root string) ([]string, error) {
	files := os.DirFS(root)
	names, err := fs.Glob(files, path.Join(Figures, "*.txt"))
	if err != nil {
		return nil, err
	}
	for _, page := range Pages {
		found, err := fs.Glob(files, page)
		if err != nil {
			return nil, err
		}
		names = append(names, found...)
	}
	var stale []string
	for _, name := range names {
		why, err := staleness(files, name)
		if err != nil {
			return nil, err
		}
		if why != "" {
			stale = append(stale, name+": "+why)
		}
	}
	return stale, nil
}

// staleness says why a result is stale, or "".
func staleness(root fs.FS, name string) (string, error) {
	f, err := root.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	head, err := header(f)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	for _, key := range []string{"inputs", "made by", "hash"} {
		if head[key] == "" {
			return fmt.Sprintf("its header has no line %q: write it with gen.Stamp", "# "+key+": …"), nil
		}
	}
	sum, err := hash(root, strings.Fields(head["inputs"]))
	if err != nil {
		return err.Error() + ": correct its inputs", nil
	}
	if sum != head["hash"] {
		return fmt.Sprintf("its inputs have changed (%s, now %s): run %s and read the difference", head["hash"], sum, head["made by"]), nil
	}
	return "", nil
}

// header reads the lines "# key: value" at the top, in a comment or not.
func header(r io.Reader) (map[string]string, error) {
	head := make(map[string]string)
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		text, ok := strings.CutPrefix(lines.Text(), "# ")
		if lines.Text() == "<!--" && len(head) == 0 {
			continue
		}
		if !ok {
			break
		}
		if key, value, ok := strings.Cut(text, ": "); ok {
			head[key] = strings.TrimSpace(value)
		}
	}
	return head, lines.Err()
}

// hash returns a short hash of the names and contents of the inputs.
func hash(root fs.FS, inputs []string) (string, error) {
	var names []string
	for _, in := range inputs {
		found, err := expand(root, in)
		if err != nil {
			return "", fmt.Errorf("input %s: %w", in, err)
		}
		if len(found) == 0 {
			return "", fmt.Errorf("input %s names no file", in)
		}
		names = append(names, found...)
	}
	slices.Sort(names)
	h := sha256.New()
	for _, name := range slices.Compact(names) {
		data, err := fs.ReadFile(root, name)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%s %x\n", name, sha256.Sum256(data))
	}
	return hex.EncodeToString(h.Sum(nil))[:16], nil
}

// expand lists the files that an input names.
func expand(root fs.FS, input string) ([]string, error) {
	dir, tree := strings.CutSuffix(input, "/...")
	if !tree {
		return fs.Glob(root, input)
	}
	var names []string
	err := fs.WalkDir(root, dir, func(name string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && name == dir {
			return nil // hash says that nothing is named
		}
		if err != nil {
			return err
		}
		hidden := strings.HasPrefix(d.Name(), ".") && name != dir
		switch {
		case hidden && d.IsDir():
			return fs.SkipDir
		case d.IsDir(), hidden, strings.HasSuffix(name, "_test.go"), strings.HasSuffix(name, ".md"):
			return nil
		}
		names = append(names, name)
		return nil
	})
	return names, err
}
