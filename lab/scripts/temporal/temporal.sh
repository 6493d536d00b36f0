#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Temporal's tests of its persistence (https://github.com/temporalio/temporal, MIT) on tables of transactions.
#
#     ./meteor cluster start --dcs eu,us,asia --delay 5 --heap 512
#     lab/scripts/temporal/temporal.sh CHECKOUT [HOST] [PATTERN]
#
# CHECKOUT is a clone of Temporal with the tag that is tried here; it is not changed. HOST is a node (127.0.0.1).
# PATTERN says which tests (TestCassandra). Needs Go. What is changed in the copy: after Temporal's schema is made its
# tables take part in transactions, and test suites that read at ONE read at Temporal's own level, LOCAL_QUORUM.
#
# METEORSHOWER_NOT          tables that stay Cassandra's own (cluster_membership, which has an index and expires)
# METEORSHOWER_TRANSACTIONS no: all of them stay so, for comparison
# METEORSHOWER_REPLICATION  of the keyspaces (one replica in each of eu, us, asia)
# METEORSHOWER_CONSISTENCY  QUORUM,SERIAL for instance; LOCAL_QUORUM,LOCAL_SERIAL is Temporal's own
# METEORSHOWER_DC           the data centre whose nodes are asked (all; of one, the driver panics now and then)
# METEORSHOWER_LATENCIES    with PATTERN TestMeteorShowerLatency: so many executions are created, updated and read
#
# Exit code: 0 all tests passed; 1 some failed; 2 it could not run.
set -euo pipefail

tag=v1.31.2
here=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
[[ $# -ge 1 && -d $1/.git ]] || { sed -n '3,21s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2; exit 2; }
command -v go >/dev/null || { echo "Go is not installed: see https://go.dev/doc/install" >&2; exit 2; }
checkout=$(cd -P -- "$1" && pwd)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git clone -q --shared --branch "$tag" "$checkout" "$work/temporal" 2>/dev/null ||
    { echo "$checkout has no tag $tag: git -C $checkout fetch --tags" >&2; exit 2; }
cd "$work/temporal"

persistence=common/persistence
cp "$here/take_part.go" $persistence/cassandra/
cp "$here/consistency.go" $persistence/tests/meteorshower.go
cp "$here/latency_test.go" $persistence/tests/meteorshower_test.go
sed -i 's/Consistency: "ONE",/Consistency: "LOCAL_QUORUM",/; s/^\(\s*\)s.logger.Info("loaded schema")/\1TakePart(s.session, s.keyspace)\n&/' \
    $persistence/cassandra/test.go
sed -i '/^func ApplySchemaUpdate/,/^}/ s/^}/\tcassandra.TakePart(session, cfg.Keyspace)\n}/
    s/^\(\s*\)ConnectTimeout: 30 \* time.Second,/&\n\1Consistency: consistencyAsked(),\n\1Datacenter: os.Getenv("METEORSHOWER_DC"),/' \
    $persistence/tests/cassandra_test_util.go

echo "building the tests of Temporal $tag; minutes when it is done for the first time" >&2
go test -c -o "$work/persistence.test" ./$persistence/tests || exit 2

export METEORSHOWER_NOT=${METEORSHOWER_NOT-cluster_membership}
export METEORSHOWER_REPLICATION=${METEORSHOWER_REPLICATION-"{'class': 'NetworkTopologyStrategy', 'eu': 1, 'us': 1, 'asia': 1}"}
export CASSANDRA_SEEDS=${2:-127.0.0.1} CASSANDRA_PORT=9042
cd $persistence/tests
log=$PWD/log
"$work/persistence.test" -test.run "${3:-TestCassandra}" -test.v -test.timeout 30m >"$log" 2>&1 && status=0 || status=1

grep -E '^ *--- FAIL|^LATENCY|^panic' "$log" || true
echo "passed $(grep -cE '^ *--- PASS' "$log" || true), failed $(grep -cE '^ *--- FAIL' "$log" || true)" \
    "(a test with parts is counted as one more)"
grep -o 'MeteorShower: [^"]*' "$log" | sed 's/test_[0-9a-z_]*\.//g' | cut -c1-150 | sort | uniq -c | sort -rn | head -10 || true
exit $status
