/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

/** Why reads wait, for people. */
final class WaitReasons {
    private final StatusMap statusMap;
    private final TableStates tables;
    private final Knowledge knowledge;
    private final ReadBounds bounds;
    private final StrictAtHome home;

    WaitReasons(StatusMap statusMap, TableStates tables, Knowledge knowledge, ReadBounds bounds, StrictAtHome home) {
        this.statusMap = statusMap;
        this.tables = tables;
        this.knowledge = knowledge;
        this.bounds = bounds;
        this.home = home;
    }

    String whyNot(ReadSubscriptionMap.Subscription read) {
        ReplicaGroup group = statusMap.groupOf(read.key);
        String notReady = tables.notReady(read.key.table(), group);
        if (notReady != null) {
            return notReady;
        }
        if (read.ageUnknown) {
            return bounds.whyAgeUnknown(group);
        }
        if (StrictAtHome.isAsked(read.mode, group) && read.due == null) {
            return home.whyNot(group, read.key.table());
        }
        long covered = CutChooser.newestCovered(group, knowledge.of(group, read.key.table()));
        if (covered < read.oldestMicros) {
            String leftBehind = knowledge.whyLeftBehind(group);
            if (leftBehind != null) {
                return leftBehind;
            }
            return covered == Long.MIN_VALUE
                    ? "too few replicas send status messages: " + group.readQuorum() + " of " + group.size()
                            + " are needed, this node included"
                    : "too few replicas have sent status messages as new as the session needs: the newest cut is "
                            + (read.oldestMicros - covered) / 1_000 + " ms too old";
        }
        return "a write of the row stayed undecided: a replica that may have applied it is not heard";
    }
}
