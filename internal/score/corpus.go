package score

import "path/filepath"

// The cases as this package's tests see them.
var (
	corpus  = filepath.Join("..", "..", "testdata", "cases")
	modules = []string{"net", "data"}
	more    = []string{"more"} // made apart from the rules, see its README
)
