/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.console;

import java.util.Locale;

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
