package knowledge

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// grammar says what may and must stand beside a verb.
type grammar struct {
	keys, flags []string
	needs       []string // one of these must be there
}

func (g grammar) allows(word string) bool {
	return slices.Contains(g.keys, word) || slices.Contains(g.flags, word)
}

// missing names what the verb needs and the row lacks.
func (g grammar) missing(seen map[string]bool) string {
	if len(g.needs) == 0 || slices.ContainsFunc(g.needs, func(k string) bool { return seen[k] }) {
		return ""
	}
	return strings.Join(g.needs, " or ")
}

func with(keys, flags, needs string) grammar {
	return grammar{strings.Fields(keys), strings.Fields(flags), strings.Fields(needs)}
}

// grammars lists the verbs. A key that means nothing beside a verb is refused there: it would be read by nobody.
var grammars = map[Verb]grammar{
	Waits:   with("ctx default field for func joined network on result unless until use within", "io life local lookup meant memory never once prepares process recv retry", ""),
	Sleeps:  with("ctx for unless use", "", "for"),
	Roots:   with("result unless use", "life never", ""),
	Derives: with("ctx default field result unless until use within", "life never recv", "ctx recv"),
	Drops:   with("ctx result unless until use within", "life never recv", "ctx recv"),
	Binds:   with("ctx default field func on result unless until use within", "io life memory never recv", ""),
	Bounds:  with("ctx default field func on result unless until within", "recv", "ctx default field func until within"),
	Carries: with("ctx field result unless use", "life never recv", ""),
	Spawns:  with("ctx for func joined result unless use", "life never once recv retry", "func"),
	Calls:   with("ctx default field for func joined on result unless until use within", "life local never once recv retry", "func"),
	Enters:  with("ctx func result type unless use", "life never recv", ""),
	Exits:   with("unless", "", ""),
	None:    with("for func result unless use", "once opens", ""),
}

func verbs() []string {
	var names []string
	for v := range grammars {
		names = append(names, string(v))
	}
	slices.Sort(names)
	return names
}

// flags leads from a flag to the field that it sets.
var flags = map[string]func(*Row) *bool{
	"io":       func(r *Row) *bool { return &r.IO },
	"life":     func(r *Row) *bool { return &r.Life },
	"local":    func(r *Row) *bool { return &r.Local },
	"lookup":   func(r *Row) *bool { return &r.Lookup },
	"process":  func(r *Row) *bool { return &r.Process },
	"meant":    func(r *Row) *bool { return &r.Meant },
	"memory":   func(r *Row) *bool { return &r.Memory },
	"never":    func(r *Row) *bool { return &r.Never },
	"opens":    func(r *Row) *bool { return &r.Opens },
	"prepares": func(r *Row) *bool { return &r.Prepares },
	"once":     func(r *Row) *bool { return &r.Once },
	"recv":     func(r *Row) *bool { return &r.ByRecv },
	"retry":    func(r *Row) *bool { return &r.Retry },
}

// key reads a value; example is shown to who left the value out.
type key struct {
	example string
	read    func(*Row, string) error
}

// keys lists the keys.
var keys = map[string]key{
	"ctx":     {"0", place(func(r *Row) *Place { return &r.Ctx })},
	"within":  {"1", place(func(r *Row) *Place { return &r.Within })},
	"network": {"0", place(func(r *Row) *Place { return &r.Network })},
	"until":   {"1", place(func(r *Row) *Place { return &r.Until })},
	"for":     {"0", place(func(r *Row) *Place { return &r.For })},
	"func":    {"0", place(func(r *Row) *Place { return &r.Func })},
	"use":     {"import/path.NameContext", name(func(r *Row) *string { return &r.Use })},
	"joined":  {"(*import/path.T).Wait", name(func(r *Row) *string { return &r.Joined })},
	"type":    {"import/path.T", name(func(r *Row) *string { return &r.Type })},
	"unless":  {"Field", unless},
	"field":   {"Timeout", fields},
	"result":  {"1", result},
	"default": {"30s", defaultBound},
	"on":      {"0", on},
}

func place(field func(*Row) *Place) func(*Row, string) error {
	return func(r *Row, value string) (err error) {
		*field(r), err = ParsePlace(value)
		return err
	}
}

func name(field func(*Row) *string) func(*Row, string) error {
	return func(r *Row, value string) error {
		if !isName(value) {
			return fmt.Errorf("no name: write import/path.Func, (import/path.T).Method or (*import/path.T).Method")
		}
		*field(r) = value
		return nil
	}
}

func fields(r *Row, value string) error {
	for f := range strings.SplitSeq(value, ",") {
		if !isSelector(f) || strings.HasSuffix(f, ")") {
			return fmt.Errorf("%q is no field: write names joined by commas, as Timeout,Deadline", f)
		}
		r.Fields = append(r.Fields, f)
	}
	return nil
}

func unless(r *Row, value string) error {
	if !isName(value) && !isSelector(value) {
		return fmt.Errorf("no name: write a field (ContextTimeoutEnabled) or an option (import/path.WithContext)")
	}
	r.Unless = value
	return nil
}

func result(r *Row, value string) error {
	n, err := strconv.ParseUint(value, 10, 8)
	if err != nil {
		return fmt.Errorf("no result: write its index, from 0")
	}
	r.Result = int(n)
	return nil
}

func defaultBound(r *Row, value string) error {
	d, err := time.ParseDuration(value)
	if err != nil || d <= 0 {
		return fmt.Errorf("no duration: write one as time.ParseDuration reads it, as 30s or 1m30s")
	}
	r.Default = d
	return nil
}

func on(r *Row, value string) error {
	for i, text := range strings.Split(value, ",") {
		p, err := ParsePlace(text)
		if err != nil {
			return err
		}
		if i == 0 {
			r.On = p
		} else {
			r.Also = append(r.Also, p)
		}
	}
	return nil
}
