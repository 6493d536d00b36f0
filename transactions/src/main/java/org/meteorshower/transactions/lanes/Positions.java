/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.lanes;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Something for each of a lane's positions from a first one on: an array used in a circle, which grows with the span
 * from the first kept position to the last. Looked into with every step, for which trees of boxed numbers are too slow.
 */
final class Positions<T> {
    private @Nullable Object[] slots = new Object[64];

    /** Nothing is kept below it. */
    private long first;

    /** Nothing is kept from it on. first <= end. */
    private long end;

    Positions(long first) {
        this.first = first;
        this.end = first;
    }

    @SuppressWarnings("unchecked") // only put() writes into the array
    @Nullable
    T get(long position) {
        return position < first || position >= end ? null : (T) slots[index(position)];
    }

    /** @throws IllegalArgumentException for a position that was dropped */
    void put(long position, T value) {
        if (position < first) {
            throw new IllegalArgumentException("position " + position + " was dropped: " + first + " is the first");
        }
        if (position - first >= slots.length) {
            grow(position - first + 1);
        }
        slots[index(position)] = value;
        end = Math.max(end, position + 1);
    }

    private void grow(long span) {
        @Nullable Object[] before = slots;
        slots = new Object[Math.toIntExact(Long.highestOneBit(span) << 1)];
        for (long position = first; position < end; position++) {
            slots[index(position)] = before[(int) (position & (before.length - 1))];
        }
    }

    private int index(long position) {
        return (int) (position & (slots.length - 1));
    }

    /** No position from it on is kept. */
    long end() {
        return end;
    }

    void dropBelow(long position) {
        for (; first < position && first < end; first++) {
            slots[index(first)] = null;
        }
        if (first < position) {
            first = position;
            end = position;
        }
    }

    void forEach(Consumer<T> each) {
        for (long position = first; position < end; position++) {
            T value = get(position);
            if (value != null) {
                each.accept(value);
            }
        }
    }
}
