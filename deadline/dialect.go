package deadline

import (
	"net/textproto"
	"time"
)

// A Dialect is one way to write down how long a request may take: the name of a header, or of a field of a frame, and the
// grammar of its value. The variables of this type are the dialects there are; [Dialects] lists them, and
// conformance/README.md says of each who writes it and what it means. A Dialect is a plain, comparable value; the zero
// value is XDeadlineMs.
//
// No header for deadlines was ever registered (golang/go#19562 was closed for that reason), so a service may have to read
// several. Whatever is read obeys one rule: the smallest valid value wins, and nothing that comes in ever lengthens the budget
// of the route.
type Dialect struct {
	row   uint8  // the index into wires
	field string // the header's name where it is not the row's own
}

// A Verdict says what a value amounts to.
type Verdict uint8

// The verdicts.
const (
	Absent    Verdict = iota // there is no value, or one that sets no deadline in this dialect, as 0 does in some
	Valid                    // the time left is known; 0 or less means that it is up
	Malformed                // not in form: neither "no limit" nor "no time", the route's default holds
	Skewed                   // absolute, and outside the tolerance of the clocks or with no tolerance declared: as Malformed
)

var verdicts = [...]string{Absent: "absent", Valid: "valid", Malformed: "malformed", Skewed: "skewed"}

// String is the verdict in one word.
func (v Verdict) String() string {
	if int(v) >= len(verdicts) {
		return "unknown"
	}
	return verdicts[v]
}

// Named is the same grammar in a header of another name, for a house that has one of its own.
func (d Dialect) Named(field string) Dialect {
	d.field = textproto.CanonicalMIMEHeaderKey(field)
	return d
}

// Field is the canonical name of the HTTP header, or "" if the value travels in a frame and not in a header: then Parse and
// Append are for the code that reads and writes that frame.
func (d Dialect) Field() string {
	if d.field != "" {
		return d.field
	}
	return wires[d.row].field
}

// String is the name by which metrics and documents call the dialect.
func (d Dialect) String() string {
	if d.field != "" {
		return d.field
	}
	return wires[d.row].name
}

// Absolute reports whether the value is an instant and not a duration. An instant is of use only where the clocks agree:
// without a tolerance it is ignored.
func (d Dialect) Absolute() bool { return wires[d.row].absolute }

// Parse reads the time left at now from one value. Blanks around it are of no account; a sign, an exponent, a digit that is
// not ASCII, and everything else that the grammar does not name is Malformed. What does not fit in a time.Duration is the
// longest there is, for the route's maximum to cut.
//
// The skew is by how much the clocks of the sender and of this machine may differ; it matters to absolute dialects only, and
// 0 says that nothing is known of them. Parse allocates nothing, whatever the value.
func (d Dialect) Parse(value string, now time.Time, skew time.Duration) (left time.Duration, v Verdict) {
	w := &wires[d.row]
	if w.form == digits && len(value) > 0 && value[0] > ' ' && value[len(value)-1] > ' ' {
		return w.parseDigits(value) // what nearly every request brings
	}
	if !w.binary() {
		value = trim(value)
	}
	if value == "" {
		return 0, Absent
	}
	if w.absolute {
		if skew <= 0 {
			return 0, Skewed
		}
		return w.parseAbsolute(value, now, skew)
	}
	return w.parseRelative(value)
}

// Append writes the value for left, at now, behind dst. It rounds down, always: what is sent is never more than there is. It
// reports false, and leaves dst as it was, if less than one unit of the dialect is left; then either another dialect says it,
// or the call is not to be made. What is longer than the dialect can say is its longest.
func (d Dialect) Append(dst []byte, left time.Duration, now time.Time) ([]byte, bool) {
	w := &wires[d.row]
	if left <= 0 {
		return dst, false
	}
	if w.absolute {
		return w.appendAbsolute(dst, left, now)
	}
	return w.appendRelative(dst, left)
}

// trim takes blanks and tabs off both ends: the optional white space of HTTP, and no other.
func trim(s string) string {
	for len(s) > 0 && blank(s[0]) {
		s = s[1:]
	}
	for len(s) > 0 && blank(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

func blank(c byte) bool { return c == ' ' || c == '\t' }

// Note says who writes the dialect, and what else is worth knowing of it.
func (d Dialect) Note() string { return wires[d.row].note }
