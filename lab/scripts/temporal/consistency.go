// SPDX-License-Identifier: Apache-2.0

package tests

import (
	"os"
	"strings"

	"go.temporal.io/server/common/config"
)

// consistencyAsked is METEORSHOWER_CONSISTENCY, as "QUORUM,SERIAL"; nil for Temporal's own, LOCAL_QUORUM,LOCAL_SERIAL.
func consistencyAsked() *config.CassandraStoreConsistency {
	level, serial, found := strings.Cut(os.Getenv("METEORSHOWER_CONSISTENCY"), ",")
	if !found {
		return nil
	}
	return &config.CassandraStoreConsistency{
		Default: &config.CassandraConsistencySettings{Consistency: level, SerialConsistency: serial},
	}
}
