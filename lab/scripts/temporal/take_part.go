// SPDX-License-Identifier: Apache-2.0

// Package cassandra has this file beside Temporal's own for one run of its tests (see temporal.sh).
package cassandra

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"go.temporal.io/server/common/persistence/nosql/nosqlplugin/cassandra/gocql"
)

// TakePart replicates a keyspace as METEORSHOWER_REPLICATION says, and lets its tables take part in transactions, but
// for those in METEORSHOWER_NOT. With METEORSHOWER_TRANSACTIONS=no the tables stay Cassandra's own.
func TakePart(session gocql.Session, keyspace string) {
	change(session, "ALTER KEYSPACE "+keyspace+" WITH replication = "+os.Getenv("METEORSHOWER_REPLICATION"))
	if os.Getenv("METEORSHOWER_TRANSACTIONS") == "no" {
		return
	}
	var table string
	tables := session.Query("SELECT table_name FROM system_schema.tables WHERE keyspace_name = ?", keyspace).Iter()
	for tables.Scan(&table) {
		if !slices.Contains(strings.Split(os.Getenv("METEORSHOWER_NOT"), ","), table) {
			change(session, "UPDATE meteorshower.tables SET transactions = true WHERE keyspace_name = '"+keyspace+
				"' AND table_name = '"+table+"'")
		}
	}
	if err := tables.Close(); err != nil {
		fmt.Println("METEORSHOWER: the tables are not known:", err)
	}
	time.Sleep(2 * time.Second) // until all nodes know
	awaitRanges(session, keyspace)
}

// The first range of a cluster is refused until all data centres have noted which rows they have.
func awaitRanges(session gocql.Session, keyspace string) {
	query := "SELECT txn_id FROM " + keyspace + ".history_node WHERE tree_id = 00000000-0000-0000-0000-000000000001"
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		if session.Query(query).Consistency(gocql.Quorum).Exec() == nil {
			return
		}
	}
}

func change(session gocql.Session, statement string) {
	if err := session.Query(statement).Exec(); err != nil {
		fmt.Println("METEORSHOWER:", statement, err)
	}
}
