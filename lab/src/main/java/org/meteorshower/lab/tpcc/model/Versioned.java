/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.tpcc.model;

import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.tpcc.Row;

/**
 * A row and how often it was written. Immutable.
 *
 * @param row null: there is none
 * @param version 0 of what was never there
 */
record Versioned(@Nullable Row row, long version) {
    static final Versioned NONE = new Versioned(null, 0);
}
