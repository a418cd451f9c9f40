package lostdeadline

import (
	"testing"

	"github.com/doneby/doneby/internal/ruletest"
)

func Test(t *testing.T) { ruletest.Run(t, Analyzer) }
