/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.search;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is searched: a simulator whose plans can be drawn, changed and run. One thread at a time. */
public interface Subject {
    /** Families of plans. What a plan has is mixed only with what plans of its family have. */
    List<Family> families();

    /** A plan as a kind and a seed draw it, with the faults that may come at any moment listed one by one. */
    ObjectNode drawn(String kind, long seed);

    /**
     * Mends in a changed plan what does not fit together; false where it cannot be a plan at all.
     *
     * @param family of the plan
     */
    boolean mend(Family family, ObjectNode plan);

    Ran run(ObjectNode plan);

    /**
     * What became of a plan.
     *
     * @param features of the run
     * @param foundBy the verifiers that complained, joined by "+"; empty where none did
     * @param complaint null where nothing is wrong
     * @param operations that clients began
     */
    record Ran(Features features, String foundBy, @Nullable String complaint, long operations) {}
}
