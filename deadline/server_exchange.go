package deadline

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
)

// An exchange is one request's writer, its context, and the request with that context, in one allocation. As a writer it notes
// whether the handler has answered, and is otherwise the writer beneath: http.ResponseController finds that by Unwrap, and what
// asks for http.Flusher, http.Hijacker or io.ReaderFrom finds them here.
type exchange struct {
	http.ResponseWriter
	account
	request http.Request
	wrote   bool     // a status, a body, or the connection is the handler's: nothing is to be written for it
	silence *silence // of a stream
}

// under is r with the context of the exchange, and the headers that the handler is to see. WithContext is small enough to be
// inlined, so that its copy is made in place.
func (e *exchange) under(r *http.Request, h http.Header) *http.Request {
	e.request = *r.WithContext(e)
	e.request.Header = h
	return &e.request
}

// Unwrap is for http.ResponseController.
func (e *exchange) Unwrap() http.ResponseWriter { return e.ResponseWriter }

// WriteHeader writes a status. One below 200 is not the answer yet, but for 101, after which the connection is not HTTP's.
func (e *exchange) WriteHeader(status int) {
	if status >= 200 || status == http.StatusSwitchingProtocols {
		e.begin()
	}
	e.ResponseWriter.WriteHeader(status)
}

func (e *exchange) Write(p []byte) (int, error) {
	e.begin()
	return e.ResponseWriter.Write(p)
}

// WriteString is for io.WriteString.
func (e *exchange) WriteString(s string) (int, error) {
	e.begin()
	return io.WriteString(e.ResponseWriter, s)
}

// ReadFrom is for io.Copy, and keeps the way by which the kernel sends a file. A stream goes through Write, so that each part
// counts as a sign of life. So do the first bytes of an answer: a source that fails before it gave any, as one does whose time
// is up, has answered nothing. net/http reads so much apart too, to find out what it is.
func (e *exchange) ReadFrom(src io.Reader) (int64, error) {
	from, ok := e.ResponseWriter.(io.ReaderFrom)
	if !ok || e.silence != nil {
		return io.Copy(writer{e}, src)
	}
	var first int64
	if !e.wrote {
		var err error
		if first, err = io.Copy(writer{e}, io.LimitReader(src, sniffed)); err != nil || first < sniffed {
			return first, err
		}
	}
	rest, err := from.ReadFrom(src)
	return first + rest, err
}

// sniffed is how much net/http reads of an answer to find out what it is.
const sniffed = 512

// writer hides ReadFrom.
type writer struct{ io.Writer }

// FlushError is for http.ResponseController, Flush for everybody else. Flushing sends the header if it has not been sent.
func (e *exchange) FlushError() error {
	before := e.wrote
	e.begin()
	err := http.NewResponseController(e.ResponseWriter).Flush()
	if errors.Is(err, http.ErrNotSupported) {
		e.wrote = before // nothing went out
	}
	return err
}

func (e *exchange) Flush() { _ = e.FlushError() }

// Hijack hands the connection to the handler. From then on nothing is written here, and no silence is watched.
func (e *exchange) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(e.ResponseWriter).Hijack()
	if err == nil {
		e.wrote = true
		e.silence.end()
	}
	return conn, rw, err
}

// begin notes that the handler answers.
func (e *exchange) begin() {
	e.wrote = true
	e.silence.broken()
}
