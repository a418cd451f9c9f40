package deadline

import "time"

// units says which letters are units of a duration in text.
type units uint8

const (
	unitsLinkerd units = iota + 1 // ms s m h d, whole numbers, and a bare 0
	unitsNexus                    // ms s m
	unitsLeo                      // Go's, and gRPC's at the end
)

// parseTerms reads one or several numbers with units. The sum stays at the longest there is.
func (w *wire) parseTerms(s string) (time.Duration, Verdict) {
	var sum time.Duration
	for rest := s; rest != ""; {
		n, frac, after, ok := number(rest)
		if !ok || w.units == unitsLinkerd && frac > 0 {
			return 0, Malformed
		}
		letters := after[:lettersOf(after)]
		rest = after[len(letters):]
		if letters == "" && n == 0 && frac == 0 && rest == "" && w.units != unitsNexus {
			return w.nothing() // "0" needs no unit
		}
		if rest != "" && w.form == term {
			return 0, Malformed
		}
		unit := w.units.of(letters, rest == "")
		if unit == 0 {
			return 0, Malformed
		}
		sum = add(sum, add(times(n, unit), part(frac, unit)))
	}
	if sum == 0 {
		return w.nothing()
	}
	return sum, Valid
}

// part is that many billionths of a unit, rounded down. A unit is a day at most, so the parts are taken of its seconds.
func part(billionths uint64, unit time.Duration) time.Duration {
	if unit >= time.Second {
		return time.Duration(billionths * uint64(unit/time.Second))
	}
	return time.Duration(billionths * uint64(unit) / uint64(time.Second))
}

// lettersOf is the length of the unit at the front of s.
func lettersOf(s string) int {
	i := 0
	for i < len(s) && s[i] != '.' && s[i]-'0' > 9 {
		i++
	}
	return i
}

// of is the unit that the letters name, or 0. The last unit of a value is not always read as those before it.
func (u units) of(letters string, last bool) time.Duration {
	switch u {
	case unitsLinkerd:
		if letters == "d" {
			return 24 * time.Hour
		}
		if letters == "h" {
			return time.Hour
		}
		fallthrough
	case unitsNexus:
		switch letters {
		case "ms":
			return time.Millisecond
		case "s":
			return time.Second
		case "m":
			return time.Minute
		}
		return 0
	}
	if len(letters) == 1 && last {
		if unit := grpcUnit(letters[0]); unit > 0 {
			return unit
		}
	}
	return goUnit(letters)
}

// goUnit is the unit as time.ParseDuration has it; both letters that look like a micro sign are one.
func goUnit(letters string) time.Duration {
	switch letters {
	case "ns":
		return time.Nanosecond
	case "us", "\u00b5s", "\u03bcs":
		return time.Microsecond
	case "ms":
		return time.Millisecond
	case "s":
		return time.Second
	case "m":
		return time.Minute
	case "h":
		return time.Hour
	}
	return 0
}

// parsePrefer looks for wait=N among the preferences. RFC 7240 has the first of several count; the smallest does here, as
// everywhere.
func (w *wire) parsePrefer(s string) (time.Duration, Verdict) {
	best, verdict := longest, Absent
	for s != "" {
		var item string
		item, s = cut(s, ',')
		item, _ = cut(item, ';') // what follows are parameters of the preference
		name, value := cut(item, '=')
		if !equalFold(trim(name), "wait") {
			continue
		}
		value = trim(value)
		if len(value) >= 2 && value[0] == '"' && value[len(value)-1] == '"' {
			value = value[1 : len(value)-1]
		}
		left, v := w.parseDigits(value)
		switch {
		case value == "" || v == Malformed:
			if verdict == Absent {
				verdict = Malformed
			}
		case v == Valid:
			best, verdict = min(best, left), Valid
		}
	}
	if verdict != Valid {
		return 0, verdict
	}
	return best, Valid
}

// cut splits s at the first sep outside of quotes.
func cut(s string, sep byte) (before, after string) {
	quoted := false
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '"':
			quoted = !quoted
		case s[i] == '\\' && quoted:
			i++
		case s[i] == sep && !quoted:
			return s[:i], s[i+1:]
		}
	}
	return s, ""
}

// equalFold compares ASCII letters without regard to case; lower is in lower case.
func equalFold(s, lower string) bool {
	if len(s) != len(lower) {
		return false
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}
