/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.apache.cassandra.cql3.ColumnIdentifier;
import org.apache.cassandra.cql3.ColumnSpecification;
import org.apache.cassandra.cql3.Term;
import org.apache.cassandra.cql3.VariableSpecifications;
import org.jspecify.annotations.Nullable;

/**
 * Gathers what each bind marker of a transaction stands for, while its pieces are prepared one by one. Used by one
 * thread.
 */
final class Markers {
    private final List<@Nullable ColumnIdentifier> names;
    private final @Nullable ColumnSpecification[] found;

    Markers(List<@Nullable ColumnIdentifier> names) {
        this.names = names;
        this.found = new ColumnSpecification[names.size()];
    }

    /** A statement's own markers are the transaction's of this fragment. */
    void place(Fragment fragment, List<ColumnSpecification> specifications) {
        for (int i = 0; i < specifications.size() && i < fragment.markers().size(); i++) {
            found[fragment.markers().get(i)] = specifications.get(i);
        }
    }

    void place(Fragment fragment, Term term) {
        place(fragment, term::collectMarkerSpecification);
    }

    /** @param told says what the fragment's markers stand for */
    void place(Fragment fragment, Consumer<VariableSpecifications> told) {
        List<@Nullable ColumnIdentifier> own = new ArrayList<>();
        for (int marker : fragment.markers()) {
            own.add(names.get(marker));
        }
        VariableSpecifications specifications = new VariableSpecifications(own);
        told.accept(specifications);
        place(fragment, specifications.getBindVariables());
    }

    List<ColumnSpecification> all() {
        for (int i = 0; i < found.length; i++) {
            if (found[i] == null) {
                throw Errors.invalid("what bind marker " + (i + 1) + " stands for cannot be told");
            }
        }
        return List.copyOf(Arrays.asList(found));
    }
}
