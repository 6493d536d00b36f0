/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import java.util.ArrayList;
import java.util.List;

/** What the run did as an operator, and when. Thread-safe. */
final class OperatorNotes {
    private final RunClock clock;
    private final List<Note> notes = new ArrayList<>();

    OperatorNotes(RunClock clock) {
        this.clock = clock;
    }

    /** Why something was done or noted. */
    enum Kind {
        /** To get a table served again, which should have come about by itself. */
        BY_HAND,
        /** What Cassandra asks every operator to do, plugin or not. */
        DEMANDED,
        /** Something that happened, for the report. */
        SEEN
    }

    /** One of them. The time is in nanoseconds since the run began. */
    record Note(long nanos, Kind kind, String text) {}

    void add(Kind kind, String text) {
        synchronized (notes) {
            notes.add(new Note(clock.nanos(), kind, text));
        }
    }

    List<Note> all() {
        synchronized (notes) {
            return List.copyOf(notes);
        }
    }
}
