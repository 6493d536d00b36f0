/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.tpcc;

import java.util.List;

/** Customers' last names: three syllables, one for each digit of a number (clause 4.3.2.3). */
public final class LastNames {
    static final int COUNT = 1_000;

    private static final List<String> SYLLABLES =
            List.of("BAR", "OUGHT", "ABLE", "PRI", "PRES", "ESE", "ANTI", "CALLY", "ATION", "EING");

    private LastNames() {}

    /** @param number 0..999 */
    public static String of(int number) {
        return SYLLABLES.get(number / 100) + SYLLABLES.get(number / 10 % 10) + SYLLABLES.get(number % 10);
    }
}
