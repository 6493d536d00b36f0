/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.util.ArrayList;
import java.util.List;

/**
 * A piece of CQL that Cassandra's own parser reads.
 *
 * @param markers the places, among all of the transaction's, of its bind markers in their order
 */
record Fragment(String text, List<Integer> markers) {
    Fragment {
        markers = List.copyOf(markers);
    }

    static Fragment of(String text) {
        return new Fragment(text, List.of());
    }

    Fragment and(String more) {
        return new Fragment(text + " " + more, markers);
    }

    Fragment and(Fragment more) {
        List<Integer> both = new ArrayList<>(markers);
        both.addAll(more.markers);
        return new Fragment(text + " " + more.text, both);
    }

    @Override
    public String toString() {
        return text;
    }
}
