/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.chains;

import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Outcome;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.Value;

/**
 * What is agreed of a session: the outcomes of its last few numbers, and a floor below which they are forgotten. It is
 * a row like any other, so it travels in checkpoints and snapshots, and a submission finds it through the queue of that
 * row.
 */
final class SessionRecord {
    /** Outcomes that are kept: so many submissions of a session may be under way at a time. */
    static final int WINDOW = 16;

    /**
     * Of the values of one outcome. The record is one row, and has to fit into a write of the store with all of them.
     */
    static final int MOST_KEPT_BYTES = 64 << 10;

    private static final String FLOOR = "floor";
    private static final String USED = "used";
    private static final String OUTCOME = "outcome.";

    private static final long LEAST_BYTES = 8;

    /** The floor, the last use, and the outcomes. */
    private static final int MOST_COLUMNS = WINDOW + 2;

    private SessionRecord() {}

    static Row opened(long version) {
        return Row.ABSENT.with(FLOOR, Value.of(0)).with(USED, Value.of(version));
    }

    static long usedVersion(Row record) {
        return whole(record.get(USED));
    }

    /** What is known of a number; null where it has neither run nor been declared dead. */
    static @Nullable Outcome outcome(Row record, long sequence) {
        if (!record.exists()) {
            return new Outcome.Aborted(Outcome.Reason.SESSION_EXPIRED, "no such session: open a new one");
        } else if (sequence <= whole(record.get(FLOOR))) {
            return new Outcome.Aborted(
                    Outcome.Reason.NUMBER_FORGOTTEN, "more than " + WINDOW + " later numbers have been used");
        }
        Value kept = record.get(OUTCOME + sequence);
        return kept.equals(Value.NOTHING) ? null : decode(kept);
    }

    static Row with(Row record, long sequence, Outcome outcome, long version) {
        TreeMap<String, Value> changed = new TreeMap<>(record.columns());
        changed.put(OUTCOME + sequence, encode(outcome));
        changed.put(USED, Value.of(version));
        if (changed.size() > MOST_COLUMNS) {
            long oldest = Long.MAX_VALUE;
            for (String column : changed.keySet()) {
                if (column.startsWith(OUTCOME)) {
                    oldest = Math.min(oldest, Long.parseLong(column.substring(OUTCOME.length())));
                }
            }
            changed.remove(OUTCOME + oldest);
            changed.put(FLOOR, Value.of(oldest));
        }
        return new Row(changed);
    }

    private static long whole(Value value) {
        return value instanceof Value.Whole whole ? whole.value() : 0;
    }

    /** Where values are too large to be kept, that it was committed still is. */
    private static Value encode(Outcome outcome) {
        if (outcome instanceof Outcome.Committed committed) {
            Value.Items values = new Value.Items(committed.values());
            return bytes(values) <= MOST_KEPT_BYTES ? values : new Value.Items(List.of());
        }
        Outcome.Aborted aborted = (Outcome.Aborted) outcome;
        return Value.of(aborted.reason().name() + " " + aborted.detail());
    }

    private static Outcome decode(Value kept) {
        if (kept instanceof Value.Items items) {
            return new Outcome.Committed(items.values());
        }
        String text = ((Value.Text) kept).value();
        int space = text.indexOf(' ');
        return new Outcome.Aborted(Outcome.Reason.valueOf(text.substring(0, space)), text.substring(space + 1));
    }

    /** How much room a value takes, roughly. */
    private static long bytes(Value value) {
        if (value instanceof Value.Typed typed) {
            return LEAST_BYTES + typed.bytes().size();
        } else if (value instanceof Value.Text text) {
            return LEAST_BYTES + text.value().length();
        } else if (value instanceof Value.Items items) {
            return items.values().stream().mapToLong(SessionRecord::bytes).sum();
        } else if (value instanceof Value.Members members) {
            return members.values().stream().mapToLong(SessionRecord::bytes).sum();
        } else if (value instanceof Value.Entries entries) {
            return entries.values().entrySet().stream()
                    .mapToLong(entry -> bytes(entry.getKey()) + bytes(entry.getValue()))
                    .sum();
        }
        return LEAST_BYTES;
    }
}
