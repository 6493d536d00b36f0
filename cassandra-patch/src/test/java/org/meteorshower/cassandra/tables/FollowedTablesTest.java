/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.cassandra.schema.TableId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.ReplicaGroup;

final class FollowedTablesTest {
    private final UUID name = UUID.randomUUID();
    private final FollowedTables.Followed cart = new FollowedTables.Followed(
            TableId.generate(),
            Set.of(
                    ReplicaGroup.majority(NodeId.of(1), NodeId.of(2), NodeId.of(3)),
                    ReplicaGroup.writeOneReadAll(NodeId.of(2), NodeId.of(3), NodeId.of(4))));

    @TempDir
    private Path directory;

    @Test
    void whoHeldATablesPartitionsOutlastsARestart() {
        var tables = new FollowedTables(directory);
        tables.add(name, cart);
        tables.add(name, cart);

        assertThat(new FollowedTables(directory).all()).isEqualTo(Map.of(name, cart));
    }

    @Test
    void whatIsNotKeptIsGoneAfterARestartToo() {
        UUID other = UUID.randomUUID();
        var tables = new FollowedTables(directory);
        tables.add(name, cart);
        tables.add(other, cart);
        tables.keepOnly(List.of(other));

        assertThat(tables.all()).containsOnlyKeys(other);
        assertThat(new FollowedTables(directory).all()).containsOnlyKeys(other);
    }

    @Test
    void whatACrashLeftUnfinishedIsDeleted() throws Exception {
        Path unfinished = Files.writeString(directory.resolve("followed-" + name + ".new"), "half a");

        assertThat(new FollowedTables(directory).all()).isEmpty();
        assertThat(unfinished).doesNotExist();
    }

    @Test
    void aDamagedFileIsNamedAndItIsSaidWhatToDo() throws Exception {
        Files.writeString(directory.resolve("followed-" + name), TableId.generate() + "\n2 nobody\n");

        assertThatThrownBy(() -> new FollowedTables(directory))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("followed-" + name)
                .hasMessageContaining("deleted");
    }

    @Test
    void aFileThatIsNobodysIsNamed() throws Exception {
        Files.writeString(directory.resolve("followed-by-nobody"), "x");

        assertThatThrownBy(() -> new FollowedTables(directory))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("followed-by-nobody is none of MeteorShower's files");
    }
}
