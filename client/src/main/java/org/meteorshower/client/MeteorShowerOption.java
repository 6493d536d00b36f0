/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import com.datastax.oss.driver.api.core.config.DriverOption;

/** Options that this client adds to the driver's configuration, per execution profile. */
public enum MeteorShowerOption implements DriverOption {
    /**
     * The mode of the profile's statements, spelled as in {@link ReadMode#text()}. Not set: the session's default. Read
     * at each statement, so that a reloaded configuration takes effect.
     */
    MODE("meteorshower.mode");

    private final String path;

    MeteorShowerOption(String path) {
        this.path = path;
    }

    @Override
    public String getPath() {
        return path;
    }
}
