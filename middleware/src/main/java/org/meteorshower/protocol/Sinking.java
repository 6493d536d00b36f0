/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

/**
 * Lets the content of records leave the heap that wait for a peer only: the journal has it. Done once a record is in
 * the store and visible at a cut that is covered here; then no reader here needs it, and no older cut is used. The peer
 * gets it from the journal. Over the limit the content of all others goes, too, and with it what their rows held
 * before: then reads of these rows wait.
 */
final class Sinking {
    /** Most records are done with before: to sink one is work, and its partition's reads go back no further. */
    private static final long AFTER_NANOS = 1_000_000_000L;

    private final LiveSettings settings;
    private final Turn turn;
    private final StatusMap statusMap;
    private final Knowledge knowledge;
    private final Pins pins;

    Sinking(LiveSettings settings, Turn turn, StatusMap statusMap, Knowledge knowledge, Pins pins) {
        this.pins = pins;
        this.settings = settings;
        this.turn = turn;
        this.statusMap = statusMap;
        this.knowledge = knowledge;
    }

    void sinkIfDue(MutationRecord record) {
        PartitionState partition = record.partition;
        if (partition != null && statusMap.kept().total() > RecordLimits.crowdedBytes(settings)) {
            partition.shed();
        } else if (isDue(record) && isInStore(record)) {
            sink(record);
        }
    }

    private static boolean isInStore(MutationRecord record) {
        return record.update() != null && record.local == MutationRecord.Local.APPLIED;
    }

    private void sink(MutationRecord record) {
        long visibleFrom = record.visibleFromMicros();
        if (visibleFrom <= newestCovered(record) && pins.mayForget(record.key, visibleFrom)) {
            statusMap.sink(record, visibleFrom);
        }
    }

    /** Over half of the limit all that can sink does so. */
    private boolean isDue(MutationRecord record) {
        return turn.nanos() - record.createdNanos > AFTER_NANOS
                || statusMap.kept().total() > settings.now().recordsBytes() / 2;
    }

    private long newestCovered(MutationRecord record) {
        return CutChooser.newestCovered(record.group(), knowledge.told(record.group(), record.key.table()));
    }
}
