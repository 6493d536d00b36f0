/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.console;

import java.util.Locale;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Figures as people read them. */
public final class Numbers {
    private Numbers() {}

    /** Three digits or so; a dash for NaN. */
    public static String of(double value) {
        if (Double.isNaN(value)) {
            return "-";
        }
        String format = value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f";
        return String.format(Locale.ROOT, format, value);
    }

    /** In milliseconds, of durations in microseconds; NaN where there are none. */
    public static double millisAt(Histogram micros, double percentile) {
        return micros.getTotalCount() == 0 ? Double.NaN : micros.getValueAtPercentile(percentile) / 1_000.0;
    }

    /**
     * The median and the 99th percentile in milliseconds, of durations in microseconds; a dash where there are none.
     */
    public static String medianAndTail(@Nullable Histogram micros) {
        return micros == null || micros.getTotalCount() == 0
                ? "-"
                : of(millisAt(micros, 50)) + " / " + of(millisAt(micros, 99));
    }

    /** As it was given: without a fraction where it is whole. */
    public static String plain(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }

    /** With thousands set apart. */
    public static String whole(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /** Percent without decimals but near the ends, where they matter. */
    public static String share(double share) {
        if (Double.isNaN(share)) {
            return "-";
        }
        double percent = share * 100;
        boolean nearEnd = (percent > 0 && percent < 1) || (percent > 99 && percent < 100);
        return String.format(Locale.ROOT, nearEnd ? "%.1f%%" : "%.0f%%", percent);
    }
}
