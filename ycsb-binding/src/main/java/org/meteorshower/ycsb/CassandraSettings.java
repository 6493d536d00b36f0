/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.ycsb;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import java.util.Arrays;
import java.util.Locale;
import java.util.Properties;
import java.util.stream.Collectors;
import site.ycsb.DBException;

/** The consistency levels of the {@code cassandra} binding. Immutable. */
record CassandraSettings(ConsistencyLevel read, ConsistencyLevel write, ConsistencyLevel scan) {
    static final String READ_LEVEL = "cassandra.readconsistencylevel";
    static final String WRITE_LEVEL = "cassandra.writeconsistencylevel";
    static final String SCAN_LEVEL = "cassandra.scanconsistencylevel";

    private static final String LEVELS = Arrays.stream(DefaultConsistencyLevel.values())
            .map(DefaultConsistencyLevel::name)
            .collect(Collectors.joining(", ", "one of ", ""));

    static CassandraSettings of(Properties properties) throws DBException {
        PropertyReader reader = new PropertyReader(properties);
        ConsistencyLevel read = level(reader, READ_LEVEL, DefaultConsistencyLevel.QUORUM);
        ConsistencyLevel write = level(reader, WRITE_LEVEL, DefaultConsistencyLevel.QUORUM);
        if (write.isSerial()) {
            throw new DBException(WRITE_LEVEL + "=" + write + ": a write without a condition has no serial level");
        }
        return new CassandraSettings(read, write, level(reader, SCAN_LEVEL, read));
    }

    static ConsistencyLevel level(PropertyReader reader, String name, ConsistencyLevel preset) throws DBException {
        return reader.value(
                name, preset, LEVELS, text -> DefaultConsistencyLevel.valueOf(text.toUpperCase(Locale.ROOT)));
    }
}
