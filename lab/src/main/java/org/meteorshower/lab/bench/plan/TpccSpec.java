/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.plan;

import org.meteorshower.lab.tpcc.TpccScale;

/**
 * How TPC-C is run. Immutable.
 *
 * @param thinking whether terminals type and think as long as the standard says; else they ask again at once
 * @param near whether a model's rows live where their warehouse's terminals are; else its partitions are dealt out
 */
public record TpccSpec(TpccScale scale, boolean thinking, boolean near) {
    /** For people. */
    public String text() {
        return scale.text()
                + (thinking ? "; keying and thinking times" : "; no keying or thinking times")
                + (near ? "; models' rows at home where their warehouse's terminals are" : "");
    }
}
