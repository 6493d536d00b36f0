/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.ycsb;

import com.datastax.oss.driver.api.core.cql.ResultSet;

/**
 * What one thread's client does with the table. All methods wait, and throw what their client throws. For one thread.
 */
interface RowStore extends AutoCloseable {
    ResultSet read(String query, Object... values);

    ResultSet scan(String query, Object... values);

    void write(String query, Object... values);

    /** Whether a write that failed like this may have taken effect, or may yet. */
    boolean mayHaveTakenEffect(RuntimeException failure);

    /** The table's name with its keyspace. Throws IllegalArgumentException where it is none. */
    String table(String name);

    @Override
    void close();
}
