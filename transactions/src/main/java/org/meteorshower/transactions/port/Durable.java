/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.port;

import org.meteorshower.transactions.log.Entry;

/**
 * A record to be written so that a quorum of the data centre's own replicas has it. Writing one twice, or an older one
 * after a newer one, changes nothing: each says with what it is ordered.
 */
public sealed interface Durable {
    /** Calls the handler's method for this kind. */
    void handOver(Handler to);

    /**
     * Does something with each kind of record. No method has a default: who handles records says what it does with a
     * new kind.
     */
    interface Handler {
        void on(Promise promise);

        void on(Accept accept);

        void on(Truncate truncate);

        void on(Barred barred);

        void on(Generation generation);

        void on(Learned learned);

        void on(Settled settled);

        void on(Done done);

        void on(Installing installing);
    }

    /** Ordered by ballot. */
    record Promise(int lane, long ballot) implements Durable {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /** Ordered, per position, by ballot. */
    record Accept(int lane, long position, long ballot, Entry entry) implements Durable {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /** Entries of the lane below the floor may go. Ordered by floor. */
    record Truncate(int lane, long floor) implements Durable {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /** No vote is given below this position: what a lost disk had voted there is not known. Ordered by position. */
    record Barred(int lane, long below) implements Durable {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * The highest known generation of a data centre's disk, and which process has had it confirmed. Ordered by
     * generation, then by life.
     */
    record Generation(int dc, int generation, long life) implements Durable {
        /** In the place of a life: others know of the generation, and here it was confirmed to nobody. */
        public static final long HEARD_OF = 0;

        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * What was decided for a position, where that is not what was accepted here, or may be written over: from then on
     * the position holds it. Ordered above the entry of every {@link Accept}; the ballot of the highest of these is
     * kept beside it, whichever is written first.
     */
    record Learned(int lane, long position, Entry entry) implements Durable {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * Below this position the log holds, of the lane, what was decided: each position was accepted here with that, or
     * learned. Ordered by position.
     */
    record Settled(int lane, long below) implements Durable {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * The rows' tables hold, of each row, the newest version that the entries up to here have written, and the lanes
     * are settled up to here. Ordered by edition, then by count; Installing records of this edition and older ones may
     * go.
     *
     * @param edition of the rows
     */
    record Done(Checkpoint checkpoint, int edition) implements Durable {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * A new edition of the rows is being filled from another data centre's snapshot: until it is done the rows are
     * worth nothing. Ordered by edition, then by how often it was said.
     *
     * @param checkpoint as of which the rows are
     * @param place before it everything has come; the empty text stands for the beginning
     */
    record Installing(Checkpoint checkpoint, int edition, long said, String place) implements Durable {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }
}
