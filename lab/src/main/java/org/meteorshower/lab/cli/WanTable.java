/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import org.meteorshower.lab.cluster.LocalCluster;
import org.meteorshower.lab.cluster.NodeSpec;
import org.meteorshower.lab.cluster.WanMatrix;

/** The emulated network in words. */
final class WanTable {
    private WanTable() {}

    static void print(LocalCluster cluster, PrintWriter out) {
        WanMatrix matrix = cluster.wan().matrix();
        List<String> dcs = cluster.options().dcs();
        out.println("one way, from the data centre on the left to the one on top:");
        out.printf(Locale.ROOT, "%-12s", "");
        dcs.forEach(to -> out.printf(Locale.ROOT, " %-22s", to));
        out.println();
        for (String from : dcs) {
            out.printf(Locale.ROOT, "%-12s", from);
            dcs.forEach(to -> out.printf(Locale.ROOT, " %-22s", cell(matrix, from, to)));
            out.println();
        }
        for (NodeSpec node : cluster.nodes()) {
            double offset = matrix.clockMillis(node.address());
            if (offset != 0) {
                out.println("the clock of " + node.name() + " is " + number(Math.abs(offset)) + " ms "
                        + (offset > 0 ? "ahead" : "behind"));
            }
            double pause = matrix.diskMillis(node.address());
            if (pause != 0) {
                out.println("each write of the journal of " + node.name() + " takes " + number(pause) + " ms longer");
            }
        }
        if (!cluster.options().plugin()) {
            out.println("These nodes run without the plugin, so none of this has an effect.");
        }
    }

    private static String cell(WanMatrix matrix, String from, String to) {
        double delay = matrix.delayMillis(from, to);
        double jitter = matrix.jitterMillis(from, to);
        double loss = matrix.lossFraction(from, to);
        if (matrix.isCut(from, to)) {
            return "cut";
        }
        if (from.equals(to) && delay == 0 && jitter == 0 && loss == 0) {
            return "-";
        }
        return number(delay) + (jitter > 0 ? "+" + number(jitter) : "") + " ms"
                + (loss > 0 ? ", loss " + number(loss * 100) + " %" : "");
    }

    /** At most three decimals, and none where it is whole. */
    private static String number(double value) {
        String text = String.format(Locale.ROOT, "%.3f", value);
        return text.replaceAll("\\.?0+$", "");
    }
}
