package knowledge

import (
	"fmt"
	"go/token"
	"strconv"
	"strings"
)

// ParsePlace reads a place as tables write it: 0, recv, opts, 1.Context(), recv.ctx.
func ParsePlace(text string) (Place, error) {
	base, sel, hasSel := strings.Cut(text, ".")
	p := Place{Sel: sel}
	switch base {
	case "recv":
		p.Kind = Recv
	case "opts":
		p.Kind = Opts
	default:
		n, err := strconv.ParseUint(base, 10, 8)
		if err != nil {
			return Place{}, fmt.Errorf("%q is no place: write a parameter's index from 0 (the receiver not counted), recv or opts, with or without a selector, as 0.Context()", text)
		}
		p.Kind, p.Index = Param, int(n)
	}
	if hasSel && !isSelector(sel) {
		return Place{}, fmt.Errorf("%q is no selector: write a field or a method without arguments, as recv.ctx or 0.Context()", sel)
	}
	return p, nil
}

// String returns the place as tables write it.
func (p Place) String() string {
	var base string
	switch p.Kind {
	case NoPlace:
		return ""
	case Param:
		base = strconv.Itoa(p.Index)
	case Recv:
		base = "recv"
	case Opts:
		base = "opts"
	}
	if p.Sel != "" {
		base += "." + p.Sel
	}
	return base
}

// IsSet reports whether the place names anything.
func (p Place) IsSet() bool { return p.Kind != NoPlace }

// isSelector reports whether text is a chain of fields and of methods without arguments.
func isSelector(text string) bool {
	for part := range strings.SplitSeq(text, ".") {
		if !token.IsIdentifier(strings.TrimSuffix(part, "()")) {
			return false
		}
	}
	return true
}
