/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The groups of lanes that there are, as this node knows them. Thread-safe; does not block. */
public interface TransactionGroups {
    /** Runs what is asked of a group's tables. Where there is no such group, it refuses. */
    TransactionRunner runner(int group);

    /** Null where the number names a data centre that is not configured here. */
    @Nullable
    LaneGroup numbered(int group);

    /** Those that tables are of, and that of all data centres. */
    List<LaneGroup> all();

    /** Whether this node's data centre has the tables of a group. */
    boolean isHere(int group);

    /** Where there is only the group of all data centres, and it runs everything. */
    static TransactionGroups only(TransactionRunner runner) {
        LaneGroup whole = LaneGroup.whole(List.of());
        return new TransactionGroups() {
            @Override
            public TransactionRunner runner(int group) {
                return runner;
            }

            @Override
            public LaneGroup numbered(int group) {
                return whole;
            }

            @Override
            public List<LaneGroup> all() {
                return List.of(whole);
            }

            @Override
            public boolean isHere(int group) {
                return true;
            }
        };
    }
}
