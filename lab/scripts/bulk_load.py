#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Loads rows with new keys through transactions, with the stock Python driver (pip install cassandra-driver).

    ./meteor cluster start --dcs eu,us,asia --delay 5 --heap 512
    python3 lab/scripts/bulk_load.py --mb 400

Each transaction inserts several rows. One that is refused because the cluster is overloaded is sent again after the
time that the refusal tells; any other that failed is sent again after a pause, since inserts of constants may happen
twice.
Prints a line each second, and in the end the errors by kind and the rate of each tenth of the load. With --check all
acknowledged rows are read again, and their values compared.

Exit codes: 0 all is loaded (and there); 1 something was given up or is lost; 2 it could not run.
"""
import argparse
import hashlib
import json
import re
import sys
import threading
import time
from collections import Counter, deque

from cassandra import OperationTimedOut
from cassandra.cluster import EXEC_PROFILE_DEFAULT, Cluster, ExecutionProfile, NoHostAvailable
from cassandra.policies import FallthroughRetryPolicy, WhiteListRoundRobinPolicy

OVERLOADED_CODE = 0x1001
TIME_TOLD = re.compile(r"(\d+) ms")
PAUSE_SECONDS = 0.5
MOST_ATTEMPTS = 100


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--contact", default="127.0.0.1", help="the node that is asked; no other is")
    parser.add_argument("--port", type=int, default=9042)
    parser.add_argument("--mb", type=float, default=400, help="how much to load, in MB of values (default: 400)")
    parser.add_argument("--rows", type=int, default=20, help="rows in a transaction (default: 20)")
    parser.add_argument("--bytes", type=int, default=1000, help="bytes of a row's value (default: 1000)")
    parser.add_argument("--in-flight", type=int, default=16, help="transactions under way (default: 16)")
    parser.add_argument("--rate", type=float, default=0, help="rows a second at most (default: as many as go)")
    parser.add_argument("--seconds", type=float, default=0, help="ends after so long at the latest")
    parser.add_argument("--patience", type=float, default=120, help="ends after so long without an acknowledgement")
    parser.add_argument("--timeout", type=float, default=20, help="seconds until the driver gives a request up")
    parser.add_argument("--keyspace", default="bulk")
    parser.add_argument("--table", default="rows")
    parser.add_argument("--dcs", default="eu,us,asia", help="where the keyspace has replicas, if it is made")
    parser.add_argument("--first-key", type=int, default=0)
    parser.add_argument("--check", action="store_true", help="read all acknowledged rows in the end")
    parser.add_argument("--json", help="write the figures to a file")
    return parser.parse_args()


def value_of(key, size):
    """Text that follows from the key and does not compress to nothing."""
    block = hashlib.sha256(str(key).encode()).hexdigest()
    blocks = [hashlib.sha256((block + str(i)).encode()).hexdigest() for i in range(size // 64 + 1)]
    return "".join(blocks)[:size]


def connect(options):
    profile = ExecutionProfile(
        load_balancing_policy=WhiteListRoundRobinPolicy([options.contact]),
        retry_policy=FallthroughRetryPolicy(),
        request_timeout=options.timeout,
    )
    cluster = Cluster(
        [options.contact],
        port=options.port,
        execution_profiles={EXEC_PROFILE_DEFAULT: profile},
        schema_metadata_enabled=False,
        token_metadata_enabled=False,
        connect_timeout=20,
    )
    return cluster, cluster.connect()


def make_table(session, options):
    replicas = ", ".join("'%s': 1" % dc for dc in options.dcs.split(","))
    name = "%s.%s" % (options.keyspace, options.table)
    session.execute(
        "CREATE KEYSPACE IF NOT EXISTS %s WITH replication = {'class': 'NetworkTopologyStrategy', %s}"
        % (options.keyspace, replicas)
    )
    session.execute("CREATE TABLE IF NOT EXISTS %s (id bigint PRIMARY KEY, value text)" % name)
    eventually(
        lambda: session.execute(
            "UPDATE meteorshower.tables SET transactions = true WHERE keyspace_name = '%s' AND table_name = '%s'"
            % (options.keyspace, options.table)
        )
    )
    eventually(
        lambda: session.execute("BEGIN TRANSACTION SELECT * FROM %s WHERE id = -1; COMMIT TRANSACTION" % name)
    )
    return name


def eventually(step):
    deadline = time.monotonic() + 90
    while True:
        try:
            return step()
        except Exception:  # a node that has not heard of the table yet says so in several ways
            if time.monotonic() > deadline:
                raise
            time.sleep(0.25)


def kind_of(failure):
    if isinstance(failure, NoHostAvailable):
        inner = [kind_of(each) for each in failure.errors.values()]
        return inner[0] if inner else "NoHostAvailable"
    if getattr(failure, "code", None) == OVERLOADED_CODE or "OverloadedErrorMessage" in type(failure).__name__:
        return "OVERLOADED"
    if isinstance(failure, OperationTimedOut):
        return "no answer within --timeout"
    return type(failure).__name__


def pause_after(failure):
    """Seconds to wait; an overloaded node tells how long."""
    if kind_of(failure) == "OVERLOADED":
        told = TIME_TOLD.search(str(failure))
        if told:
            return min(10.0, int(told.group(1)) / 1000)
    return PAUSE_SECONDS


class Load:
    """Keeps so many transactions under way. Callbacks run on the driver's thread, the rest on the main one."""

    def __init__(self, session, options, name):
        self.session = session
        self.options = options
        insert = "INSERT INTO %s (id, value) VALUES (?, ?); " % name
        self.statement = session.prepare("BEGIN TRANSACTION %sCOMMIT TRANSACTION" % (insert * options.rows))
        self.total = int(options.mb * 1e6 / (options.bytes * options.rows))
        self.lock = threading.Condition()
        self.under_way = 0
        self.next = 0
        self.again = deque()  # (not before, transaction, attempts)
        self.acknowledged = bytearray(self.total)
        self.times = []
        self.latencies = []
        self.errors = Counter()
        self.given_up = 0
        self.began = time.monotonic()

    def run(self):
        reporter = threading.Thread(target=self.report, daemon=True)
        reporter.start()
        while True:
            job = self.take()
            if job is None:
                break
            self.send(*job)
        self.ended = time.monotonic()

    def take(self):
        """The next transaction to send, once there is room; none when all have ended."""
        with self.lock:
            while True:
                now = time.monotonic()
                over = self.is_over(now)
                ready = self.again and self.again[0][0] <= now
                due = not self.options.rate or self.next * self.options.rows <= self.options.rate * (now - self.began)
                if over:
                    if not self.under_way:
                        self.given_up += len(self.again)
                        return None
                elif self.under_way < self.options.in_flight and ready:
                    _, number, attempts = self.again.popleft()
                    self.under_way += 1
                    return number, attempts
                elif self.under_way + len(self.again) < self.options.in_flight and self.next < self.total and due:
                    self.next += 1
                    self.under_way += 1
                    return self.next - 1, 0
                elif self.next >= self.total and not self.under_way and not self.again:
                    return None
                self.lock.wait(0.02)

    def is_over(self, now):
        late = self.options.seconds and now - self.began > self.options.seconds
        since = now - self.began - (self.times[-1] if self.times else 0)
        return late or since > self.options.patience

    def send(self, number, attempts):
        first = self.options.first_key + number * self.options.rows
        values = []
        for key in range(first, first + self.options.rows):
            values += [key, value_of(key, self.options.bytes)]
        sent = time.monotonic()
        try:
            future = self.session.execute_async(self.statement, values)
        except Exception as failure:
            self.failed(failure, number, attempts)
            return
        future.add_callbacks(
            lambda rows: self.done(number, sent), lambda failure: self.failed(failure, number, attempts)
        )

    def done(self, number, sent):
        with self.lock:
            self.under_way -= 1
            self.acknowledged[number] = 1
            self.times.append(time.monotonic() - self.began)
            self.latencies.append(time.monotonic() - sent)
            self.lock.notify()

    def failed(self, failure, number, attempts):
        with self.lock:
            self.under_way -= 1
            kind = kind_of(failure)
            if kind not in self.errors:
                print("first %s: %s" % (kind, str(failure)[:300]), flush=True)
            self.errors[kind] += 1
            if attempts + 1 >= MOST_ATTEMPTS:
                self.given_up += 1
            else:
                self.again.append((time.monotonic() + pause_after(failure), number, attempts + 1))
            self.lock.notify()

    def report(self):
        seen = 0
        while True:
            time.sleep(1)
            with self.lock:
                done, errors, waiting = len(self.times), dict(self.errors), len(self.again)
            rows = self.options.rows
            print(
                "%6.0f s %7d rows/s %8.1f MB  waiting %3d  %s"
                % (
                    time.monotonic() - self.began,
                    (done - seen) * rows,
                    done * rows * self.options.bytes / 1e6,
                    waiting,
                    errors or "",
                ),
                flush=True,
            )
            seen = done

    def tenths(self):
        """Rows a second in each tenth of what was acknowledged."""
        rates, before = [], 0.0
        for tenth in range(1, 11):
            end = len(self.times) * tenth // 10
            begin = len(self.times) * (tenth - 1) // 10
            if end > begin:
                # Where the load ends without being done, it ended with a time in which nothing went.
                until = self.ended - self.began if tenth == 10 else self.times[end - 1]
                rates.append((end - begin) * self.options.rows / max(1e-9, until - before))
                before = until
        return rates


def missing(session, options, name, load):
    """Keys that were acknowledged and are not there, or with another value."""
    select = session.prepare("SELECT value FROM %s WHERE id = ?" % name)
    lost = []
    pending = deque()

    def look(key, future):
        for _ in range(MOST_ATTEMPTS):
            try:
                row = future.result().one()
                if row is None or row.value != value_of(key, options.bytes):
                    lost.append(key)
                return
            except Exception as failure:
                time.sleep(pause_after(failure))
                future = session.execute_async(select, [key])
        lost.append(key)

    for number in range(load.total):
        if not load.acknowledged[number]:
            continue
        first = options.first_key + number * options.rows
        for key in range(first, first + options.rows):
            pending.append((key, session.execute_async(select, [key])))
            if len(pending) > 64:
                look(*pending.popleft())
    while pending:
        look(*pending.popleft())
    return lost


def at(values, percentile):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percentile / 100))] if ordered else None


def main():
    options = arguments()
    try:
        cluster, session = connect(options)
        name = make_table(session, options)
        load = Load(session, options, name)
    except Exception as failure:
        print("error: %s" % failure, file=sys.stderr)
        return 2
    load.run()
    rates = load.tenths()
    rows = len(load.times) * options.rows
    figures = {
        "rows": rows,
        "megabytes": rows * options.bytes / 1e6,
        "seconds": round(load.ended - load.began, 1),
        "rate_by_tenth": [round(rate) for rate in rates],
        "last_tenth_to_second": round(rates[-1] / rates[1], 3) if len(rates) == 10 else None,
        "p50_ms": round(1e3 * at(load.latencies, 50), 1) if load.latencies else None,
        "p99_ms": round(1e3 * at(load.latencies, 99), 1) if load.latencies else None,
        "errors": dict(load.errors),
        "given_up": load.given_up,
        "not_begun": load.total - load.next,
    }
    if options.check:
        lost = missing(session, options, name, load)
        figures["lost"] = len(lost)
        for key in lost[:20]:
            print("LOST row %d" % key)
    print(json.dumps(figures, indent=2))
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(figures, file, indent=2)
    cluster.shutdown()
    return 1 if figures.get("lost") or load.given_up else 0


if __name__ == "__main__":
    sys.exit(main())
