/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.background;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings replicas together by reads alone, as far as they differ in little: each replica is asked for a digest of a
 * part, and where these differ, all are read, which gives each of them what it lacks. Nothing is flushed, streamed or
 * compacted for that, and what comes into a store is an announced mutation like any other. What differs in much, or
 * cannot be read, is left to a repair of Cassandra's.
 */
final class RepairByReading implements Repairs {
    private static final Logger log = LoggerFactory.getLogger(RepairByReading.class);

    /** Read by each replica between two rests, about. */
    private static final long STEP_BYTES = 512L << 10;

    /** The same where there is so much that the round trips would take longer than the reading. */
    private static final long LARGEST_STEP_BYTES = 8L << 20;

    private static final int STEPS_OF_A_PIECE = 64;

    /** What is read from all replicas where their digests differ, about. */
    private static final long LEAF_BYTES = 64L << 10;

    /** Questions under way at one time. */
    private static final int MOST_AT_ONCE = 64;

    /** Of what is compared; what differs beyond that comes by streams, from one replica instead of all. */
    private static final int SHARE_READ = 4;

    /** As many bytes are always read rather than streamed. */
    private static final long LEAST_READ = 1L << 20;

    /** What the replicas of a table can be asked. Blocks; each call ends within the time-outs of Cassandra's reads. */
    interface Replicas {
        /** Whether this table's replicas give each other what they lack when all of them are read. */
        boolean canBeRead(TableMetadata table);

        /**
         * For each of these ranges, whether all its replicas hold the same.
         *
         * @param ranges none goes over the ring's end
         */
        boolean[] alike(TableMetadata table, List<Range<Token>> ranges) throws UnreadException, InterruptedException;

        /**
         * Reads from all replicas, which then hold the same.
         *
         * @param mostBytes after so many it stops
         * @return how many bytes that were; {@code mostBytes} or more: it may have stopped before the end
         */
        long bringTogether(TableMetadata table, Range<Token> range, long mostBytes, Pace pace)
                throws UnreadException, InterruptedException;
    }

    /** A replica is down, late, or refuses. */
    static final class UnreadException extends Exception {
        private static final long serialVersionUID = 1L;

        UnreadException(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    private final Replicas replicas;
    private final Repairs streams;

    RepairByReading(Replicas replicas, Repairs streams) {
        this.replicas = replicas;
        this.streams = streams;
    }

    @Override
    public boolean run(
            TableMetadata table, @Nullable InetAddressAndPort source, Collection<Range<Token>> ranges, Pace pace)
            throws InterruptedException {
        if (source != null || !replicas.canBeRead(table)) {
            return streams.run(table, source, ranges, pace);
        }
        List<Range<Token>> left = new Piece(table, ranges.isEmpty() ? held(table) : ranges, pace).compare();
        if (left.isEmpty()) {
            return true;
        }
        pace.next();
        return streams.run(table, null, left, pace);
    }

    @Override
    public List<Range<Token>> held(TableMetadata table) {
        return streams.held(table);
    }

    @Override
    public long bytesOf(TableMetadata table, Collection<Range<Token>> ranges) {
        return streams.bytesOf(table, ranges);
    }

    /** What one call of {@link #run} is about. */
    private final class Piece {
        private final TableMetadata table;
        private final Pace pace;
        private final long bytes;
        private final List<Range<Token>> ranges = new ArrayList<>();

        /** What streams are to bring together, in the ring's order. */
        private final List<Range<Token>> left = new ArrayList<>();

        private long mayBeRead;

        Piece(TableMetadata table, Collection<Range<Token>> ranges, Pace pace) {
            this.table = table;
            this.pace = pace;
            bytes = bytesOf(table, ranges);
            mayBeRead = Math.max(LEAST_READ, bytes / SHARE_READ);
            ranges.forEach(range -> this.ranges.addAll(range.unwrap()));
        }

        /** @return what is to be streamed */
        List<Range<Token>> compare() throws InterruptedException {
            long stepBytes = Math.min(LARGEST_STEP_BYTES, Math.max(STEP_BYTES, bytes / STEPS_OF_A_PIECE));
            List<Range<Token>> parts = cut(ranges, bytes, stepBytes);
            long bytesOfPart = bytes / Math.max(1, parts.size());
            int done = 0;
            List<Range<Token>> leftOfDone = List.of();
            try {
                for (List<Range<Token>> step : steps(parts, bytesOfPart, stepBytes)) {
                    compare(step, bytesOfPart, stepBytes);
                    done += step.size();
                    leftOfDone = List.copyOf(left);
                }
            } catch (UnreadException e) {
                log.info(
                        "MeteorShower: {}: the replicas could not be compared by reads ({}); the rest of this piece is"
                                + " left to Cassandra's repair",
                        table,
                        e.getMessage());
                List<Range<Token>> rest = new ArrayList<>(leftOfDone);
                rest.addAll(parts.subList(done, parts.size()));
                return rest;
            }
            if (!left.isEmpty()) {
                log.info(
                        "MeteorShower: {}: the replicas differ in so much that {} ranges of this piece are left to"
                                + " Cassandra's repair",
                        table,
                        left.size());
            }
            return left;
        }

        private void compare(List<Range<Token>> step, long bytesOfPart, long stepBytes)
                throws UnreadException, InterruptedException {
            pace.next();
            List<Range<Token>> differing = differing(step);
            if (differing.isEmpty()) {
                return;
            }
            List<Range<Token>> leaves = cut(differing, bytesOfPart * differing.size(), LEAF_BYTES);
            if (leaves.size() == differing.size()) {
                bringTogether(leaves);
                return;
            }
            for (List<Range<Token>> some : steps(leaves, LEAF_BYTES, stepBytes)) {
                pace.next();
                bringTogether(differing(some));
            }
        }

        private List<Range<Token>> differing(List<Range<Token>> some) throws UnreadException, InterruptedException {
            boolean[] alike = replicas.alike(table, some);
            List<Range<Token>> differing = new ArrayList<>();
            for (int i = 0; i < alike.length; i++) {
                if (!alike[i]) {
                    differing.add(some.get(i));
                }
            }
            return differing;
        }

        private void bringTogether(List<Range<Token>> leaves) throws UnreadException, InterruptedException {
            for (Range<Token> leaf : leaves) {
                if (mayBeRead > 0) {
                    pace.next();
                    mayBeRead -= replicas.bringTogether(table, leaf, mayBeRead, pace);
                }
                if (mayBeRead <= 0) {
                    leave(leaf);
                }
            }
        }

        /** To streams; as a part of the range before, where that ends here and both are of one that was asked for. */
        private void leave(Range<Token> leaf) {
            if (!left.isEmpty()) {
                Range<Token> last = left.get(left.size() - 1);
                Range<Token> both = new Range<>(last.left, leaf.right);
                if (last.right.equals(leaf.left) && ranges.stream().anyMatch(range -> range.contains(both))) {
                    left.set(left.size() - 1, both);
                    return;
                }
            }
            left.add(leaf);
        }

        /** Into parts of about so many bytes at most. */
        private List<Range<Token>> cut(List<Range<Token>> all, long bytesOfAll, long bytesEach) {
            return Pieces.split(all, (int) Math.max(1, (bytesOfAll + bytesEach - 1) / bytesEach), table.partitioner);
        }

        /** So many at once as are a step's bytes together. */
        private List<List<Range<Token>>> steps(List<Range<Token>> parts, long bytesEach, long stepBytes) {
            int atOnce = (int) Math.max(1, Math.min(MOST_AT_ONCE, stepBytes / Math.max(1, bytesEach)));
            List<List<Range<Token>>> steps = new ArrayList<>();
            for (int i = 0; i < parts.size(); i += atOnce) {
                steps.add(parts.subList(i, Math.min(parts.size(), i + atOnce)));
            }
            return steps;
        }
    }
}
