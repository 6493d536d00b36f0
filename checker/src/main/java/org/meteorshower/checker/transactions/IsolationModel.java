/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker.transactions;

import java.util.Locale;

/** What a history of transactions is checked against. */
public enum IsolationModel {
    /** One order of all transactions explains what each read. */
    SERIALIZABLE,
    /** The same, and what ended before another began comes before it. */
    STRICT_SERIALIZABLE;

    /** As on the command line: with dashes. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
