package summaries

import "strings"

// embedded reports whether a wait is for a database that runs in this process, as far as what the package imports tells: its files
// are on this machine, and what holds a statement up is a lock. Where drivers of both sorts are imported, it may be.
func (r *Result) embedded(w Wait) bool {
	return r.entries.EmbeddedDatabase() && (strings.HasPrefix(w.Name, "(*sql.") || strings.HasPrefix(w.Name, "(*sqlx."))
}
