/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client.changes;

import org.jspecify.annotations.Nullable;

/**
 * A row as a transaction has left it. Immutable.
 *
 * @param table keyspace and table, as in {@code shop.accounts}
 * @param key a JSON object of the columns of its primary key
 * @param row a JSON object of its other columns, without those that are null; null where the row was deleted
 */
public record ChangedRow(String table, String key, @Nullable String row) {}
