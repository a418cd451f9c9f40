module github.com/doneby/doneby/deadline/deadlineconnect

go 1.26.0

require (
	connectrpc.com/connect v1.21.1
	github.com/doneby/doneby/deadline v0.0.0-00010101000000-000000000000
	google.golang.org/protobuf v1.36.11
)

replace github.com/doneby/doneby/deadline => ../
