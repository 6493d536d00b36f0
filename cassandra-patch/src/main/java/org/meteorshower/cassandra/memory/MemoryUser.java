/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.memory;

import java.util.Locale;

/**
 * Who holds a part of the heap for the plugin. Options, virtual table and metrics call it by its name in lower case.
 */
public enum MemoryUser {
    RECORDS(0.10, Least.A_WRITE, "data is left to the journal; then a peer is left behind"),
    RETIRED_IDS(0.01, Least.A_MEGABYTE, "the oldest are forgotten"),
    STREAMS(0.02, Least.A_MEGABYTE, "a peer that begins anew waits"),
    APPLYING(0.02, Least.A_MEGABYTE, "dropped, and offered again"),
    WAITING_READS(0.02, Least.A_MEGABYTE, "one more read is refused as overloaded"),
    WAITING_WRITES(0.03, Least.A_WRITE, "one more write is refused as overloaded"),
    MESSAGES_TO_SEND(0.04, Least.A_WRITE, "dropped as if lost, and asked for again"),
    MESSAGES_RECEIVED(0.03, Least.A_WRITE, "one more call fails at once"),
    TRANSACTION_LOGS(0.06, Least.A_MEGABYTE, "entries are left to the disk; then clients are refused as overloaded"),
    TRANSACTION_ROWS(0.10, Least.A_MEGABYTE, "rows are written and let go; then clients are refused as overloaded"),
    TRANSACTION_REQUESTS(0.02, Least.A_MEGABYTE, "one more is refused as overloaded"),
    TRANSACTION_EVENTS(0.03, Least.A_MEGABYTE, "requests are refused, messages dropped and asked for again"),
    TRANSACTION_SNAPSHOTS(0.02, Least.A_MEGABYTE, "one at a time; the next is dropped, and asked for again"),
    ONLINE_CHECK(0.03, Least.A_MEGABYTE, "what comes on top is not judged"),
    PREPARED_TRANSACTIONS(0.01, Least.A_MEGABYTE, "those used longest ago are forgotten, and prepared again");

    /** What a user must be able to hold, lest it take nothing at all. */
    private enum Least {
        A_MEGABYTE,
        A_WRITE
    }

    private final double share;
    private final Least least;
    private final String atItsEnd;

    MemoryUser(double share, Least least, String atItsEnd) {
        this.share = share;
        this.least = least;
        this.atItsEnd = atItsEnd;
    }

    /** Of the heap, by default: 0 < share < 1. */
    public double share() {
        return share;
    }

    /** What happens when it holds as much as it may, in a few words. */
    public String atItsEnd() {
        return atItsEnd;
    }

    /** As options, tables and metrics call it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** @param largestWriteBytes what the largest write takes */
    long leastBytes(long largestWriteBytes) {
        return least == Least.A_WRITE ? largestWriteBytes + MemoryBudget.BESIDE_A_WRITE : MemoryBudget.MEGABYTE;
    }
}
