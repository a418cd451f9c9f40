package ruletest

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/doneby/doneby/internal/kinds"
)

var (
	advice = regexp.MustCompile(`(?i)\b(should|must|please|consider)\b`)
	// opening is a word in lower case, or a name as the reader would type it.
	opening = regexp.MustCompile(`^(?:[a-z]|\(\*?[a-zA-Z]|[A-Z]\w*[ .(])`)
	// fixOpening is an imperative with a capital.
	fixOpening = regexp.MustCompile(`^[A-Z][a-z]`)
)

// maxMessage is the longest message: the rules allow 100 letters before names are filled in, and names take room.
const maxMessage = 240

// conventions returns how the diagnostic breaks the house's rules for messages.
func conventions(a *analysis.Analyzer, d analysis.Diagnostic) []error {
	errs := wording(d.Message)
	if !opening.MatchString(d.Message) {
		errs = append(errs, errors.New("begins neither in lower case nor with a name"))
	}
	if !d.End.IsValid() || d.End <= d.Pos {
		errs = append(errs, errors.New("has no end position"))
	}
	if d.Category != "" {
		errs = append(errs, fmt.Errorf("has a category, %q", d.Category))
	}
	if kinds.Built(a.Name) {
		u, err := url.Parse(d.URL)
		if err != nil {
			errs = append(errs, err)
		} else if _, ok := kinds.Lookup(a.Name, u.Fragment); !ok {
			errs = append(errs, fmt.Errorf("its URL %q names no kind of the rule", d.URL))
		}
	}
	if len(d.Related) > 3 {
		errs = append(errs, fmt.Errorf("has %d related positions, and three is the most", len(d.Related)))
	}
	for _, f := range d.SuggestedFixes {
		if !fixOpening.MatchString(f.Message) || strings.HasSuffix(f.Message, ".") {
			errs = append(errs, fmt.Errorf("the fix says %q: an imperative with a capital and no period", f.Message))
		}
	}
	return errs
}

func wording(msg string) (errs []error) {
	if strings.HasSuffix(msg, ".") {
		errs = append(errs, errors.New("ends with a period"))
	}
	if w := advice.FindString(msg); w != "" {
		errs = append(errs, fmt.Errorf("gives advice (%q): the cure belongs to the fix", w))
	}
	if len(msg) > maxMessage || strings.ContainsAny(msg, "\n\t") {
		errs = append(errs, errors.New("is too long for a line"))
	}
	return errs
}
