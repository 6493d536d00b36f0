/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import java.time.Duration;

/**
 * How the driver is set for who needs little of it, and must not be a load by itself: one connection, no schema, no
 * tokens.
 */
public final class FrugalDriver {
    private FrugalDriver() {}

    /** @param patience after which a connection or a request has failed */
    public static ProgrammaticDriverConfigLoaderBuilder settings(Duration patience) {
        return DriverConfigLoader.programmaticBuilder()
                .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, patience)
                .withDuration(DefaultDriverOption.CONNECTION_CONNECT_TIMEOUT, patience)
                .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, patience)
                .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, patience)
                .withInt(DefaultDriverOption.CONNECTION_POOL_LOCAL_SIZE, 1)
                .withInt(DefaultDriverOption.NETTY_IO_SIZE, 1)
                .withInt(DefaultDriverOption.NETTY_ADMIN_SIZE, 1)
                .withBoolean(DefaultDriverOption.NETTY_DAEMON, true)
                .withBoolean(DefaultDriverOption.METADATA_SCHEMA_ENABLED, false)
                .withBoolean(DefaultDriverOption.METADATA_TOKEN_MAP_ENABLED, false);
    }
}
