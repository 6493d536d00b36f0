/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.port;

import org.meteorshower.transactions.language.Row;

/** A row with the version of who wrote it last; 0 where none of the transactions did. */
public record StoredRow(long version, Row row) {
    public static final StoredRow NEVER_WRITTEN = new StoredRow(0, Row.ABSENT);
}
