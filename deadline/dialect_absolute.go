package deadline

import (
	"strconv"
	"strings"
	"time"
)

// An instant is a point of the wall clock. It never becomes a time.Time with a monotonic reading: what the wall clock says is
// only ever used to shorten.
type instant struct{ sec, nsec int64 }

// until is the time from now to i, or the longest there is either way.
func (i instant) until(now time.Time) time.Duration {
	const most = int64(longest / time.Second)
	sec := i.sec - now.Unix()
	switch {
	case sec >= most:
		return longest
	case sec <= -most:
		return -longest
	}
	return time.Duration(sec*int64(time.Second) + i.nsec - int64(now.Nanosecond()))
}

// parseAbsolute reads an instant, as the time left at now. What is past by more than the clocks may differ is not "expired"
// but a clock that is wrong, or a wall clock that was moved: it is ignored. So the skew must be longer than a request can wait
// on its way.
func (w *wire) parseAbsolute(s string, now time.Time, skew time.Duration) (time.Duration, Verdict) {
	if w.skew > 0 {
		skew = min(skew, w.skew)
	}
	if w.form == pairText || w.form == pairBytes {
		return w.parsePair(s, now, skew)
	}
	at, v := w.parseInstant(s)
	if v != Valid {
		return 0, v
	}
	if at == (instant{}) {
		return w.nothing() // 1970 is not a deadline; 0 is ours for "expired"
	}
	return tolerate(at.until(now), skew)
}

// tolerate is the verdict on a deadline that is left away.
func tolerate(left, skew time.Duration) (time.Duration, Verdict) {
	if left < -skew {
		return 0, Skewed
	}
	return left, Valid
}

// parseInstant reads one instant.
func (w *wire) parseInstant(s string) (instant, Verdict) {
	var at instant
	var ok bool
	switch w.form {
	case unixTime:
		at, ok = parseUnix(s)
	case amz:
		return parseAmz(s)
	case date:
		if at, ok = parseRFC3339(s); !ok {
			at, ok = parseHTTPDate(s)
		}
	case stamp:
		if at, ok = parseRFC3339(s); !ok {
			at, ok = parseUnix(s)
		}
	}
	if !ok {
		return instant{}, Malformed
	}
	return at, Valid
}

// parseUnix reads seconds since 1970 with a decimal fraction. Twelve digits are 30,000 years; milliseconds, which have
// thirteen, are not taken for seconds.
func parseUnix(s string) (instant, bool) {
	sec, frac, rest, ok := number(s)
	if !ok || rest != "" || sec >= 1e12 {
		return instant{}, false
	}
	return instant{int64(sec), int64(frac)}, true
}

// parsePair reads set-time and deadline in nanoseconds. A set-time in the future, beyond the skew, is a clock that is wrong.
// What is left cannot be more than there was when it was set, so a clock of ours that is behind adds nothing.
func (w *wire) parsePair(s string, now time.Time, skew time.Duration) (time.Duration, Verdict) {
	var set, end uint64
	var ok bool
	if w.form == pairBytes {
		ok = len(s) == 16
		for i := 0; ok && i < 8; i++ {
			set, end = set<<8|uint64(s[i]), end<<8|uint64(s[i+8])
		}
	} else {
		first, second := cut(s, ' ')
		var ok1, ok2 bool
		set, ok1 = nanoseconds(first)
		end, ok2 = nanoseconds(second)
		ok = ok1 && ok2
	}
	if !ok || set > int64Max || end > int64Max || end < set {
		return 0, Malformed
	}
	if unixNano(set).until(now) > skew {
		return 0, Skewed
	}
	left, v := tolerate(unixNano(end).until(now), skew)
	return min(left, time.Duration(end-set)), v
}

func unixNano(n uint64) instant { return instant{int64(n / 1e9), int64(n % 1e9)} }

// nanoseconds reads 1*DIGIT.
func nanoseconds(s string) (uint64, bool) {
	n, _, rest, ok := number(s)
	return n, ok && rest == "" && strings.IndexByte(s, '.') < 0
}

// parseAmz looks for ttl among the parameters of amz-sdk-request.
func parseAmz(s string) (instant, Verdict) {
	for s != "" {
		var item string
		item, s = cut(s, ';')
		name, value := cut(item, '=')
		if trim(name) != "ttl" {
			continue
		}
		at, ok := parseBasic(trim(value))
		if !ok {
			return instant{}, Malformed
		}
		return at, Valid
	}
	return instant{}, Absent
}

// appendAbsolute writes the instant at which left has passed, rounded down.
func (w *wire) appendAbsolute(dst []byte, left time.Duration, now time.Time) ([]byte, bool) {
	const farthest = 100 * 365 * 24 * time.Hour // beyond it, years would not have four digits, nor nanoseconds fit
	end := now.Round(0).Add(min(left, farthest)).Truncate(w.unit)
	if !end.After(now.Round(0)) {
		return dst, false
	}
	switch w.form {
	case pairText:
		dst = strconv.AppendInt(dst, now.UnixNano(), 10)
		return strconv.AppendInt(append(dst, ' '), end.UnixNano(), 10), true
	case pairBytes:
		return appendInt64(appendInt64(dst, now.UnixNano()), end.UnixNano()), true
	case amz:
		return end.UTC().AppendFormat(append(dst, "ttl="...), "20060102T150405Z"), true
	case date, stamp:
		return end.UTC().AppendFormat(dst, "2006-01-02T15:04:05.000Z"), true
	}
	dst = append(strconv.AppendInt(dst, end.Unix(), 10), '.')
	ms := end.Nanosecond() / 1e6
	return append(dst, '0'+byte(ms/100), '0'+byte(ms/10%10), '0'+byte(ms%10)), true
}

func appendInt64(dst []byte, n int64) []byte {
	for shift := 56; shift >= 0; shift -= 8 {
		dst = append(dst, byte(n>>shift))
	}
	return dst
}
