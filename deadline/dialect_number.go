package deadline

import (
	"math"
	"strconv"
	"time"
)

const longest = time.Duration(math.MaxInt64)

// parseRelative reads a duration in one of the forms that have one.
func (w *wire) parseRelative(s string) (time.Duration, Verdict) {
	switch w.form {
	case digits:
		return w.parseDigits(s)
	case grpc:
		return w.parseGRPC(s)
	case seconds:
		return w.parseSeconds(s)
	case term, terms:
		return w.parseTerms(s)
	case prefer:
		return w.parsePrefer(s)
	case word:
		return w.parseWord(s)
	}
	return 0, Malformed
}

// parseDigits reads 1*DIGIT. The number of digits counts and not the value, as the grammars have it.
func (w *wire) parseDigits(s string) (time.Duration, Verdict) {
	var n uint64
	for i := 0; i < len(s); i++ {
		c := s[i] - '0'
		if c > 9 {
			return 0, Malformed
		}
		if n >= math.MaxUint64/10 { // 19 digits or more: what follows cannot make it fit again
			return w.tooLong(s[i:])
		}
		n = n*10 + uint64(c)
	}
	if len(s) > int(w.most) {
		return longest, w.over
	}
	return w.amount(n)
}

// tooLong is the verdict on a number of which rest did not fit, if rest is in form.
func (w *wire) tooLong(rest string) (time.Duration, Verdict) {
	for i := 0; i < len(rest); i++ {
		if rest[i]-'0' > 9 {
			return 0, Malformed
		}
	}
	if w.ignored > 0 {
		return 0, Absent
	}
	return longest, w.over
}

// amount is n units, as the row limits them.
func (w *wire) amount(n uint64) (time.Duration, Verdict) {
	switch {
	case n == 0:
		return w.nothing()
	case w.max > 0 && n > w.max:
		return longest, w.over
	}
	d := times(n, w.unit)
	if w.ignored > 0 && d >= w.ignored {
		return 0, Absent
	}
	return d, Valid
}

// nothing is what the row makes of a 0.
func (w *wire) nothing() (time.Duration, Verdict) {
	switch w.zero {
	case zeroExpired:
		return 0, Valid
	case zeroForbidden:
		return 0, Malformed
	}
	return 0, Absent
}

// times is n units, or the longest there is.
func times(n uint64, unit time.Duration) time.Duration {
	if n > uint64(longest/unit) {
		return longest
	}
	return time.Duration(n) * unit
}

// parseGRPC reads the Timeout of gRPC's protocol: at most eight digits, and one letter.
func (w *wire) parseGRPC(s string) (time.Duration, Verdict) {
	if len(s) < 2 || len(s) > int(w.most)+1 {
		return 0, Malformed
	}
	unit := grpcUnit(s[len(s)-1])
	if unit == 0 {
		return 0, Malformed
	}
	var n uint64
	for _, c := range []byte(s[:len(s)-1]) {
		if c -= '0'; c > 9 {
			return 0, Malformed
		}
		n = n*10 + uint64(c)
	}
	if n == 0 {
		return w.nothing()
	}
	return times(n, unit), Valid
}

func grpcUnit(c byte) time.Duration {
	switch c {
	case 'H':
		return time.Hour
	case 'M':
		return time.Minute
	case 'S':
		return time.Second
	case 'm':
		return time.Millisecond
	case 'u':
		return time.Microsecond
	case 'n':
		return time.Nanosecond
	}
	return 0
}

// parseSeconds reads seconds with a fraction, of which nanoseconds count.
func (w *wire) parseSeconds(s string) (time.Duration, Verdict) {
	n, frac, rest, ok := number(s)
	switch {
	case !ok || rest != "":
		return 0, Malformed
	case n == 0 && frac == 0:
		return w.nothing()
	}
	return add(times(n, time.Second), time.Duration(frac)), Valid
}

// parseWord reads four bytes.
func (w *wire) parseWord(s string) (time.Duration, Verdict) {
	if len(s) != 4 {
		return 0, Malformed
	}
	return w.amount(uint64(s[0])<<24 | uint64(s[1])<<16 | uint64(s[2])<<8 | uint64(s[3]))
}

// number reads 1*DIGIT [ "." 1*DIGIT ] from the front of s: the whole part, which stays at the greatest number there is, and
// the fraction in billionths, rounded down. It stops at the first character of something else.
func number(s string) (n, billionths uint64, rest string, ok bool) {
	i := 0
	for ; i < len(s) && s[i]-'0' <= 9; i++ {
		if n > (math.MaxUint64-9)/10 {
			n = math.MaxUint64
			continue
		}
		n = n*10 + uint64(s[i]-'0')
	}
	if i == 0 {
		return 0, 0, s, false
	}
	if i == len(s) || s[i] != '.' {
		return n, 0, s[i:], true
	}
	i++
	first, scale := i, uint64(100_000_000)
	for ; i < len(s) && s[i]-'0' <= 9; i++ {
		billionths += uint64(s[i]-'0') * scale
		scale /= 10
	}
	return n, billionths, s[i:], i > first
}

// add adds two durations of 0 or more.
func add(a, b time.Duration) time.Duration {
	if a > longest-b {
		return longest
	}
	return a + b
}

// appendRelative writes a duration, rounded down.
func (w *wire) appendRelative(dst []byte, left time.Duration) ([]byte, bool) {
	if left < w.unit {
		return dst, false
	}
	if w.ignored > 0 {
		left = min(left, w.ignored-w.unit) // more would be read as no deadline
	}
	n := uint64(left / w.unit)
	switch w.form {
	case grpc:
		return appendGRPC(dst, left), true
	case term, terms:
		return append(strconv.AppendUint(dst, n, 10), "ms"...), true
	case prefer:
		return strconv.AppendUint(append(dst, "wait="...), n, 10), true
	case word:
		n = min(n, math.MaxUint32)
		return append(dst, byte(n>>24), byte(n>>16), byte(n>>8), byte(n)), true
	}
	if w.max > 0 {
		n = min(n, w.max)
	}
	if w.most == 10 {
		n = min(n, 9_999_999_999)
	}
	return strconv.AppendUint(dst, n, 10), true
}

// appendGRPC writes the finest unit of which eight digits do.
func appendGRPC(dst []byte, left time.Duration) []byte {
	const limit = 100_000_000
	for _, c := range []byte("numSM") {
		if n := left / grpcUnit(c); n < limit {
			return append(strconv.AppendInt(dst, int64(n), 10), c)
		}
	}
	return append(strconv.AppendInt(dst, int64(left/time.Hour), 10), 'H')
}
