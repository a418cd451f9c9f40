// Package sqlite stands for modernc.org/sqlite.
package sqlite
