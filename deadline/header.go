package deadline

import (
	"context"
	"net/http"
	"time"
)

// A received is what the headers of one request say about its time.
type received struct {
	left      time.Duration // the smallest of the valid values
	from      Dialect       // whose it is
	found     bool          // there is a valid value
	malformed bool          // there is one that is not in form
}

// readHeaders looks at every value of every dialect; the smallest valid one wins. It takes time in proportion to what the server
// let in (http.Server.MaxHeaderBytes). What has passed since a duration was written is taken off it; an instant needs no such care. It allocates nothing, and tells the observer once for each dialect of what it ignored.
func readHeaders(ctx context.Context, o Observer, h http.Header, dialects []Dialect, now time.Time, skew, passed time.Duration) received {
	var r received
	for _, d := range dialects {
		values := h[d.Field()]
		if len(values) == 0 {
			continue
		}
		malformed, skewed := false, false
		for _, value := range values {
			left, v := d.Parse(value, now, skew)
			switch v {
			case Valid:
				if !d.Absolute() {
					left -= passed
				}
				if !r.found || left < r.left {
					r.left, r.from, r.found = left, d, true
				}
			case Malformed:
				malformed = true
			case Skewed:
				skewed = true
			}
		}
		if malformed {
			r.malformed = true
			tell(ctx, o, Event{Kind: CountMalformed, Label: d.String()})
		}
		if skewed && skew > 0 { // with no tolerance declared it is a header that nobody asked for
			tell(ctx, o, Event{Kind: CountSkewed, Label: d.String()})
		}
	}
	return r
}

// removeHeaders takes deadline headers out of h. Headers that say other things too stay.
func removeHeaders(h http.Header, dialects []Dialect) {
	for _, d := range dialects {
		if field := d.Field(); field != "" && !wires[d.row].shared {
			delete(h, field)
		}
	}
}

// bring reports whether h has a header that removeHeaders would remove.
func bring(h http.Header, dialects []Dialect) bool {
	for _, d := range dialects {
		if _, ok := h[d.Field()]; ok && !wires[d.row].shared {
			return true
		}
	}
	return false
}
