/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.agent;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.meteorshower.cassandra.agent.Agent.RefusedException;

/** The release of Cassandra on the class path. Read from its jar, so that none of its classes is touched yet. */
record CassandraRelease(String version) {
    private static final String RESOURCE = "org/apache/cassandra/config/version.properties";
    private static final Pattern SUPPORTED = Pattern.compile("5\\.0\\.(\\d{1,6})([-~].*)?");

    /**
     * Earlier ones lack what reads are built on (a constructor of SinglePartitionReadCommand); docs/INSTALL.md has what
     * was tried.
     */
    private static final int LEAST = 2;

    static CassandraRelease read(ClassLoader loader) throws RefusedException {
        Properties properties = new Properties();
        try (InputStream in = loader.getResourceAsStream(RESOURCE)) {
            if (in != null) {
                properties.load(in);
            }
        } catch (IOException e) {
            throw new RefusedException("cannot read Cassandra's version from " + RESOURCE + ": " + e.getMessage());
        }
        return new CassandraRelease(properties.getProperty("CassandraVersion", "unknown"));
    }

    void check() throws RefusedException {
        Matcher matcher = SUPPORTED.matcher(version);
        if (!matcher.matches() || Integer.parseInt(matcher.group(1)) < LEAST) {
            throw new RefusedException("this plugin is made for Cassandra 5.0." + LEAST
                    + " and later releases of 5.0, and this is Cassandra " + version
                    + ". Install one of those, or the plugin for this release, or remove the -javaagent option"
                    + " (tables stay readable as ordinary tables).");
        }
    }
}
