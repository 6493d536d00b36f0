/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import java.util.List;

/** The report as one page. */
final class Page {
    private Page() {}

    static String of(BenchResult result, List<Ratio> ratios) {
        return "<!DOCTYPE html><html lang=\"en\"><title>" + result.plan().name() + ratios.size() + "</title></html>";
    }
}
