package deadline

import (
	"io"
	"net/http"
	"sync/atomic"
	"time"
)

// answered looks at the answer, and binds the end of the call to the end of the body.
func (c *call) answered(host string, resp *http.Response) {
	c.transport.Latency.learn(host, time.Since(c.began), resp.Header)
	if resp.StatusCode >= 400 && MarkedExpired(resp) {
		label := "slice"
		if c.whole() {
			label = "whole"
		}
		left, _ := Remaining(c)
		tell(c.above, c.transport.Observer, Event{Kind: CountPeerExpired, Name: c.policy.Name, Label: label, Time: left})
	}
	if resp.Body == nil || resp.Body == http.NoBody {
		c.end() // there is nothing to read, and who does not read does not always close
		return
	}
	b := &c.body
	b.ReadCloser, b.call = resp.Body, c
	if w, ok := resp.Body.(io.Writer); ok { // a connection after 101
		resp.Body = &upgraded{b, w}
		return
	}
	resp.Body = b
}

// whole reports whether the call had all the time that its request has left, but for the reserve: then another call will not
// have more.
func (c *call) whole() bool {
	end, bounded := c.Deadline()
	all, limited := c.above.Deadline()
	return bounded && limited && !end.Before(all.Add(-c.policy.Reserve))
}

// end releases the context, and tells which share of the budget the call took.
func (c *call) end() {
	c.cancel()
	spent(c.above, c.policy.Name, time.Since(c.began))
}

// A body is that of an answer. It keeps the call's context alive until it was read to the end, failed or was closed: a context
// that ended when RoundTrip returns would cut off every body that is still on its way.
type body struct {
	io.ReadCloser
	call  *call
	ended atomic.Bool
}

// Read says of an error whether it was the time that ended the call.
func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err == nil {
		return n, nil
	}
	if err != io.EOF && !b.ended.Load() {
		err = b.call.policy.classify(b.call.above, b.call, err)
	}
	b.end()
	return n, err
}

// Close ends the call.
func (b *body) Close() error {
	err := b.ReadCloser.Close()
	b.end()
	return err
}

func (b *body) end() {
	if !b.ended.Swap(true) {
		b.call.end()
	}
}

// upgraded is a body that is a connection too.
type upgraded struct {
	*body
	io.Writer
}

// CloseWrite closes one direction, for what copies both, such as httputil.ReverseProxy.
func (u *upgraded) CloseWrite() error {
	if c, ok := u.Writer.(interface{ CloseWrite() error }); ok {
		return c.CloseWrite()
	}
	return http.ErrNotSupported
}
