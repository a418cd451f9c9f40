package gen

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/doneby/doneby/analyzers"
	"github.com/doneby/doneby/internal/kinds"
)

// Documents returns the documents with generated parts, by their names below root, as they ought to be.
func Documents(root string) (map[string]string, error) {
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		return nil, err
	}
	output, err := os.ReadFile(filepath.Join(root, "testdata", "demo", "output.txt"))
	if err != nil {
		return nil, err
	}
	text := string(readme)
	for name, part := range map[string]string{"rules": table(), "demo": example(string(output))} {
		if text, err = between(text, name, part); err != nil {
			return nil, fmt.Errorf("README.md: %w", err)
		}
	}
	fixes, err := fixesPage(root)
	if err != nil {
		return nil, err
	}
	return map[string]string{"README.md": text, "docs/rules.md": rulesPage(), "docs/fixes.md": fixes}, nil
}

// between replaces what stands between the comments <!-- name --> and <!-- /name -->.
func between(text, name, part string) (string, error) {
	open, shut := "<!-- "+name+" -->\n", "<!-- /"+name+" -->"
	before, rest, ok := strings.Cut(text, open)
	_, after, ok2 := strings.Cut(rest, shut)
	if !ok || !ok2 {
		return "", fmt.Errorf("there is no %s … %s", strings.TrimSpace(open), shut)
	}
	return before + open + part + shut + after, nil
}

// rules returns the rules that are built, by name in the order in which they speak. What a rule says of itself is its
// Analyzer.Doc, which its test holds against its README.
func rules() []*analysis.Analyzer {
	byName := map[string]*analysis.Analyzer{}
	for _, a := range analyzers.All {
		byName[a.Name] = a
	}
	var out []*analysis.Analyzer
	for _, name := range kinds.Rules {
		if a := byName[name]; a != nil && kinds.Built(name) {
			out = append(out, a)
		}
	}
	return out
}

// unbuilt returns the names of the rules to come, as prose.
func unbuilt() string {
	var names []string
	for _, name := range kinds.Rules {
		if !kinds.Built(name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// table is the table of rules for the top README.
func table() string {
	var b strings.Builder
	b.WriteString("| rule | reports | by default |\n|---|---|---|\n")
	for _, a := range rules() {
		title, _, _ := strings.Cut(a.Doc, "\n")
		fmt.Fprintf(&b, "| [%s](analyzers/%[1]s) | %s | %s |\n", a.Name, strings.TrimPrefix(title, "report "), byDefault(a.Name))
	}
	if names := unbuilt(); names != "" {
		fmt.Fprintf(&b, "\nTo come: %s.\n", names)
	}
	return b.String()
}

// byDefault says how many of a rule's kinds are on.
func byDefault(rule string) string {
	gate, all := 0, 0
	for _, k := range kinds.All {
		if k.Rule == rule {
			all++
			if k.Tier() == kinds.Gate {
				gate++
			}
		}
	}
	switch gate {
	case 0:
		return "off"
	case all:
		return "on"
	}
	return fmt.Sprintf("%d of %d kinds", gate, all)
}

// rulesPage is docs/rules.md.
func rulesPage() string {
	var b strings.Builder
	b.WriteString("# Rules\n\nGenerated from the rules and `internal/kinds`: `go test ./internal/gen -update`.\n\n" +
		"A kind of the *gate* tier is on by default. A kind of the *audit* tier is off until asked for, with `-audit` or by name\n" +
		"(`-rules +detached/component`): its precision is not measured yet, or it is a matter of opinion.\n")
	for _, a := range rules() {
		title, why, _ := strings.Cut(a.Doc, "\n\n")
		fmt.Fprintf(&b, "\n## [%s](../analyzers/%[1]s/README.md)\n\n%s.\n", a.Name, strings.ToUpper(title[:1])+title[1:])
		if why != "" {
			fmt.Fprintf(&b, "\n%s\n", strings.TrimSpace(why))
		}
		b.WriteString("\n| kind | tier | since | names |\n|---|---|---|---|\n")
		for _, k := range kinds.All {
			if k.Rule == a.Name {
				fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", k, k.Tier(), k.Since, k.Why)
			}
		}
	}
	if names := unbuilt(); names != "" {
		fmt.Fprintf(&b, "\n## To come\n\n%s: the names are known from the start, so that a configuration may use them.\n", names)
	}
	return b.String()
}

// example is the command and the findings at the top of the demo's output, as a block.
func example(output string) string {
	said, _, _ := strings.Cut(output, "\n\n")
	return "```text\n" + strings.TrimSpace(said) + "\n```\n"
}
