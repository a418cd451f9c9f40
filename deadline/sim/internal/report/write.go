package report

import (
	_ "embed"
	"os"
	"path/filepath"
	"strings"
	"text/template"
)

//go:embed results.tmpl
var page string

// Write writes RESULTS.md into dir, and the plots into a folder of it.
func (f *Findings) Write(dir string) error {
	if err := f.writePlots(filepath.Join(dir, "plots")); err != nil {
		return err
	}
	text, err := f.page()
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "RESULTS.md"), []byte(text), 0o666)
}

func (f *Findings) page() (string, error) {
	t, err := template.New("results").Funcs(template.FuncMap{"share": share, "percent": percent, "ms": ms}).Parse(page)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	if err := t.Execute(&b, f); err != nil {
		return "", err
	}
	return b.String(), nil
}
