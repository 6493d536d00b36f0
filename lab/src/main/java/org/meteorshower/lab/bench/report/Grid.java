/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import java.util.List;

/** An axis of a drawing: where a value goes. Immutable. */
interface Grid {
    /** 0 at the least, 1 at the most; values beyond are at the ends. */
    double at(double value);

    /** Where to put a line and a number. */
    List<Double> ticks();

    String label(double tick);
}
