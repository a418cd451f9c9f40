// Package gen writes what is derived from something else in the repository: the tables in the documents from the rules and
// their kinds, the example in the top README from the demo's output. Its tests fail when a file is not what would be written
// now, and rewrite it under -update.
package gen
