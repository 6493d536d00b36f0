/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/**
 * Two scenarios as transcripts to be read, in src/test/resources/transcripts. Where a change of the protocol changes
 * one, the failure shows the new text: read it, and replace the file if it is right.
 */
class TranscriptsTest {
    private static ScriptedCluster cluster() {
        ScriptedCluster cluster = ScriptedCluster.unstarted(3, 2, TestSettings.plain());
        cluster.oneWayMillis(1, 2, 10).oneWayMillis(1, 3, 25).oneWayMillis(2, 3, 30);
        cluster.startAll();
        cluster.run(800);
        for (int i = 1; i <= 3; i++) {
            cluster.node(i).read(0);
        }
        cluster.transcript = new Transcript();
        return cluster;
    }

    /** The mutation travels as the database's own messages do: with the links' delays. */
    private static ScriptedNode.Write write(ScriptedCluster cluster, String value) {
        ScriptedNode.Write write = cluster.node(1).write(value, 0);
        cluster.node(1).apply(write.put());
        cluster.node(1).acknowledge(write);
        cluster.run(10);
        cluster.node(2).apply(write.put());
        cluster.node(2).acknowledge(write);
        cluster.run(15);
        cluster.node(3).apply(write.put());
        cluster.node(3).acknowledge(write);
        return write;
    }

    @Test
    void aWriteAndWhatReadersSeeOfIt() throws IOException {
        ScriptedCluster cluster = cluster();

        cluster.transcript.title("n1 writes; n2 is 10 ms away, n3 25 ms");
        ScriptedNode.Write write = write(cluster, "a");
        cluster.transcript.title("at n2 the row is in flight: an older cut is answered at once, without the write");
        ScriptedNode.Reading older = cluster.node(2).read(0);
        cluster.transcript.title("the session of the write moves to n3 with its token");
        ScriptedNode.Reading moved = cluster.node(3).read(write.tokenMicros);
        cluster.run(60);
        cluster.transcript.title("a while later everybody has forgotten the mutation, and everybody shows it");
        cluster.run(100);
        ScriptedNode.Reading later = cluster.node(2).read(0);

        assertThat(older.value).isEqualTo("nothing");
        assertThat(moved.value).isEqualTo("a");
        assertThat(later.value).isEqualTo("a");
        compare("write-and-read.txt", cluster);
    }

    @Test
    void aRestartInTheMiddleOfAWrite() throws IOException {
        ScriptedCluster cluster = cluster();

        cluster.transcript.title("n1 stamps a mutation, and dies before its store has it; n2 has it");
        ScriptedNode.Write write = cluster.node(1).write("a", 0);
        cluster.node(1).stamp(write.put());
        cluster.node(1).crash();
        cluster.run(10);
        cluster.node(2).apply(write.put());
        cluster.run(20);
        cluster.transcript.title("n1 starts again: it announces its journal, and applies what is in it");
        cluster.node(1).restart();
        cluster.run(1);
        cluster.transcript.title("it reads at cuts above its ceiling only, so it waits for the others to get there");
        ScriptedNode.Reading reading = cluster.node(1).read(0);
        cluster.run(200);
        cluster.transcript.title("n3, which never got the mutation, is sent it");
        cluster.run(800);

        assertThat(reading.value).isEqualTo("a");
        assertThat(cluster.node(3).store.row(1)).isEqualTo("a");
        compare("restart.txt", cluster);
    }

    private static void compare(String name, ScriptedCluster cluster) throws IOException {
        try (InputStream in = TranscriptsTest.class.getResourceAsStream("/transcripts/" + name)) {
            String expected = in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
            assertThat(cluster.transcript.toString()).isEqualTo(expected);
        }
    }
}
