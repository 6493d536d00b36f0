/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

/** What peers announce: that they have stamped a mutation. Who announces one that is retired here is told so. */
final class Announcements {
    private final Turn turn;
    private final StatusMap statusMap;
    private final TableStates tables;
    private final MessageReceiver receiver;
    private final ReadWorker reads;
    private final WriteWorker writes;
    private final Sweep sweep;
    private final RetiredNews news;

    Announcements(
            Turn turn,
            StatusMap statusMap,
            TableStates tables,
            MessageReceiver receiver,
            ReadWorker reads,
            WriteWorker writes,
            Sweep sweep,
            RetiredNews news) {
        this.turn = turn;
        this.statusMap = statusMap;
        this.tables = tables;
        this.receiver = receiver;
        this.reads = reads;
        this.writes = writes;
        this.sweep = sweep;
        this.news = news;
    }

    /** A replica says that it has applied a mutation. */
    void heard(NodeId from, Announcement announced) {
        if (!tables.isEnabled(announced.key().table())) {
            return; // enabling it here will ask for new streams, and so for all of this again
        }
        MutationRecord record = statusMap.find(announced.key(), announced.id());
        if (record == null) {
            if (statusMap.retiredBy(announced.key(), announced.id()) != null) {
                news.add(from, announced.key(), announced.id());
                return;
            }
            record = statusMap.record(announced, turn.nanos());
            if (record == null) {
                return; // this node holds no replica of the key (any more)
            }
            sweep.add(record);
        }
        int member = record.group().indexOf(from);
        if (member >= 0 && noted(record, member, announced.appliedMicros(), from)) {
            reads.touched(record.key);
            writes.announced(from, record.key, record.id, announced.appliedMicros());
        }
    }

    /**
     * Whether it is news. Who has retired mutations without this node, or does not know all that it has stamped, may
     * have stamped this one before.
     */
    private boolean noted(MutationRecord record, int member, long appliedMicros, NodeId from) {
        boolean isFirst = record.isAppliedAt(member)
                || (!receiver.isBehind(from) && tables.isVouchedForBy(from, record.key.table()));
        return !isFirst ? record.appliedBy(member, appliedMicros) : record.applied(member, appliedMicros);
    }

    /** These are retired elsewhere. */
    void retired(Message.Retired message) {
        for (Message.RetiredMutation mutation : message.mutations()) {
            MutationRecord record = statusMap.find(mutation.key(), mutation.id());
            if (record != null) {
                record.everywhereByMicros = Math.min(record.everywhereByMicros, message.byMicros());
                reads.touched(record.key);
            }
        }
    }
}
