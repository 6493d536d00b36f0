/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A group of lanes: data centres whose transactions are put into one order. A table is of the group of those data
 * centres that its keyspace was replicated in when it was let in, among those that are configured; it stays so. Groups
 * know nothing of each other. Immutable.
 *
 * @param number 0 for that of all data centres; for another, a bit for each of its data centres, at its place in the
 *     option {@code transactions.data_centres}
 * @param dataCentres their names, in the option's order
 */
public record LaneGroup(int number, List<String> dataCentres) {
    /** The number of the one of all data centres. */
    public static final int WHOLE = 0;

    /** Beside that of all. Each takes its part of the memory that transactions have. */
    public static final int MOST = 7;

    public LaneGroup {
        dataCentres = List.copyOf(dataCentres);
    }

    /** @param all that are configured, in the option's order */
    public static LaneGroup whole(List<String> all) {
        return new LaneGroup(WHOLE, all);
    }

    /**
     * The one of some of the data centres; null where there are none.
     *
     * @param all that are configured, in the option's order
     */
    public static @Nullable LaneGroup of(List<String> some, List<String> all) {
        List<String> members = all.stream().filter(some::contains).toList();
        if (members.size() == all.size()) {
            return whole(all);
        }
        int number = 0;
        for (String member : members) {
            number |= 1 << all.indexOf(member);
        }
        return number == 0 ? null : new LaneGroup(number, members);
    }

    /**
     * The one with a number; null where it names a data centre that is not configured.
     *
     * @param all that are configured, in the option's order
     */
    public static @Nullable LaneGroup numbered(int number, List<String> all) {
        if (number == WHOLE) {
            return whole(all);
        }
        List<String> members = new ArrayList<>();
        for (int bit = 0; bit < Integer.SIZE; bit++) {
            if ((number >>> bit & 1) == 1) {
                if (bit >= all.size()) {
                    return null;
                }
                members.add(all.get(bit));
            }
        }
        return new LaneGroup(number, members);
    }

    public boolean isWhole() {
        return number == WHOLE;
    }

    /** Its data centres, as users write and read them: {@code eu,us}. */
    public String text() {
        return String.join(",", dataCentres);
    }
}
