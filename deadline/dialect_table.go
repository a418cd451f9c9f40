package deadline

import "time"

// A form is a grammar of values.
type form uint8

const (
	digits    form = iota // 1*DIGIT of one unit
	seconds               // 1*DIGIT [ "." 1*DIGIT ], seconds
	grpc                  // 1*8DIGIT and a unit of H M S m u n
	terms                 // Go's durations without sign: 1h30m, 1.5s
	term                  // one number and one unit
	prefer                // a list of preferences, one of them wait=N
	unixTime              // 1*12DIGIT [ "." 1*DIGIT ], seconds since 1970
	pairText              // two int64 in nanoseconds since 1970, set-time and deadline, and a blank between
	pairBytes             // the same as 16 bytes, big endian
	word                  // a uint32 as 4 bytes, big endian
	amz                   // parameters, one of them ttl=YYYYMMDDTHHMMSSZ
	date                  // RFC 3339, or the HTTP date of RFC 9110
	stamp                 // RFC 3339, or unixTime
)

// What a 0 means. A 0 is never "unlimited": where it is not "expired" it says nothing, and the route's default holds.
type zero uint8

const (
	zeroNone      zero = iota // no deadline: infinite, ignored, opted out, or never sent
	zeroExpired               // the time is up
	zeroForbidden             // not in form
)

// A wire is one row of the table of dialects: what conformance/README.md shows, and what the code follows.
type wire struct {
	name     string        // in metrics and documents
	field    string        // the header's canonical name, "" for a field of a frame
	form     form          // the grammar
	unit     time.Duration // what one is, of digits; the resolution, of the rest
	most     uint8         // how many digits are allowed
	over     Verdict       // of more digits: Valid is the longest there is
	max      uint64        // the greatest number in form, 0 for no such limit
	ignored  time.Duration // from here on the value is no deadline, 0 for no such limit
	zero     zero          // what 0 means
	absolute bool          // an instant and not a duration
	skew     time.Duration // the most that the dialect itself tolerates
	shared   bool          // the header says other things too, so it is not removed for the deadline's sake
	units    units         // of term and terms
	note     string        // who writes it, who takes the way off it, and what else is worth knowing
}

const (
	tenYears = 10 * 365 * 24 * time.Hour
	int32Max = 1<<31 - 1
	int64Max = 1<<63 - 1
)

// wires is the table, in the order of the variables below.
var wires = [...]wire{
	{name: "X-Deadline-Ms", field: "X-Deadline-Ms", form: digits, unit: time.Millisecond, most: 10, over: Valid, zero: zeroExpired,
		note: "ours: the time left, sent by Transport unless it is told otherwise; more digits are the route's maximum"},
	{name: "X-Deadline", field: "X-Deadline", form: unixTime, unit: time.Millisecond, zero: zeroExpired, absolute: true,
		note: "ours: the instant, where clocks are declared to agree"},
	{name: "grpc-timeout", field: "Grpc-Timeout", form: grpc, unit: time.Nanosecond, most: 8, over: Malformed, zero: zeroExpired,
		note: "grpc-go rounds up, grpc-java and connect down, C-core up to three digits; nobody takes off the way"},
	{name: "grpc-timeout (grpc-gateway)", field: "Grpc-Timeout", form: grpc, unit: time.Nanosecond, most: 8, over: Malformed, zero: zeroNone,
		note: "the same header as grpc-gateway reads it: 0 is no deadline"},
	{name: "Connect-Timeout-Ms", field: "Connect-Timeout-Ms", form: digits, unit: time.Millisecond, most: 10, over: Malformed, zero: zeroExpired,
		note: "connect sends 1 where less is left, and nothing where ten digits do not do; servers refuse more digits"},
	{name: "Triple-Timeout-Ms", field: "Triple-Timeout-Ms", form: digits, unit: time.Millisecond, most: 10, over: Malformed, zero: zeroExpired,
		note: "dubbo-go's Triple; its server does not look at the sign, we refuse one"},
	{name: "x-envoy-upstream-rq-timeout-ms", field: "X-Envoy-Upstream-Rq-Timeout-Ms", form: digits, unit: time.Millisecond, most: 19, over: Valid, zero: zeroNone,
		note: "to Envoy, which takes it away: what arrives was not meant for us unless Envoy is not there; 0 is infinite there"},
	{name: "x-envoy-expected-rq-timeout-ms", field: "X-Envoy-Expected-Rq-Timeout-Ms", form: digits, unit: time.Millisecond, most: 19, over: Valid, zero: zeroNone,
		note: "from Envoy, less what Envoy itself took; 1 when nothing is left, never 0"},
	{name: "l5d-request-timeout", field: "L5d-Request-Timeout", form: term, unit: time.Millisecond, most: 20, over: Valid, zero: zeroNone, units: unitsLinkerd,
		note: "to Linkerd, by a flag of the policy; Linkerd takes it away. l5d-response-timeout has the same form"},
	{name: "Finagle-Ctx-com.twitter.finagle.Deadline", field: "Finagle-Ctx-Com.twitter.finagle.deadline", form: pairText, unit: time.Nanosecond, absolute: true,
		note: "Finagle over HTTP: when it was set, and until when; the first bounds what a slow clock could add"},
	{name: "mux com.twitter.finagle.Deadline", form: pairBytes, unit: time.Nanosecond, absolute: true,
		note: "the same in a context of a Mux frame; any other length is an error"},
	{name: "tchannel ttl", form: word, unit: time.Millisecond, zero: zeroForbidden,
		note: "a field of TChannel's call frame, the way taken off by the sender; its relays cut it at 2 minutes"},
	{name: "Context-TTL-MS", field: "Context-Ttl-Ms", form: digits, unit: time.Millisecond, most: 19, over: Valid, zero: zeroExpired,
		note: "YARPC over HTTP, counted from the start of the call; YARPC answers 400 to what is not in form, we use the default"},
	{name: "client_timeout", field: "Client_timeout", form: digits, unit: time.Millisecond, most: 10, over: Malformed, max: int32Max, zero: zeroNone,
		note: "THeader, static; 0 opts out. queue_timeout has the same form but bounds the queue alone: Parse it, and give it to Take"},
	{name: "ttheader rpc_timeout", form: digits, unit: time.Millisecond, most: 10, over: Malformed, zero: zeroNone,
		note: "Kitex, only if locked: the configured value and not what is left, so it bounds but does not tell"},
	{name: "_TO", field: "_to", form: digits, unit: time.Millisecond, most: 19, over: Valid, zero: zeroNone,
		note: "Dubbo, where turned on: what is left, the way taken off by the sender"},
	{name: "brpc timeout_ms", form: digits, unit: time.Millisecond, most: 10, over: Malformed, max: int32Max, zero: zeroNone,
		note: "a field of brpc's request meta, off by default, less the time of earlier attempts"},
	{name: "X-YaTaxi-Client-TimeoutMs", field: "X-Yataxi-Client-Timeoutms", form: digits, unit: time.Millisecond, most: 20, over: Malformed, ignored: tenYears, zero: zeroExpired,
		note: "userver, counted by the receiver from the start of the request; ten years and more are ignored"},
	{name: "X-Request-Deadline", field: "X-Request-Deadline", form: stamp, unit: time.Millisecond, absolute: true, skew: time.Minute,
		note: "userver: handed on as it came; more than 60 s of skew is ignored. Read as RFC 3339 or Unix seconds"},
	{name: "amz-sdk-request ttl", field: "Amz-Sdk-Request", form: amz, unit: time.Second, absolute: true, shared: true,
		note: "AWS SDKs: the end of the attempt, corrected for skew by the client"},
	{name: "X-Server-Timeout", field: "X-Server-Timeout", form: seconds, unit: time.Second, most: 19, over: Valid, zero: zeroNone,
		note: "Google APIs, seconds; their clients round up, we down. Some clients send a fraction"},
	{name: "X-Client-Timeout-Ms", field: "X-Client-Timeout-Ms", form: digits, unit: time.Millisecond, most: 19, over: Malformed, max: int64Max, zero: zeroNone,
		note: "shed and others; the receiver takes off the way"},
	{name: "Request-Timeout", field: "Request-Timeout", form: term, unit: time.Millisecond, most: 20, over: Valid, zero: zeroNone, units: unitsNexus,
		note: "Nexus: ms, s or m; the server takes the smaller of it and its own wait"},
	{name: "Prefer: wait", field: "Prefer", form: prefer, unit: time.Second, most: 19, over: Valid, zero: zeroNone, shared: true,
		note: "RFC 7240, seconds; a server may ignore it"},
	{name: "X-Leo-Timeout", field: "X-Leo-Timeout", form: terms, unit: time.Millisecond, most: 20, over: Valid, zero: zeroNone, units: unitsLeo,
		note: "go-leo: Go's durations, but with gRPC's units at the end, where m is a millisecond"},
	{name: "Deadline", field: "Deadline", form: date, unit: time.Millisecond, absolute: true,
		note: "several small libraries: RFC 3339 or the date of HTTP"},
}

// The dialects. The first two are our own.
var (
	XDeadlineMs         = Dialect{row: 0}
	XDeadline           = Dialect{row: 1}
	GRPCTimeout         = Dialect{row: 2}
	GRPCGatewayTimeout  = Dialect{row: 3}
	ConnectTimeoutMs    = Dialect{row: 4}
	TripleTimeoutMs     = Dialect{row: 5}
	EnvoyTimeoutMs      = Dialect{row: 6}
	EnvoyExpectedMs     = Dialect{row: 7}
	LinkerdTimeout      = Dialect{row: 8}
	FinagleDeadline     = Dialect{row: 9}
	MuxDeadline         = Dialect{row: 10}
	TChannelTTL         = Dialect{row: 11}
	YARPCTimeoutMs      = Dialect{row: 12}
	THeaderTimeoutMs    = Dialect{row: 13}
	KitexTimeoutMs      = Dialect{row: 14}
	DubboTimeoutMs      = Dialect{row: 15}
	BRPCTimeoutMs       = Dialect{row: 16}
	UserverTimeoutMs    = Dialect{row: 17}
	UserverDeadline     = Dialect{row: 18}
	AWSTTL              = Dialect{row: 19}
	GoogleServerTimeout = Dialect{row: 20}
	ClientTimeoutMs     = Dialect{row: 21}
	NexusTimeout        = Dialect{row: 22}
	PreferWait          = Dialect{row: 23}
	LeoTimeout          = Dialect{row: 24}
	DeadlineDate        = Dialect{row: 25}
)

// Dialects returns all there are, in the order of conformance/README.md.
func Dialects() []Dialect {
	all := make([]Dialect, len(wires))
	for i := range wires {
		all[i].row = uint8(i)
	}
	return all
}

// binary reports whether the value is bytes and not text, so that a blank in it counts.
func (w *wire) binary() bool { return w.form == pairBytes || w.form == word }
