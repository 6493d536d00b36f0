/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import java.util.ArrayList;
import java.util.List;

/** Gives each series the same colour in every drawing. For one thread. */
final class Colours {
    /** As many as the page's style has. */
    private static final int COUNT = 12;

    private final List<String> labels = new ArrayList<>();

    /** In the order of the comparisons. */
    Colours(List<Comparison> comparisons) {
        comparisons.forEach(comparison -> comparison.series().forEach(this::of));
    }

    /** A class of the page's style. */
    String of(Series series) {
        if (!labels.contains(series.label())) {
            labels.add(series.label());
        }
        return "s" + labels.indexOf(series.label()) % COUNT;
    }
}
