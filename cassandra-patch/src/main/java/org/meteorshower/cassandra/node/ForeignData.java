/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.UUID;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.streaming.StreamSession;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.agent.Hooks;
import org.meteorshower.cassandra.placement.RingPlacement;
import org.meteorshower.cassandra.tables.EnabledTables;
import org.meteorshower.cassandra.tables.ForcedFile;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.runtime.MeteorShower;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the middleware of data that comes into enabled tables unannounced, before any read sees it and after: what a
 * repair streams, what an operator imports. Thread-safe.
 *
 * <p>Not of what this node is given to hold in the next epoch alone, as nodes join and leave: nothing here reads that
 * in the present one, and who gains partitions repairs them.
 *
 * <p>A file per table says that such data may be there and not accounted for, so that a restart does not forget it.
 */
final class ForeignData implements Hooks.ForeignDataListener {
    private static final Logger log = LoggerFactory.getLogger(ForeignData.class);
    private static final String PREFIX = "foreign-";

    /** The table's name where what this thread is bringing in is no news. */
    private static final ThreadLocal<@Nullable UUID> NOT_HELD_IN = new ThreadLocal<>();

    private final Path directory;
    private final EnabledTables enabled;
    private final MeteorShower meteorShower;
    private final Strangers strangers;
    private final EpochMarks strange;

    /** @param placement which tells whose streams are no news */
    ForeignData(
            NodeId self, RingPlacement placement, Path directory, EnabledTables enabled, MeteorShower meteorShower) {
        this.directory = directory;
        this.enabled = enabled;
        this.meteorShower = meteorShower;
        this.strangers = new Strangers(self, placement);
        this.strange = new EpochMarks(directory, "strange-");
    }

    /**
     * Whether a stranger's data came into the epoch of this name: a node that holds no replica of it in this epoch sent
     * it, so it may hold mutations that nobody will ever announce. This node does not serve that epoch any more;
     * another one is to begin.
     */
    boolean isSpoiled(UUID epoch) {
        return strange.contains(epoch);
    }

    /** After a start: what was not accounted for then is not now. */
    synchronized void recover() {
        forEachMark((mark, table) -> {
            UUID id = enabled.idOf(TableId.fromUUID(table));
            if (id != null) {
                meteorShower.foreignData(id);
            }
        });
        strange.all().forEach(meteorShower::tableLeft);
    }

    @Override
    public synchronized void coming(TableId table, Collection<SSTableReader> files, @Nullable StreamSession stream) {
        UUID id = enabled.idOf(table);
        boolean news = id != null && strangers.areHeld(id, files);
        NOT_HELD_IN.set(news ? null : id);
        if (id != null && news) {
            mark(table);
            if (stream != null && strangers.isStrange(id, files, stream)) {
                strange.add(id);
                meteorShower.tableLeft(id);
                log.warn(
                        "MeteorShower: {} streams partitions of table {} that it does not hold in the table's present epoch. The"
                                + " table is not served here until another epoch has begun and it has been repaired, which the nodes"
                                + " do by themselves",
                        stream.peer,
                        table);
            }
            meteorShower.foreignDataComing(id);
        }
    }

    @Override
    public void came(TableId table) {
        UUID id = enabled.idOf(table);
        UUID notHeld = NOT_HELD_IN.get();
        NOT_HELD_IN.remove();
        if (id != null && !id.equals(notHeld)) {
            meteorShower.foreignData(id);
            log.info(
                    "MeteorShower: data came into table {} by a repair or an import; its reads here wait until all peers"
                            + " have said what is in flight",
                    table);
        }
    }

    /** Drops the marks of tables whose foreign data is accounted for. To be called now and then. */
    synchronized void tidy() {
        // An epoch that is not followed now may be again, once this node sees the ring that it is about.
        strange.keepOnly(enabled.declaredIds());
        forEachMark((mark, table) -> {
            UUID id = enabled.idOf(TableId.fromUUID(table));
            if (id == null || !meteorShower.inspect(view -> view.hasForeignData(id))) {
                Files.deleteIfExists(mark);
            }
        });
    }

    private void mark(TableId table) {
        try {
            ForcedFile.mark(directory.resolve(PREFIX + table.asUUID()));
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "MeteorShower: cannot note in " + directory + " that data is coming in, so it must not come in", e);
        }
    }

    private interface MarkAction {
        void accept(Path mark, UUID table) throws IOException;
    }

    private void forEachMark(MarkAction action) {
        try (DirectoryStream<Path> marks = Files.newDirectoryStream(directory, PREFIX + "*")) {
            for (Path mark : marks) {
                String name = mark.getFileName().toString().substring(PREFIX.length());
                action.accept(mark, UUID.fromString(name));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("MeteorShower: cannot use " + directory, e);
        }
    }
}
