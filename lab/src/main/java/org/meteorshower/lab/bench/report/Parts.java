/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import java.util.Map;

/** What the page has in several places. */
final class Parts {
    private Parts() {}

    /** Which colour is whose. */
    static void legend(Html html, Map<String, Series> series, Colours colours) {
        html.open("ul", "class", "legend");
        series.forEach((name, each) -> html.open("li")
                .leaf("span", "", "class", "key " + colours.of(each))
                .text(name + " ")
                .leaf("span", each.system().description(), "class", "soft")
                .close());
        html.close().line();
    }

    /**
     * A drawing, if there is one, and how to come by it again.
     *
     * @param command that measures what is drawn
     */
    static void figure(Html html, String svg, String command) {
        if (!svg.isEmpty()) {
            html.open("figure").raw(svg);
            html.open("figcaption").leaf("code", command).close();
            html.close().line();
        }
    }
}
