/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StateFileTest {
    @TempDir
    private Path folder;

    @Test
    void stateIsReadBackAsItWasWritten() {
        ClusterOptions options = ClusterOptions.builder()
                .delaysMillis(List.of(50.0, 75.5, 120.0))
                .nodesPerDc(2)
                .lossFraction(0.01)
                .pluginOptions(Map.of("a.b", "c"))
                .jvmOptions(List.of("-Xlog:gc"))
                .build();
        StateFile file = new StateFile(folder);
        ClusterState state = NewCluster.admit(folder.resolve("none"), file, options)
                .withProcess("us-2", new NodeProcess(77, "123@boot"));
        file.write(state);
        assertThat(file.read()).isEqualTo(state);
    }

    @Test
    void anUpdateChangesOneNodeOnly() {
        StateFile file = written();
        file.update(s -> s.withProcess("us-1", new NodeProcess(5, "1@b")));
        assertThat(file.read().nodes())
                .extracting(e -> e.process() == null ? 0 : e.process().pid())
                .containsExactly(0L, 5L, 0L);
    }

    @Test
    void aMissingClusterSaysHowToStartOne() {
        assertThatThrownBy(() -> new StateFile(folder).read())
                .isInstanceOf(NoClusterException.class)
                .hasMessageContaining("./meteor cluster start");
    }

    @Test
    void aDamagedFileSaysWhatToDo() throws Exception {
        StateFile file = written();
        Files.writeString(file.path(), "{ \"version\": 1, ");
        assertThatThrownBy(file::read)
                .isInstanceOf(ClusterException.class)
                .hasMessageContaining("is damaged")
                .hasMessageContaining("delete the folder");
    }

    @Test
    void anotherVersionsFileIsNotTouched() throws Exception {
        StateFile file = written();
        Files.writeString(file.path(), Files.readString(file.path()).replace("\"version\" : 1", "\"version\" : 9"));
        assertThatThrownBy(file::read).hasMessageContaining("another version");
    }

    @Test
    void aClusterOfTheSameShapeGoesOnWithItsSecret() {
        StateFile file = written();
        ClusterOptions other =
                ClusterOptions.builder().delaysMillis(List.of(9.0)).build();
        ClusterState again = NewCluster.admit(folder, file, other);
        assertThat(again.tokenSecret()).isEqualTo(file.read().tokenSecret()).hasSize(64);
        assertThat(again.options()).isEqualTo(other);
    }

    @Test
    void dataOfAnotherShapeIsRefused() {
        StateFile file = written();
        ClusterOptions other = ClusterOptions.builder().nodesPerDc(2).build();
        assertThatThrownBy(() -> NewCluster.admit(folder, file, other))
                .hasMessageContaining("of another shape")
                .hasMessageContaining("./meteor cluster stop");
    }

    @Test
    void aFolderWithOtherThingsIsRefused() throws Exception {
        Files.writeString(folder.resolve("thesis.tex"), "precious");
        assertThatThrownBy(() -> NewCluster.admit(
                        folder, new StateFile(folder), ClusterOptions.builder().build()))
                .hasMessageContaining("is not empty");
    }

    @Test
    void aClusterWhoseNodesRunIsNotStartedTwice() {
        StateFile file = written();
        file.update(s ->
                s.withProcess("eu-1", NodeProcess.of(ProcessHandle.current().pid())));
        assertThatThrownBy(() ->
                        NewCluster.admit(folder, file, ClusterOptions.builder().build()))
                .hasMessageContaining("already runs");
    }

    @Test
    void aClusterWithAddedAndRemovedNodesGoesOnWithThem() {
        StateFile file = written();
        file.update(s -> s.withNode(new NodeSpec("eu-2", "eu", "127.0.0.4", 7)).withGone("us-1"));

        ClusterState again =
                NewCluster.admit(folder, file, ClusterOptions.builder().build());

        assertThat(again.nodes()).extracting(e -> e.spec().name()).containsExactly("eu-1", "asia-1", "eu-2");
        assertThat(again.goneNodes()).extracting(NodeSpec::name).containsExactly("us-1");
        assertThat(again.withoutNode("eu-2").goneNodes()).hasSize(1);
    }

    @Test
    void aFileFromBeforeNodesCouldGoIsRead() throws Exception {
        StateFile file = written();
        Files.writeString(file.path(), Files.readString(file.path()).replaceFirst(",\\s*\"gone\" : \\[ \\]", ""));
        assertThat(Files.readString(file.path())).doesNotContain("gone");

        assertThat(file.read().goneNodes()).isEmpty();
    }

    private StateFile written() {
        StateFile file = new StateFile(folder);
        file.write(NewCluster.admit(
                folder.resolve("none"), file, ClusterOptions.builder().build()));
        return file;
    }
}
