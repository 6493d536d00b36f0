/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import java.nio.file.Path;

/** The folder of one node: its configuration, data, logs and temporary files, and nothing outside it. */
record NodeFolder(Path root) {
    Path cassandraYaml() {
        return root.resolve("conf/cassandra.yaml");
    }

    Path rackProperties() {
        return root.resolve("conf/cassandra-rackdc.properties");
    }

    Path logback() {
        return root.resolve("conf/logback.xml");
    }

    Path meteorshowerYaml() {
        return root.resolve("conf/meteorshower.yaml");
    }

    /** The node's own copy. */
    Path pluginJar() {
        return root.resolve("conf/plugin.jar");
    }

    Path data() {
        return root.resolve("data");
    }

    Path temporary() {
        return root.resolve("tmp");
    }

    /** What Cassandra and the plugin log. */
    Path systemLog() {
        return root.resolve("logs/system.log");
    }

    /** What the JVM itself says: bad options, crashes, anything before logging is up. */
    Path standardOutput() {
        return root.resolve("logs/stdout.log");
    }
}
