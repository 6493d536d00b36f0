/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Map;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.config.ConfigException;
import org.meteorshower.cassandra.config.ConfigParser;
import org.meteorshower.cassandra.config.PluginConfig;
import org.meteorshower.cassandra.token.TokenSecrets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds meteorshower.yaml and what it leaves open. */
final class NodeConfig {
    private static final Logger log = LoggerFactory.getLogger(NodeConfig.class);
    private static final String PROPERTY = "meteorshower.config";
    private static final String FILE = "meteorshower.yaml";

    private NodeConfig() {}

    /**
     * From the file that {@code -Dmeteorshower.config} names, else from meteorshower.yaml beside cassandra.yaml, else
     * the defaults.
     *
     * @throws ConfigurationException if the file is not there, or makes no sense
     */
    static PluginConfig load() {
        Path file = locate();
        try {
            if (file == null) {
                log.info("MeteorShower: no {} found; the defaults hold", FILE);
                return ConfigParser.parse("");
            }
            log.info("MeteorShower: configured by {}", file);
            return ConfigParser.read(file);
        } catch (ConfigException e) {
            throw new ConfigurationException("MeteorShower: " + (file == null ? FILE : file) + " " + e.getMessage(), e);
        }
    }

    private static @Nullable Path locate() {
        String named = System.getProperty(PROPERTY);
        if (named != null) {
            Path file = pathOf(named);
            if (!Files.isRegularFile(file)) {
                throw new ConfigurationException(
                        "MeteorShower: -D" + PROPERTY + " names " + file + ", and there is no such file");
            }
            return file;
        }
        URL onClassPath = ClassLoader.getSystemResource(FILE); // Cassandra's conf directory is on the class path
        return onClassPath == null ? null : pathOf(onClassPath.toString());
    }

    private static Path pathOf(String name) {
        try {
            return name.startsWith("file:") ? Path.of(new URI(name)) : Path.of(name);
        } catch (URISyntaxException | IllegalArgumentException e) {
            throw new ConfigurationException("MeteorShower: '" + name + "' names no file: " + e.getMessage(), e);
        }
    }

    /**
     * The configured secrets, or one that everybody who knows the cluster's name can derive.
     *
     * @throws ConfigurationException if there is none where clients log in: roles could then take over each other's
     *     sessions, by names that they make themselves
     */
    static TokenSecrets secrets(PluginConfig config) {
        if (!config.tokenSecrets().isEmpty()) {
            return new TokenSecrets(config.tokenSecrets(), config.tokenSecretId());
        }
        if (DatabaseDescriptor.getAuthenticator().requireAuthentication()) {
            throw new ConfigurationException(
                    "MeteorShower: no token_secret is set, and clients must log in here: set the same"
                            + " one on all nodes in " + FILE
                            + " (openssl rand -hex 32 makes one). Without it anybody could make"
                            + " the names of other roles' sessions");
        }
        log.warn(
                "MeteorShower: no token_secret is set. Session tokens are signed with a secret derived from the"
                        + " cluster's name, which anybody can forge: a client could push the cluster's clocks ahead. Set the same"
                        + " token_secret in {} on all nodes.",
                FILE);
        return new TokenSecrets(Map.of(0, derived(DatabaseDescriptor.getClusterName())), null);
    }

    private static byte[] derived(String clusterName) {
        try {
            return MessageDigest.getInstance("SHA-256")
                    .digest(("MeteorShower " + clusterName).getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java lacks SHA-256, which every Java has", e);
        }
    }
}
