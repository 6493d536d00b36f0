/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.arguments;

import java.util.List;
import org.meteorshower.lab.cluster.DelayList;
import picocli.CommandLine.Option;

/** How far apart the data centres are, of commands that show what distance does. */
public final class FarArguments {
    @Option(
            names = "--delay",
            paramLabel = "MS[,MS…]",
            description = "one-way delay between data centres in milliseconds: one number for all pairs, or one for"
                    + " each pair, for three data centres in the order 1-2, 2-3, 1-3 (default: 50)")
    private String delay = "50";

    /** One way. Throws {@link IllegalArgumentException} where they are no numbers. */
    public List<Double> delaysMillis() {
        return DelayList.parse(delay);
    }
}
