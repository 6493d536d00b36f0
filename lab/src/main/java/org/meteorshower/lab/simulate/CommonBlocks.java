/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.meteorshower.lab.search.Family;

/**
 * The blocks of a core's code that ordinary runs have anyway: some of a few drawn plans ran them. They are not told of:
 * what is left tells runs apart, and costs next to nothing.
 */
final class CommonBlocks {
    private static final long FIRST_SEED = 100_001;

    private CommonBlocks() {}

    /**
     * The same for the same core.
     *
     * @param core without mistakes, that tells of all its blocks
     * @param families that are searched; those that are staged say nothing of what is common, unless one is alone
     * @param plans to draw of each
     */
    static Set<Long> of(ProbedCore core, List<Family> families, int plans) {
        Set<Long> common = new HashSet<>();
        for (Family family : families) {
            for (int i = 0; i < plans && (!family.isStaged() || families.size() == 1); i++) {
                String kind = family.kinds().get(i % family.kinds().size());
                common.addAll(core.blocksOf(core.drawn(kind, FIRST_SEED + i)));
            }
        }
        return common;
    }
}
