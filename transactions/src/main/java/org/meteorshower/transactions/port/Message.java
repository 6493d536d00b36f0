/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.port;

import java.util.List;
import java.util.Map;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.log.Submission;

/** What data centres tell each other. No order is assumed between messages; they may be lost, and come twice. */
public sealed interface Message {
    /** Of one that holds little. */
    long WEIGHT = 160;

    /** Phase 1: asks for a promise, and for what was accepted from a position on. */
    record Prepare(int lane, long ballot, long from) implements Message {}

    /**
     * @param generations by data centre, of disks, as known to the sender: promises of lost disks do not count. The sender's
     *     own is among them
     * @param state what it has accepted from the position on that was asked for
     */
    record Promised(int lane, long ballot, List<Integer> generations, AcceptorState state) implements Message {
        public Promised {
            generations = List.copyOf(generations);
        }
    }

    /** The acceptor has promised a higher ballot. */
    record Outbid(int lane, long promised) implements Message {}

    /**
     * Phase 2.
     *
     * @param decidedBelow the proposer knows all positions below it to be decided
     */
    record Propose(int lane, long ballot, long position, Entry entry, long decidedBelow) implements Message {}

    /** Told to all: the sender has durably accepted what the ballot's proposer proposed for the position. */
    record Accepted(int lane, long ballot, long position, List<Integer> generations) implements Message {
        public Accepted {
            generations = List.copyOf(generations);
        }
    }

    /**
     * Told to all from time to time.
     *
     * @param clock readings
     * @param decided by lane, the first position not known to be decided
     * @param durable by lane, the first position not covered by the sender's last checkpoint that is done
     * @param count of merged entries that the sender has executed
     * @param auditCount the count at which {@code auditDigest} was taken
     */
    record Progress(
            ClockReading clock, List<Long> decided, List<Long> durable, long count, long auditCount, long auditDigest)
            implements Message {
        public Progress {
            decided = List.copyOf(decided);
            durable = List.copyOf(durable);
        }
    }

    /**
     * @param wallMicros the sender's wall clock
     * @param elapsedMicros the sender's other clock, to be sent back
     * @param echoMicros the receiver's other clock, as it came last; -1 where none did
     * @param heldMicros how long ago that was
     */
    record ClockReading(long wallMicros, long elapsedMicros, long echoMicros, long heldMicros) {}

    /** Asks for decided entries. */
    record Fetch(int lane, long from) implements Message {}

    /** Decided entries, from a position on. */
    record Decided(int lane, long from, List<Entry> entries) implements Message {
        public Decided {
            entries = List.copyOf(entries);
        }
    }

    /** What was fetched is gone; the sender gives all rows as of this checkpoint, page by page, to who asks. */
    record Offer(Checkpoint checkpoint) implements Message {}

    /**
     * Asks for the next pages of a snapshot.
     *
     * @param count of its checkpoint
     * @param place after which to go on; the empty text for the beginning
     * @param pages at most so many
     */
    record AskPages(long count, String place, int pages) implements Message {}

    /**
     * A page of a snapshot.
     *
     * @param place the one asked for, or the one that the page before it named
     * @param next the place after it; the empty text where there is nothing more
     */
    record Page(Checkpoint checkpoint, String place, Map<RowKey, StoredRow> rows, String next) implements Message {
        public Page {
            rows = Map.copyOf(rows);
        }
    }

    /**
     * What clients of the sender want to have in its lane, for who leads that. Whether it gets there is seen in the lane.
     *
     * @param ballot under which the receiver is believed to lead; under another it takes nothing
     */
    record Forward(long ballot, List<Submission> submissions) implements Message {
        public Forward {
            submissions = List.copyOf(submissions);
        }
    }

    /**
     * Of what was forwarded: of these submissions nothing was proposed under the ballot, and nothing will be. They may be asked for
     * elsewhere.
     *
     * @param ballot the {@link Forward}'s
     */
    record ForwardRefused(long ballot, List<Long> tickets) implements Message {
        public ForwardRefused {
            tickets = List.copyOf(tickets);
        }
    }

    /** From a data centre whose disk is blank: it is to be known under this generation, and wants to know what it may have known. */
    record Rejoin(int generation, long life) implements Message {}

    /** From now on the sender counts nothing of older generations. */
    record RejoinAnswer(int generation, long life, List<AcceptorState> acceptors) implements Message {
        public RejoinAnswer {
            acceptors = List.copyOf(acceptors);
        }
    }

    /** The generation asked for is taken. */
    record RejoinRefused(int known, long life) implements Message {}

    /** About how many bytes it takes on the heap. */
    default long weight() {
        if (this instanceof Propose propose) {
            return WEIGHT + propose.entry().weight();
        } else if (this instanceof Decided decided) {
            return WEIGHT + decided.entries().stream().mapToLong(Entry::weight).sum();
        } else if (this instanceof Forward forward) {
            return WEIGHT
                    + forward.submissions().stream()
                            .mapToLong(Submission::weight)
                            .sum();
        } else if (this instanceof Promised promised) {
            return WEIGHT + promised.state().weight();
        } else if (this instanceof RejoinAnswer answer) {
            return WEIGHT
                    + answer.acceptors().stream()
                            .mapToLong(AcceptorState::weight)
                            .sum();
        }
        return this instanceof Page page ? WEIGHT + StoredRow.weight(page.rows()) : WEIGHT;
    }
}
