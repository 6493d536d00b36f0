/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.run;

import java.util.Locale;

/** What a client does. */
public enum Op {
    READ,
    WRITE;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
