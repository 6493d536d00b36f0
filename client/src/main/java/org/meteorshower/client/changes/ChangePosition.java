/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client.changes;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A place in the one order of transactions of a group of data centres: the same in all of them. Of a transaction it is
 * its name; where a reader goes on, that and all after it are meant. Immutable.
 *
 * @param place of the entry in the merged order, from 0
 * @param index of the transaction within its entry, from 0
 */
public record ChangePosition(long place, int index) implements Comparable<ChangePosition> {
    private static final Pattern TEXT = Pattern.compile("([0-9]{1,19})(?:\\.([0-9]{1,10}))?");
    private static final Comparator<ChangePosition> ORDER =
            Comparator.comparingLong(ChangePosition::place).thenComparingInt(ChangePosition::index);

    /** @throws IllegalArgumentException if one of them is negative */
    public ChangePosition {
        if (place < 0 || index < 0) {
            throw new IllegalArgumentException("No position: place " + place + ", index " + index);
        }
    }

    /** The beginning of an entry. */
    public static ChangePosition of(long place) {
        return new ChangePosition(place, 0);
    }

    /**
     * The position that such a text stands for: "123.4", or "123" for the beginning of an entry.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static ChangePosition parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw noPosition(text, null);
        }
        String index = matcher.group(2);
        try {
            return new ChangePosition(Long.parseLong(matcher.group(1)), index == null ? 0 : Integer.parseInt(index));
        } catch (NumberFormatException e) {
            throw noPosition(text, e);
        }
    }

    private static IllegalArgumentException noPosition(String text, @Nullable Throwable cause) {
        return new IllegalArgumentException(
                "\"" + text + "\" is no position: give a place, or a place and an index, as in 123 or 123.4", cause);
    }

    /** Where to go on when this transaction has been dealt with. */
    public ChangePosition next() {
        return new ChangePosition(place, Math.addExact(index, 1));
    }

    @Override
    public int compareTo(ChangePosition other) {
        return ORDER.compare(this, other);
    }

    /** What {@link #parse} takes. */
    @Override
    public String toString() {
        return index == 0 ? Long.toString(place) : place + "." + index;
    }
}
