/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A cluster's state on disk. Thread-safe, also against other processes. */
final class StateFile {
    /** Records as they are; their other methods are no properties. */
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .visibility(PropertyAccessor.IS_GETTER, JsonAutoDetect.Visibility.NONE)
            .build();

    private final Path file;

    StateFile(Path clusterFolder) {
        file = clusterFolder.resolve("cluster.json");
    }

    Path path() {
        return file;
    }

    boolean exists() {
        return Files.isRegularFile(file);
    }

    /** Throws {@link NoClusterException} where there is none, {@link ClusterException} where it cannot be read. */
    ClusterState read() {
        if (!exists()) {
            throw new NoClusterException(
                    "no cluster in " + file.getParent() + ": start one with ./meteor cluster start");
        }
        try {
            ClusterState state = JSON.readValue(Files.readString(file), ClusterState.class);
            if (state == null || state.nodes().stream().anyMatch(each -> each == null || each.spec() == null)) {
                throw damaged("it holds no cluster", null);
            }
            if (state.version() != ClusterState.VERSION) {
                throw new ClusterException(file + " was written by another version of MeteorShower (" + state.version()
                        + ", this one writes " + ClusterState.VERSION + "): stop the cluster with that version");
            }
            return state;
        } catch (JacksonException e) {
            throw damaged(e.getOriginalMessage(), e);
        } catch (CharacterCodingException e) {
            throw damaged("it is no text", e);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    private ClusterException damaged(String what, @Nullable Exception cause) {
        String text = file + " is damaged (" + what
                + "). Stop its processes by hand (ps aux | grep CassandraDaemon), then delete the folder.";
        return cause == null ? new ClusterException(text) : new ClusterException(text, cause);
    }

    void write(ClusterState state) {
        try {
            AtomicFile.write(file, JSON.writeValueAsString(state) + "\n");
        } catch (JacksonException e) {
            throw new IllegalStateException("a cluster's state must have a written form", e);
        }
    }

    void update(UnaryOperator<ClusterState> change) {
        AtomicFile.locked(file, () -> {
            ClusterState changed = change.apply(read());
            write(changed);
            return changed;
        });
    }
}
