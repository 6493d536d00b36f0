/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/**
 * Keys from where a reader stood on: all that there are up to the last one.
 *
 * @param more whether there may be others behind
 */
record KeyPage(List<PlacedKey> keys, boolean more) {
    /** Of what was read up to a limit of one more than {@code most}. */
    static KeyPage of(List<PlacedKey> read, int most) {
        return read.size() > most ? new KeyPage(read.subList(0, most), true) : new KeyPage(read, false);
    }

    /**
     * What several pages from the same place on have together: up to where the first of them ends that was cut off,
     * since behind that one it is not known what there is.
     */
    static KeyPage merged(Collection<KeyPage> pages, boolean backward, int most) {
        Comparator<PlacedKey> order = backward ? PlacedKey.ORDER.reversed() : PlacedKey.ORDER;
        TreeSet<PlacedKey> all = new TreeSet<>(order);
        pages.forEach(page -> all.addAll(page.keys));
        boolean more = false;
        for (KeyPage page : pages) {
            if (page.more) {
                more = true;
                all.tailSet(page.last(), false).clear();
            }
        }
        KeyPage cut = of(new ArrayList<>(all), most);
        return more ? new KeyPage(cut.keys, true) : cut;
    }

    PlacedKey last() {
        return keys.get(keys.size() - 1);
    }
}
