/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.cassandra.schema.TableId;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.ReplicaGroup;

/**
 * The tables that this node followed, by their names in the protocol, and who held their partitions: a small file for
 * each beside the journal, until nobody can serve the table under that name any more. So a node that restarts while a
 * table is being disabled still knows whom to wait for; the schema and the journal have forgotten it by then.
 * Thread-safe. All methods throw {@link UncheckedIOException} where the directory cannot be used.
 */
public final class FollowedTables {
    private static final String PREFIX = "followed-";

    /** @param groups who held which of its partitions */
    public record Followed(TableId table, Set<ReplicaGroup> groups) {}

    private final Path directory;
    private final Map<UUID, Followed> tables = new ConcurrentHashMap<>();

    public FollowedTables(Path directory) {
        this.directory = directory;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, PREFIX + "*")) {
            for (Path file : files) {
                String name = file.getFileName().toString().substring(PREFIX.length());
                if (name.endsWith(ForcedFile.UNFINISHED)) {
                    Files.delete(file);
                } else {
                    tables.put(nameOf(file, name), read(file));
                }
            }
        } catch (IOException e) {
            throw unusable(e);
        }
    }

    private static UUID nameOf(Path file, String name) throws IOException {
        try {
            return UUID.fromString(name);
        } catch (IllegalArgumentException e) {
            throw new IOException(file + " is none of MeteorShower's files, by its name: move it elsewhere", e);
        }
    }

    /** Behind the number, where strict reads are answered at home. */
    private static final String STRICT_AT_HOME = "h";

    /** The first line is the table, each other one a group: how many of it a write needs, and its members. */
    private static Followed read(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        try {
            Set<ReplicaGroup> groups = new HashSet<>();
            for (String line : lines.subList(1, lines.size())) {
                String[] words = line.split(" ");
                boolean strictAtHome = words[0].endsWith(STRICT_AT_HOME);
                groups.add(new ReplicaGroup(
                        Arrays.stream(words)
                                .skip(1)
                                .map(word -> new NodeId(UUID.fromString(word)))
                                .toList(),
                        Integer.parseInt(words[0].replace(STRICT_AT_HOME, "")),
                        strictAtHome));
            }
            return new Followed(TableId.fromString(lines.get(0)), groups);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new IOException(
                    file
                            + " is damaged. Where no table has been disabled for a while it can be deleted; else wait until"
                            + " all nodes agree on the schema before",
                    e);
        }
    }

    /** By the tables' names in the protocol. */
    public Map<UUID, Followed> all() {
        return Map.copyOf(tables);
    }

    /** It is on disk when this returns. */
    void add(UUID name, Followed followed) {
        if (followed.equals(tables.get(name))) {
            return;
        }
        List<String> lines = new ArrayList<>();
        lines.add(followed.table().toString());
        for (ReplicaGroup group : followed.groups()) {
            StringBuilder line =
                    new StringBuilder().append(group.writeQuorum()).append(group.strictAtHome() ? STRICT_AT_HOME : "");
            group.members().forEach(member -> line.append(' ').append(member.value()));
            lines.add(line.toString());
        }
        try {
            ForcedFile.write(directory.resolve(PREFIX + name), String.join("\n", lines) + "\n");
        } catch (IOException e) {
            throw unusable(e);
        }
        tables.put(name, followed);
    }

    /** Forgets all other names. */
    public void keepOnly(Collection<UUID> names) {
        for (UUID name : List.copyOf(tables.keySet())) {
            if (!names.contains(name)) {
                try {
                    Files.deleteIfExists(directory.resolve(PREFIX + name));
                } catch (IOException e) {
                    throw unusable(e);
                }
                tables.remove(name);
            }
        }
    }

    private UncheckedIOException unusable(IOException e) {
        return new UncheckedIOException("MeteorShower: cannot use " + directory + ": " + e.getMessage(), e);
    }
}
