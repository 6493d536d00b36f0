/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.language;

import java.util.List;
import java.util.Map;

/**
 * About how many bytes something takes on the heap, with all that hangs on it: objects of 16 bytes and their fields,
 * with compressed references. Rather too much than too little. The same in every process, since what is done depends on
 * it.
 */
public final class Weight {
    static final int OBJECT = 24;
    private static final int LIST = 56;
    private static final int PER_ITEM = 8;
    private static final int ROW = 96;
    private static final int PER_COLUMN = 48;
    private static final int TEXT = 56;

    private Weight() {}

    public static int of(String text) {
        return TEXT + text.length();
    }

    /** A table's name is mostly one that many rows share; it counts all the same. */
    public static int of(RowKey key) {
        return OBJECT + of(key.table()) + of(key.key());
    }

    public static int of(Row row) {
        int bytes = ROW;
        for (Map.Entry<String, Value> column : row.columns().entrySet()) {
            bytes += PER_COLUMN + of(column.getKey()) + of(column.getValue());
        }
        return bytes;
    }

    public static int of(Value value) {
        if (value instanceof Value.Typed typed) {
            return OBJECT + OBJECT + 16 + typed.bytes().size();
        } else if (value instanceof Value.Text text) {
            return OBJECT + of(text.value());
        } else if (value instanceof Value.Items items) {
            int bytes = LIST;
            for (Value item : items.values()) {
                bytes += PER_ITEM + of(item);
            }
            return bytes;
        } else if (value instanceof Value.Members members) {
            int bytes = ROW;
            for (Value.Typed member : members.values()) {
                bytes += PER_COLUMN + of(member);
            }
            return bytes;
        } else if (value instanceof Value.Entries entries) {
            int bytes = ROW;
            for (Map.Entry<Value.Typed, Value.Typed> entry : entries.values().entrySet()) {
                bytes += PER_COLUMN + of(entry.getKey()) + of(entry.getValue());
            }
            return bytes;
        } else if (value instanceof Value.Expiring expiring) {
            return OBJECT + of(expiring.value());
        }
        return OBJECT;
    }

    public static int of(Transaction transaction) {
        int bytes = OBJECT + 2 * LIST;
        for (Expression assertion : transaction.asserts()) {
            bytes += PER_ITEM + assertion.weight();
        }
        return bytes + of(transaction.body());
    }

    static int of(List<Statement> statements) {
        int bytes = LIST;
        for (Statement statement : statements) {
            bytes += PER_ITEM + statement.weight();
        }
        return bytes;
    }

    static int ofParts(List<Expression> parts) {
        int bytes = OBJECT + LIST;
        for (Expression part : parts) {
            bytes += PER_ITEM + part.weight();
        }
        return bytes;
    }
}
