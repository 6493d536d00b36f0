/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.ycsb;

import java.util.Properties;
import site.ycsb.DBException;

/** The {@code meteorshower} binding: a session of the MeteorShower client for each of YCSB's threads. */
public final class MeteorShowerDb extends TableBinding {
    @Override
    RowStore open(Properties properties) throws DBException {
        ClusterSettings cluster = ClusterSettings.of(properties);
        MeteorShowerSettings settings = MeteorShowerSettings.of(properties);
        return new MeteorShowerStore(SharedSessions.acquire(cluster, settings.isMoving()), settings);
    }
}
