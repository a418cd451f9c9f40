package deadline

import (
	"context"
	"net/http"
)

// MarkedExpired reports whether the other side says that the time it was given was up: by [HeaderExpired], or by userver's
// X-YaTaxi-Deadline-Expired.
func MarkedExpired(resp *http.Response) bool {
	return len(resp.Header[HeaderExpired]) > 0 || len(resp.Header["X-Yataxi-Deadline-Expired"]) > 0
}

// ResponseError is for a client that makes an error of an answer. If the other side marked it as expired, it is an [*Error]
// whose Whole says whether the call had all the time of ctx, which is the context that the request was made with: then no
// further attempt can help, whatever the status; with a slice of it, one may. Of other answers it is nil.
//
// It does not close the body.
func ResponseError(ctx context.Context, resp *http.Response) error {
	if resp.StatusCode < 400 || !MarkedExpired(resp) {
		return nil
	}
	e := &Error{Reason: Expired, Whole: true}
	if resp.Request == nil {
		return e
	}
	e.Op = resp.Request.URL.Host
	end, bounded := resp.Request.Context().Deadline()
	all, limited := ctx.Deadline()
	if c, ok := resp.Request.Context().Value(callKey{}).(*call); ok {
		e.Op = c.policy.Name
		all = all.Add(-c.policy.Reserve)
	}
	e.Remaining, _ = Remaining(resp.Request.Context())
	e.Whole = limited && bounded && !end.Before(all)
	return e
}
