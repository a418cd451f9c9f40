// Package equality holds the tests of what must be the same however doneby is run: standalone, under go vet, in
// golangci-lint, and under x/tools' own driver, which is the oracle. It has no code of its own.
//
// go test ./internal/equality builds doneby and a golangci-lint with the plugin, which takes minutes on an empty build
// cache; with -short it does nothing. DONEBY_MODULES names further modules to compare on (make equality).
package equality
