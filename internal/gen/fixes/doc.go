// Package fixes has the programs of docs/fixes.md, a file a rule, and the test that runs them. The form of the files, and the page
// that is made of them, are package gen's.
package fixes
