// Package words takes names apart. What a name says is used where code says it in no other way: that a function recovers what was
// stored, that a server is there for metrics.
package words

import (
	"strings"
	"unicode"
)

// Of returns the words of a name, split at capitals and at what is no letter, in lower case: applyDBMigration is apply, db, migration.
func Of(name string) []string {
	var words []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			words = append(words, strings.ToLower(string(word)))
			word = nil
		}
	}
	runes := []rune(name)
	for i, c := range runes {
		switch {
		case !unicode.IsLetter(c):
			flush()
			continue
		case unicode.IsUpper(c) && begins(runes, i):
			flush()
		}
		word = append(word, c)
	}
	flush()
	return words
}

// begins reports whether a capital begins a word: it comes after a small letter, or before one.
func begins(runes []rune, i int) bool {
	return i > 0 && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]))
}
