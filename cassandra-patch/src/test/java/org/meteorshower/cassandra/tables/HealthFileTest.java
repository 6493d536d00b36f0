/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a supervisor reads about a node. */
class HealthFileTest {
    @TempDir
    private Path folder;

    private Path file;
    private String mode = "NORMAL";
    private boolean clients = true;
    private final Map<String, String> notServed = new HashMap<>();
    private HealthFile health;

    @BeforeEach
    void aNode() {
        file = folder.resolve("health");
        health = new HealthFile(
                file,
                new HealthFile.Cassandra() {
                    @Override
                    public String mode() {
                        return mode;
                    }

                    @Override
                    public boolean takesClients() {
                        return clients;
                    }
                },
                () -> notServed);
    }

    @Test
    void aNodeThatTakesClientsAndServesItsTablesIsServed() throws IOException {
        assertThat(written()).isEqualTo("served\n");
    }

    @Test
    void aNodeThatIsStillJoiningIsNotServed() throws IOException {
        mode = "JOINING";
        clients = false;

        assertThat(written()).isEqualTo("not served\nCassandra: this node's mode is JOINING, not NORMAL\n");
    }

    @Test
    void aNodeThatTakesNoClientsIsNotServed() throws IOException {
        clients = false;

        assertThat(written()).isEqualTo("not served\nCassandra: the native transport is not running\n");
    }

    @Test
    void eachTableThatIsNotServedIsNamedWithItsReason() throws IOException {
        notServed.put("shop.orders", "no word from 1 replica");
        notServed.put("shop.cart", "it held data when it was enabled");

        assertThat(written()).isEqualTo("""
                        not served
                        shop.cart: it held data when it was enabled
                        shop.orders: no word from 1 replica
                        """);
    }

    @Test
    void theFileIsAsOldAsTheLastWord() throws IOException {
        written();
        Files.setLastModifiedTime(file, FileTime.fromMillis(0));

        written();

        assertThat(Files.getLastModifiedTime(file).toMillis()).isGreaterThan(0);
    }

    @Test
    void aFileThatCannotBeWrittenDisturbsNobody() throws IOException {
        Files.createDirectory(file);
        Files.createFile(file.resolve("in the way"));

        assertThatCode(health::write).doesNotThrowAnyException();
    }

    private String written() throws IOException {
        health.write();
        return Files.readString(file);
    }
}
