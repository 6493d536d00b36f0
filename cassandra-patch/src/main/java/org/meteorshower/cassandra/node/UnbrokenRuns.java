/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.UntypedResultSet;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.meteorshower.cassandra.tables.ForcedFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out whether this node has run without the plugin since it last ran with it. It may have applied mutations then
 * that nobody announced, and must not pass for one that has announced all.
 *
 * <p>Cassandra counts its starts in a generation number; the one of each start with the plugin is kept in a file. Used
 * at start by the main thread, then by the ticker's.
 */
final class UnbrokenRuns {
    private static final Logger log = LoggerFactory.getLogger(UnbrokenRuns.class);
    private static final String FILE = "generation";

    private final Path file;
    private final int generationBefore = generation();
    private boolean recorded;

    UnbrokenRuns(Path directory) {
        this.file = directory.resolve(FILE);
    }

    /** Whether the last start of this node was one without the plugin, or is not known to have been one with it. */
    boolean isBroken() {
        try {
            return !Files.readString(file).strip().equals(Integer.toString(generationBefore));
        } catch (NoSuchFileException e) {
            return true;
        } catch (IOException e) {
            throw new ConfigurationException("MeteorShower: cannot read " + file + ": " + e, e);
        }
    }

    /** Notes this start, as soon as Cassandra has counted it. Cheap once that is done. */
    void recordThisStart() {
        if (recorded) {
            return;
        }
        int generation = generation();
        if (generation == generationBefore) {
            return;
        }
        try {
            ForcedFile.write(file, Integer.toString(generation));
        } catch (IOException e) {
            // The next start will ask for a repair of the enabled tables, which is safe.
            log.error("MeteorShower: cannot write {}: {}", file, e.toString());
        }
        recorded = true;
    }

    /** 0 before the first start. */
    private static int generation() {
        UntypedResultSet found =
                QueryProcessor.executeInternal("SELECT gossip_generation FROM system.local WHERE key = 'local'");
        return found.isEmpty() || !found.one().has("gossip_generation")
                ? 0
                : found.one().getInt("gossip_generation");
    }
}
