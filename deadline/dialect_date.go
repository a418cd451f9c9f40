package deadline

import "time"

// The dates are read here and not by time.Parse, which says what is wrong with a value by copying it: a hostile header would
// decide how much is allocated.

// parseRFC3339 reads 2006-01-02T15:04:05.999Z or with an offset. Other than RFC 3339 has it, T and Z are in upper case.
func parseRFC3339(s string) (instant, bool) {
	if len(s) < len("2006-01-02T15:04:05Z") || s[4] != '-' || s[7] != '-' || s[10] != 'T' || s[13] != ':' || s[16] != ':' {
		return instant{}, false
	}
	at, ok := civil(s[0:4], s[5:7], s[8:10], s[11:13], s[14:16], s[17:19])
	if !ok {
		return instant{}, false
	}
	rest := s[19:]
	if rest[0] == '.' {
		var frac uint64
		if _, frac, rest, ok = number(s[18:]); !ok { // the last digit of the seconds is the whole part
			return instant{}, false
		}
		at.nsec = int64(frac)
	}
	offset, ok := zone(rest)
	at.sec -= offset
	return at, ok
}

// zone reads Z or ±hh:mm, in seconds east of Greenwich.
func zone(s string) (int64, bool) {
	if s == "Z" {
		return 0, true
	}
	if len(s) != len("+00:00") || s[0] != '+' && s[0] != '-' || s[3] != ':' {
		return 0, false
	}
	h, m := decimal(s[1:3]), decimal(s[4:6])
	if h < 0 || h > 23 || m < 0 || m > 59 {
		return 0, false
	}
	east := int64(h*3600 + m*60)
	if s[0] == '-' {
		east = -east
	}
	return east, true
}

// parseHTTPDate reads the one form of RFC 9110 that senders may use: Sun, 06 Nov 1994 08:49:37 GMT.
func parseHTTPDate(s string) (instant, bool) {
	if len(s) != len("Sun, 06 Nov 1994 08:49:37 GMT") || s[3:5] != ", " || s[7] != ' ' || s[11] != ' ' || s[16] != ' ' ||
		s[19] != ':' || s[22] != ':' || s[25:] != " GMT" {
		return instant{}, false
	}
	month := ""
	for m := time.January; m <= time.December; m++ {
		if m.String()[:3] == s[8:11] {
			month = months[2*m-2 : 2*m]
		}
	}
	return civil(s[12:16], month, s[5:7], s[17:19], s[20:22], s[23:25])
}

const months = "010203040506070809101112"

// parseBasic reads 20060102T150405Z.
func parseBasic(s string) (instant, bool) {
	if len(s) != len("20060102T150405Z") || s[8] != 'T' || s[15] != 'Z' {
		return instant{}, false
	}
	return civil(s[0:4], s[4:6], s[6:8], s[9:11], s[11:13], s[13:15])
}

// civil is the instant of a date in UTC. A 31st of June, or a second 60, is not in form.
func civil(year, month, day, hour, minute, second string) (instant, bool) {
	y, mo, d, h, mi, s := decimal(year), decimal(month), decimal(day), decimal(hour), decimal(minute), decimal(second)
	if y < 0 || mo < 1 || mo > 12 || d < 1 || h < 0 || h > 23 || mi < 0 || mi > 59 || s < 0 || s > 59 {
		return instant{}, false
	}
	t := time.Date(y, time.Month(mo), d, h, mi, s, 0, time.UTC)
	return instant{sec: t.Unix()}, t.Day() == d
}

// decimal reads ASCII digits, or is -1. It is for the few digits of a date.
func decimal(s string) int {
	if s == "" {
		return -1
	}
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i]-'0' > 9 {
			return -1
		}
		n = n*10 + int(s[i]-'0')
	}
	return n
}
