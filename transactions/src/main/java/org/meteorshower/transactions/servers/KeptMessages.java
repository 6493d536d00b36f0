/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import java.util.Collection;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.IntToLongFunction;
import org.meteorshower.transactions.log.Version;
import org.meteorshower.transactions.servers.ChainMessage.Handed;

/**
 * What a range has handed to others, by who it is for and in the merged order: until K has passed it, or until it takes
 * too much and its receiver has executed it.
 */
final class KeptMessages {
    /** Of a message from one range to another one. */
    private record Name(long version, int step) implements Comparable<Name> {
        static Name of(Handed message) {
            return new Name(message.version(), message.step());
        }

        static Name firstOf(long count) {
            return new Name(Version.of(count, 0), 0);
        }

        @Override
        public int compareTo(Name other) {
            int byVersion = Long.compare(version, other.version);
            return byVersion != 0 ? byVersion : Integer.compare(step, other.step);
        }
    }

    private final long mostBytes;
    private final Map<Integer, TreeMap<Name, Handed>> byReceiver = new TreeMap<>();

    /** By receiver: some below this version have been let go of, though K has not passed them. */
    private final Map<Integer, Long> letGoBelow = new TreeMap<>();

    private long bytes;

    KeptMessages(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    long bytes() {
        return bytes;
    }

    void keep(Handed message) {
        Handed before =
                byReceiver.computeIfAbsent(message.to(), to -> new TreeMap<>()).put(Name.of(message), message);
        bytes += message.weight() - (before == null ? 0 : before.weight());
    }

    /** Whether all from this count on is here that was handed to the receiver. */
    boolean hasAll(int receiver, long count) {
        return letGoBelow.getOrDefault(receiver, 0L) <= Version.of(count, 0);
    }

    /** What was handed to the receiver from this count on, in the merged order. */
    Collection<Handed> from(int receiver, long count) {
        NavigableMap<Name, Handed> its = byReceiver.getOrDefault(receiver, new TreeMap<>());
        return its.tailMap(Name.firstOf(count), true).values();
    }

    /** Nobody will ask for what is before this count. */
    void passed(long done) {
        for (TreeMap<Name, Handed> its : byReceiver.values()) {
            while (!its.isEmpty() && its.firstKey().version() < Version.of(done, 0)) {
                bytes -= its.pollFirstEntry().getValue().weight();
            }
        }
    }

    /**
     * Lets go, where it takes too much.
     *
     * @param executed how far each receiver is said to be
     */
    void trim(IntToLongFunction executed) {
        while (bytes > mostBytes) {
            int oldest = oldest(executed);
            TreeMap<Name, Handed> its = byReceiver.get(oldest);
            if (its == null) {
                return;
            }
            Map.Entry<Name, Handed> gone = its.pollFirstEntry();
            bytes -= gone.getValue().weight();
            letGoBelow.put(
                    oldest, Math.max(gone.getKey().version() + 1, letGoBelow.getOrDefault(oldest, 0L))); // in no order
        }
    }

    /** The receiver of the oldest that can go; one that there is not, where none can. */
    private int oldest(IntToLongFunction executed) {
        int oldest = Integer.MIN_VALUE;
        long version = Long.MAX_VALUE;
        for (Map.Entry<Integer, TreeMap<Name, Handed>> each : byReceiver.entrySet()) {
            if (!each.getValue().isEmpty()
                    && each.getValue().firstKey().version() < version
                    && each.getValue().firstKey().version() < Version.of(executed.applyAsLong(each.getKey()), 0)) {
                oldest = each.getKey();
                version = each.getValue().firstKey().version();
            }
        }
        return oldest;
    }

    /** All from K on is handed once more. */
    void beginAnew() {
        letGoBelow.clear();
    }
}
