/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.language;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** A value in a column, or of an expression. Immutable; equality is by content. */
public sealed interface Value {
    /** No value: a column that is not set, a row that does not exist. */
    Value NOTHING = new Nothing();

    Value TRUE = new Truth(true);
    Value FALSE = new Truth(false);

    record Nothing() implements Value {
        @Override
        public String toString() {
            return "null";
        }
    }

    record Whole(long value) implements Value {
        @Override
        public String toString() {
            return Long.toString(value);
        }
    }

    record Text(String value) implements Value {
        @Override
        public String toString() {
            return "'" + value + "'";
        }
    }

    record Truth(boolean value) implements Value {
        @Override
        public String toString() {
            return Boolean.toString(value);
        }
    }

    /** A value as Cassandra stores it, in bytes. */
    record Typed(Kind kind, Bytes bytes) implements Value, Comparable<Typed> {
        /** The order of kinds and bytes: that in which sets and maps are kept here, which is not that of numbers. */
        @Override
        public int compareTo(Typed other) {
            int byKind = kind.compareTo(other.kind);
            return byKind != 0 ? byKind : bytes.compareTo(other.bytes);
        }

        @Override
        public String toString() {
            return Numbers.display(this);
        }
    }

    /** A set. */
    record Members(SortedSet<Typed> values) implements Value {
        public Members {
            values = Collections.unmodifiableSortedSet(new TreeSet<>(values));
        }

        @Override
        public String toString() {
            return values.toString();
        }
    }

    /** A map, or a user-defined type by the numbers of its fields. */
    record Entries(SortedMap<Typed, Typed> values) implements Value {
        public Entries {
            values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
        }

        @Override
        public String toString() {
            return values.toString();
        }
    }

    /** A list. */
    record Items(List<Value> values) implements Value {
        public Items {
            values = List.copyOf(values);
        }

        Items with(Value item) {
            List<Value> longer = new ArrayList<>(values.size() + 1);
            longer.addAll(values);
            longer.add(item);
            return new Items(longer);
        }

        @Override
        public String toString() {
            return values.toString();
        }
    }

    /**
     * What a column holds until it is taken away ({@code Request.ExpireRows}), at a place of the order behind the end
     * of its time. In {@link Row#columns} only: who reads the column gets the value itself.
     *
     * @param value neither nothing nor such a one
     * @param untilMillis since 1970
     */
    record Expiring(Value value, long untilMillis) implements Value {
        public Expiring {
            if (value instanceof Expiring || value.equals(NOTHING)) {
                throw new IllegalArgumentException(value + " cannot end");
            }
        }

        @Override
        public String toString() {
            return value + " until " + untilMillis;
        }
    }

    static Value of(long value) {
        return new Whole(value);
    }

    static Value of(String value) {
        return new Text(value);
    }

    static Value of(boolean value) {
        return value ? TRUE : FALSE;
    }
}
