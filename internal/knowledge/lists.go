package knowledge

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed lists/std.txt
var stdText string

//go:embed lists/command_libraries.txt
var commandLibrariesText string

//go:embed lists/test_libraries.txt
var testLibrariesText string

//go:embed lists/embedded_databases.txt
var embeddedDatabasesText string

//go:embed lists/embedded_stores.txt
var embeddedStoresText string

//go:embed lists/generated_clients.txt
var generatedClientsText string

var (
	std               = sync.OnceValue(func() map[string]bool { return set(stdText) })
	commandLibraries  = sync.OnceValue(func() map[string]bool { return set(commandLibrariesText) })
	testLibraries     = sync.OnceValue(func() map[string]bool { return set(testLibrariesText) })
	embeddedDatabases = sync.OnceValue(func() map[string]bool { return set(embeddedDatabasesText) })
	embeddedStores    = sync.OnceValue(func() map[string]bool { return set(embeddedStoresText) })
	generatedClients  = sync.OnceValue(func() map[string]bool { return set(generatedClientsText) })
)

// set reads a list of one word a line, # beginning a comment.
func set(text string) map[string]bool {
	words := map[string]bool{}
	for line := range strings.Lines(text) {
		for _, w := range split(strings.TrimSuffix(line, "\n")) {
			words[w.text] = true
		}
	}
	return words
}

// IsStd reports whether the standard library has a package of that path.
func IsStd(importPath string) bool { return std()[importPath] }

// IsTestLibrary reports whether the package is made for tests: importing it in a file that is no test makes a test-helper
// package.
func IsTestLibrary(importPath string) bool { return below(testLibraries(), importPath) }

// IsCommandLibrary reports whether the package is made for command lines.
func IsCommandLibrary(importPath string) bool { return below(commandLibraries(), importPath) }

// IsEmbeddedDatabase reports whether the package is the driver of a database that runs in the process that uses it.
func IsEmbeddedDatabase(importPath string) bool { return below(embeddedDatabases(), importPath) }

// IsEmbeddedStore reports whether the package is the API of a store that lives in the process that uses it.
func IsEmbeddedStore(importPath string) bool { return below(embeddedStores(), importPath) }

// IsGeneratedClient reports whether the package is a generated client, whose operations are requests.
func IsGeneratedClient(importPath string) bool { return below(generatedClients(), importPath) }

// below reports whether a path, or one that it lies below, is in the set.
func below(paths map[string]bool, path string) bool {
	for {
		if paths[path] {
			return true
		}
		i := strings.LastIndexByte(path, '/')
		if i < 0 {
			return false
		}
		path = path[:i]
	}
}
