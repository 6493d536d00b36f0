/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.ycsb;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import java.util.Properties;
import java.util.Set;
import org.meteorshower.client.ReadMode;
import site.ycsb.DBException;

/**
 * What a client of the {@code meteorshower} binding does beyond what every binding does. Immutable.
 *
 * @param mode how fresh reads are
 * @param failover whether a session goes on in another data centre when its own cannot serve it
 * @param roaming after how many operations a session moves to the next data centre; 0: never
 * @param requireServed whether what Cassandra answered on its own path is an error
 * @param scan the level of scans, which MeteorShower does not serve
 */
record MeteorShowerSettings(
        ReadMode mode, boolean failover, int roaming, boolean requireServed, ConsistencyLevel scan) {
    static final String MODE = "meteorshower.mode";
    static final String FAILOVER = "meteorshower.failover";
    static final String ROAMING = "meteorshower.roaming";
    static final String REQUIRE_SERVED = "meteorshower.requireserved";

    static MeteorShowerSettings of(Properties properties) throws DBException {
        PropertyReader reader = new PropertyReader(properties);
        reader.refuseUnknown("meteorshower.", Set.of(MODE, FAILOVER, ROAMING, REQUIRE_SERVED));
        for (String name : new String[] {CassandraSettings.READ_LEVEL, CassandraSettings.WRITE_LEVEL}) {
            String value = reader.text(name);
            if (value != null && !value.equals(DefaultConsistencyLevel.QUORUM.name())) {
                throw new DBException(name + "=" + value + ": this binding reads and writes at QUORUM, the level that"
                        + " MeteorShower serves. Take it out, or use " + CassandraDb.class.getName());
            }
        }
        return new MeteorShowerSettings(
                reader.value(
                        MODE,
                        ReadMode.SEQUENTIAL,
                        "sequential, meteorshower1, meteorshower2, strict, or bounded: and a number of microseconds",
                        ReadMode::parse),
                reader.flag(FAILOVER, false),
                reader.integer(ROAMING, 0, 0, Integer.MAX_VALUE),
                reader.flag(REQUIRE_SERVED, true),
                CassandraSettings.level(reader, CassandraSettings.SCAN_LEVEL, DefaultConsistencyLevel.QUORUM));
    }

    /** Whether sessions need connections beyond the data centre where they are at home. */
    boolean isMoving() {
        return failover || roaming > 0;
    }
}
