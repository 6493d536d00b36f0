/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import java.util.ArrayList;
import java.util.List;
import org.meteorshower.lab.console.Numbers;
import org.meteorshower.lab.simulate.TrafficFigures;

/** The page's section on clusters that were simulated, for no machine carries them. */
final class TrafficSection {
    private TrafficSection() {}

    static void write(BenchResult result, Html html) {
        List<TrafficFigures> figures = result.simulated();
        if (figures.isEmpty()) {
            return;
        }
        html.leaf("h2", "Status messages in large clusters, simulated");
        html.leaf(
                "p",
                "The protocol core of every node and the encoding of its messages, without a network: "
                        + TrafficFigures.SETTING
                        + " By node; the ring is even, with so many tokens to a node. Again with ",
                "class",
                "soft");
        html.open("p").leaf("code", TrafficFigures.command(figures)).close();
        html.open("div", "class", "scroll").open("table").open("thead");
        html.row("th", TrafficFigures.HEAD).close().open("tbody").line();
        for (TrafficFigures each : figures) {
            html.row("td", new ArrayList<>(each.cells(Numbers::of)));
        }
        html.close().close().close().line();
    }
}
