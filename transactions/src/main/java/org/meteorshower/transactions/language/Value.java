/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.language;

import java.util.ArrayList;
import java.util.List;

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
