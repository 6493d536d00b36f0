/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PowerCompactionsTest {
    @TempDir
    private Path data;

    private String keyspace = "ks";

    /** Lines that Cassandra 5.0.9 wrote, or would have. */
    @Test
    void checksumsAreCassandras() {
        String folder = "/tmp/q/.meteor/torture-power-127.0.0.1-disks/asia-1/data/system_schema"
                + "/columns-24101c25a2ae3af787c1b40ee1aca33f/";

        assertThat(PowerCompactions.record("REMOVE", folder + "nb-23-big-", 1_795_684_757_541L, 8))
                .isEqualTo("REMOVE:[" + folder + "nb-23-big-,1795684757541,8][2321903110]");
    }

    private Path log(String name, String... records) throws IOException {
        Path folder = Files.createDirectories(data.resolve(keyspace + "/t-1"));
        return Files.write(folder.resolve(name), List.of(records));
    }

    private String removed(String sstable, int files, int left) throws IOException {
        Path prefix = Files.createDirectories(data.resolve(keyspace + "/t-1")).resolve(sstable + "-");
        for (int i = 0; i < left; i++) {
            Files.createFile(Path.of(prefix + "" + i + ".db"));
        }
        return PowerCompactions.record("REMOVE", prefix.toString(), 7, files);
    }

    @Test
    void whereOldFilesAreGoneTheCompactionWasDone() throws IOException {
        Path log = log("nb_txn_compaction_1.log", removed("nb-1-big", 3, 3), removed("nb-2-big", 3, 1));

        assertThat(PowerCompactions.mend(data)).isOne();
        assertThat(Files.readAllLines(log)).hasSize(3).last().asString().isEqualTo("COMMIT:[,0,0][2613697770]");
        assertThat(PowerCompactions.mend(data)).isZero();
    }

    @Test
    void whereAllAreThereCassandraUndoesIt() throws IOException {
        log("nb_txn_compaction_1.log", PowerCompactions.record("ADD", "nb-9-big-", 0, 8), removed("nb-1-big", 3, 3));

        assertThat(PowerCompactions.mend(data)).isZero();
        assertThat(PowerCompactions.mend(data.resolve("nothing"))).isZero();
    }

    @Test
    void ofTheSchemasTablesItIsTakenBackBeforeTheyAreOpened() throws IOException {
        keyspace = "system_schema";
        Path fresh = data.resolve("system_schema/t-1/nb-9-big-Data.db");
        Path log = log(
                "nb_txn_compaction_1.log",
                PowerCompactions.record(
                        "ADD", data.resolve("system_schema/t-1/nb-9-big-").toString(), 0, 8),
                removed("nb-1-big", 3, 3));
        Files.createFile(fresh);

        assertThat(PowerCompactions.mend(data)).isOne();
        assertThat(log).doesNotExist();
        assertThat(fresh).doesNotExist();
        assertThat(data.resolve("system_schema/t-1/nb-1-big-0.db")).exists();
    }

    @Test
    void ofTheSchemasTablesOneThatWasDoneIsBroughtToItsEnd() throws IOException {
        keyspace = "system_schema";
        Path log = log("nb_txn_compaction_1.log", removed("nb-1-big", 3, 3), removed("nb-2-big", 3, 0));

        assertThat(PowerCompactions.mend(data)).isOne();
        assertThat(log).doesNotExist();
        assertThat(data.resolve("system_schema/t-1")).isEmptyDirectory();
    }
}
