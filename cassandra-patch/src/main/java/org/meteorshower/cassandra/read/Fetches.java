/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import org.apache.cassandra.db.PartitionRangeReadCommand;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.filter.DataLimits;
import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.Effect.Failure;
import org.meteorshower.protocol.Effect.ReadInfo;
import org.meteorshower.runtime.RequestRefusedException;

/**
 * One client's SELECT at a cut: fetches its partitions, each on the same terms, and sums up how they were served. Used
 * by one thread, for one request.
 */
public final class Fetches {
    /** More rows than this are not gathered for one aggregate. */
    private static final int MAX_AGGREGATED_ROWS = 100_000;

    /** So often a scan begins anew where its cut was lost. */
    private static final int MOST_SCANS = 4;

    private final PartitionFetch fetch;
    private final ScanFetch scans;
    private final ReadTerms terms;
    private @Nullable ReadInfo sum;
    private long latestCutMicros;
    private boolean elsewhere;

    /** @param scans for SELECTs of a range of partitions */
    public Fetches(PartitionFetch fetch, ScanFetch scans, ReadTerms terms) {
        this.fetch = fetch;
        this.scans = scans;
        this.terms = terms;
    }

    /**
     * The rows of the SELECT, or of its next page. Blocks at most until the deadline of the terms.
     *
     * @throws RequestRefusedException if one of its partitions, or the scan, was refused
     */
    public ResultMessage.Rows rowsOf(RowsAsked asked, SelectRunner runner) throws RequestRefusedException {
        for (int scanned = 1; ; scanned++) {
            try (Sources sources = new Sources(asked)) {
                return runner.run(asked, sources, this::cutSeconds);
            } catch (NotFetched e) {
                if (e.refusal().failure() != Failure.CUT_GONE || scanned == MOST_SCANS || terms.isOver()) {
                    throw e.refusal();
                }
                sum = null; // what was read at that cut is dropped
            }
        }
    }

    /** Where the rows come from: partitions by themselves, or a scan, which has one cut for all its pages. */
    private final class Sources implements SelectRunner.SourceOf, AutoCloseable {
        private final boolean aggregates;
        private final long afterMicros;
        private @Nullable OpenScan scan;

        Sources(RowsAsked asked) {
            this.afterMicros = PageCut.microsOf(asked.options().getPagingState(), System.currentTimeMillis());
            this.aggregates = asked.select().getAggregationSpec(asked.options()) != null;
        }

        @Override
        public ServedRead.Source source(SinglePartitionReadCommand command) {
            return aggregates ? new Whole(command) : Fetches.this::fetchedRows;
        }

        @Override
        public ServedScan.Source scan(PartitionRangeReadCommand command) {
            return page -> {
                try {
                    OpenScan open = scan;
                    if (open == null) {
                        open = scans.open(page, terms, afterMicros);
                        scan = open;
                        add(open.info());
                        elsewhere |= open.elsewhere();
                    }
                    return open.rowsFor(page);
                } catch (RequestRefusedException e) {
                    throw new NotFetched(e);
                } catch (InterruptedException e) {
                    throw interrupted();
                }
            };
        }

        @Override
        public long scannedAtMicros() {
            OpenScan open = scan;
            return open == null ? afterMicros : open.info().cutMicros();
        }

        @Override
        public void close() {
            OpenScan open = scan;
            if (open != null) {
                open.close();
            }
        }
    }

    private static NotFetched interrupted() {
        Thread.currentThread().interrupt();
        return new NotFetched(new RequestRefusedException(Failure.TIMED_OUT, "the node is shutting down"));
    }

    private long cutSeconds() {
        return sum == null ? 0 : sum.cutMicros() / 1_000_000;
    }

    /** The oldest cut, the longest staleness, the slowest way of being served; null if nothing was fetched. */
    public @Nullable ReadInfo sum() {
        return sum;
    }

    /** What the session has seen by now; 0 if nothing. */
    public long latestCutMicros() {
        return latestCutMicros;
    }

    /** Whether another node has served any of them. */
    public boolean elsewhere() {
        return elsewhere;
    }

    private @Nullable ImmutableBTreePartition fetchedRows(SinglePartitionReadCommand command) {
        try {
            FetchedPartition fetched = fetch.fetch(command, terms);
            add(fetched.info());
            elsewhere |= fetched.elsewhere();
            return fetched.rows();
        } catch (RequestRefusedException e) {
            throw new NotFetched(e);
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    private void add(ReadInfo info) {
        ReadInfo before = sum;
        latestCutMicros = Math.max(latestCutMicros, info.cutMicros());
        sum = before == null
                ? info
                : new ReadInfo(
                        Math.min(before.cutMicros(), info.cutMicros()),
                        before.served().compareTo(info.served()) > 0 ? before.served() : info.served(),
                        Math.max(before.stalenessMicros(), info.stalenessMicros()),
                        before.awaited() == null ? info.awaited() : before.awaited());
    }

    /** Fetches the whole selection once, so that all pages of an aggregate are as of one cut. */
    private final class Whole implements ServedRead.Source {
        private final SinglePartitionReadCommand command;
        private boolean fetched;
        private @Nullable ImmutableBTreePartition rows;

        Whole(SinglePartitionReadCommand command) {
            this.command = command;
        }

        @Override
        public @Nullable ImmutableBTreePartition rowsFor(SinglePartitionReadCommand page) {
            if (!fetched) {
                rows = fetchedRows(command.withUpdatedLimit(DataLimits.cqlLimits(MAX_AGGREGATED_ROWS + 1)));
                fetched = true;
                if (rows != null && rows.rowCount() > MAX_AGGREGATED_ROWS) {
                    throw new InvalidRequestException("the aggregate covers more than " + MAX_AGGREGATED_ROWS
                            + " rows of one partition, too many to gather as of one time: narrow it by clustering"
                            + " columns, or page through the rows and aggregate in the client");
                }
            }
            return rows;
        }
    }

    /** Carries a refusal through Cassandra's code, which knows no such checked exception. */
    private static final class NotFetched extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final transient RequestRefusedException refusal;

        NotFetched(RequestRefusedException refusal) {
            super(refusal.getMessage(), refusal, false, false);
            this.refusal = refusal;
        }

        RequestRefusedException refusal() {
            return refusal;
        }
    }
}
