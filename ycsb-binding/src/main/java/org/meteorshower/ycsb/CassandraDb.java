/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.ycsb;

import java.util.Properties;
import site.ycsb.DBException;

/** The {@code cassandra} binding: the Apache driver without MeteorShower, at any consistency levels. */
public final class CassandraDb extends TableBinding {
    @Override
    RowStore open(Properties properties) throws DBException {
        ClusterSettings cluster = ClusterSettings.of(properties);
        CassandraSettings settings = CassandraSettings.of(properties);
        return new CassandraStore(SharedSessions.acquire(cluster, false), settings);
    }
}
