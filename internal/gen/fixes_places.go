package gen

import (
	"fmt"
	"strings"

	"github.com/doneby/doneby/internal/kinds"
)

// A place is a name that rules share for what they report where it matters less. The defect is that of another kind of the rule,
// and so is the fix: the page says so once, and repeats no program.
type place struct {
	kind string // the name of the kinds
	text string // where it is, and what is different there
}

var places = []place{
	{"embedded", "a statement to a database or store in this process. Its driver ends the statement when its context is done, so that the " +
		"context is to be handed on there too"},
	{"command", "the code of a command at a terminal. What is in reach is the command's own context, `cmd.Context()`, which a signal ends; " +
		"pass it on, with a bound where nobody watches"},
	{"foreign", "a channel that a call of another package gives. Whether somebody reads it is that package's business; that the wait ends " +
		"with the context is this one's"},
	{"abroad", "a function of another package. That is to be handed the context; where it serves many, its callers are better mended with it"},
	{"waived", "a line that is exempt, by `//nolint` or `#nosec`, from another linter that names a part of the same. Mend it, or let the line " +
		"say `//doneby:ignore` and why"},
	{"example", "an example. Readers copy what they see: mend it before the code that was copied from it"},
}

// sharedFixes is the section of the kinds that are named for a place, those of which a rule has no programs of its own.
func sharedFixes(of map[string][]string) string {
	var b strings.Builder
	for _, p := range places {
		rules := of[p.kind]
		if len(rules) == 0 {
			continue
		}
		var links []string
		for _, rule := range rules {
			links = append(links, fmt.Sprintf("[%s](#%s)", rule, rule))
		}
		fmt.Fprintf(&b, "\n- `%s`: %s. In %s.\n", p.kind, p.text, strings.Join(links, ", "))
	}
	if b.Len() == 0 {
		return ""
	}
	return "\n## The same elsewhere\n\nThese kinds are named for where the defect is. It is one of the others of its rule, at the same call and with the\n" +
		"same message, and so is its fix.\n" + b.String()
}

// sharesFix reports whether a kind is named for a place.
func sharesFix(k kinds.Kind) bool {
	for _, p := range places {
		if p.kind == k.Name {
			return true
		}
	}
	return false
}
