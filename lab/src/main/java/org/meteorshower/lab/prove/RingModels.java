/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.prove;

import static org.meteorshower.lab.prove.Model.FALSE;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Models of ReadsWhileTheRingChanges.tla: sequential reads while the ring changes. */
final class RingModels {
    private static final Specification RING = Specification.of(
            "ReadsWhileTheRingChanges",
            "Sequential",
            List.of(
                    "NamesApart",
                    "LeftNotServed",
                    "OustedToldNothing",
                    "FollowStored",
                    "WritesHeld",
                    "AcksHeld",
                    "AcksOfThen",
                    "FollowersAwaited",
                    "NobodyHeldUp",
                    "EnoughCarried",
                    "CarriersHeld",
                    "CarriedByAll",
                    "CarriedInStores",
                    "RepairAwaitsAll",
                    "RepairedFirst",
                    "AnnouncedStamped",
                    "MovedVisible",
                    "MovedCarried",
                    "MovedToken"),
            Map.ofEntries(
                    Map.entry("Case", "\"own-write\""),
                    Map.entry("MaxClock", "2"),
                    Map.entry("Before", "{0, 1, 2}"),
                    Map.entry("After", "{1, 2, 3}"),
                    Map.entry("Elsewhere", "{}"),
                    Map.entry("Ousted", "{}"),
                    Map.entry("Coordinators", "{0}"),
                    Map.entry("Readers", "{3}"),
                    Map.entry("Lead", "0"),
                    Map.entry("StoredLater", FALSE),
                    Map.entry("Failures", FALSE),
                    Map.entry("Plainly", FALSE),
                    Map.entry("Opened", FALSE),
                    Map.entry("Unannounced", FALSE)));

    private RingModels() {}

    static List<Model> all() {
        return Stream.of(holding(), following(), carrying(), servedAgain(), reached(), larger())
                .flatMap(List::stream)
                .toList();
    }

    private static List<Model> holding() {
        return List.of(
                RING.holds("ring-one-by-one", "nodes go over one by one, and write; one that is late reads")
                        .with("Coordinators", "{1, 3}")
                        .with("Readers", "{0}")
                        .with("MaxClock", "3"),
                halved(RING.holds("ring-halved", "half of the replicas go at once")),
                pair(RING.holds("ring-pair", "one of two replicas is replaced"))
                        .with("Coordinators", "{0, 1}")
                        .with("Readers", "{1, 2}"),
                opened(RING.holds("ring-served-again", "all have opened the table, and vouch one by one")));
    }

    /** Node 0 is replaced while it lives, and reads. */
    private static Model ousted(Model model) {
        return model.with("Ousted", "{0}").with("Readers", "{0}").with("MaxClock", "3");
    }

    /** One of two is replaced, and writes go to both. */
    private static Model pair(Model model) {
        return model.with("Before", "{0, 1}").with("After", "{1, 2}").with("Readers", "{2}");
    }

    /** All have followed; two that stay write and read, the third one joins. */
    private static Model opened(Model model) {
        return model.withAll("Opened")
                .with("Case", "\"read-twice\"")
                .with("Coordinators", "{1}")
                .with("Readers", "{1, 2}");
    }

    /** Of four replicas two stay; one that goes reads, and who has written holds nothing. */
    private static Model halved(Model model) {
        return model.with("Before", "{0, 1, 2, 3}")
                .with("After", "{0, 1}")
                .with("Elsewhere", "{4}")
                .with("Coordinators", "{4}")
                .with("Readers", "{3}");
    }

    private static List<Model> following() {
        return List.of(
                RING.without("names-not-apart", "a stamp under one name counts under the other", "NamesApart")
                        .withAll("Plainly"),
                RING.without("left-name-served", "who has gone over reads under the name before", "LeftNotServed")
                        .with("Coordinators", "{1}")
                        .with("Readers", "{1}"),
                ousted(RING.without("off-the-ring-still-told", "who is off the ring is told more", "OustedToldNothing"))
                        .with("Coordinators", "{1}"),
                RING.without("writes-not-held", "a node writes as soon as it has gone over", "WritesHeld")
                        .with("Coordinators", "{1}")
                        .with("Readers", "{0}"),
                RING.without("acknowledgements-not-held", "and acknowledges", "AcksHeld")
                        .with("Elsewhere", "{4}")
                        .with("Coordinators", "{4}")
                        .with("Readers", "{0}"),
                ousted(RING.without("acknowledged-as-of-before", "with the stamp that it gave before", "AcksOfThen"))
                        .with("Elsewhere", "{4}")
                        .with("Coordinators", "{4}"),
                RING.without("opened-before-all-follow", "a node opens while another one serves", "FollowersAwaited")
                        .with("Coordinators", "{1}")
                        .with("Readers", "{0}"),
                RING.without("opened-while-peers-wait", "a new node opens while its peers wait", "NobodyHeldUp")
                        .with("Coordinators", "{3}")
                        .with("Readers", "{0}"),
                halved(RING.without(
                        "moved-and-not-visible",
                        "all that stay have a write, and one that goes reads",
                        "MovedVisible")),
                ousted(RING.without("moved-token-of-before", "a write that moved has no token of then", "MovedToken"))
                        .with("Coordinators", "{1}"));
    }

    private static List<Model> carrying() {
        return Stream.of(
                        RING.without("plain-before-carried", "plain reads while much is under way", "EnoughCarried"),
                        RING.without("newcomers-word-counts", "who held nothing has carried over", "CarriersHeld"),
                        RING.without("nothing-carried", "nothing is carried over", "CarriedByAll"),
                        RING.without("carried-if-stamped", "what is carried is not in the stores", "CarriedInStores")
                                .withAll("StoredLater"),
                        RING.without("followed-before-stored", "a node follows with stamps under way", "FollowStored")
                                .withAll("StoredLater"))
                .map(model -> model.withAll("Plainly"))
                .toList();
    }

    private static List<Model> servedAgain() {
        return List.of(
                pair(RING.without(
                        "repaired-too-early", "the repair looks before all have gone over", "RepairAwaitsAll")),
                pair(RING.without("vouched-without-repair", "who has joined vouches without it", "RepairedFirst")),
                pair(RING.without("moved-and-not-carried", "the one that stays has a write by Y alone", "MovedCarried"))
                        .with("Coordinators", "{0, 1}")
                        .with("Readers", "{1, 2}"),
                RING.without("too-many-go-at-once", "no rule is left out, but two of three replicas change")
                        .with("After", "{2, 3, 4}"),
                opened(RING.without(
                        "vouched-before-stamped", "a node vouches without what others announced", "AnnouncedStamped")));
    }

    private static List<Model> reached() {
        return List.of(
                RING.reached("a-write-ends-by-the-old-view", "NobodyWritesByTheOldView"),
                RING.reached("a-read-waits-for-the-next-name", "NobodyWaitsForTheNextName"),
                RING.reached("all-that-stay-acknowledge", "AllThatStayNeverAcknowledge")
                        .with("Coordinators", "{1}"),
                RING.reached("something-is-carried-over", "NothingIsCarriedOver"),
                RING.reached("a-read-is-plain", "NobodyReadsPlainly").withAll("Plainly"),
                RING.reached("something-is-repaired", "NothingIsRepaired"),
                opened(RING.reached("something-is-announced-late", "NothingIsAnnouncedLate")),
                RING.reached("one-that-joins-vouches", "NobodyVouches"),
                RING.reached("one-that-joins-is-read", "NoReadEnds"),
                ousted(RING.reached("one-off-the-ring-is-read", "NobodyOffTheRingReads")));
    }

    private static List<Model> larger() {
        return Stream.of(
                        ousted(RING.holds("ring-ousted", "one is replaced while it lives; who writes holds nothing"))
                                .with("Elsewhere", "{4}")
                                .with("Coordinators", "{4}"),
                        RING.holds("ring-carried-over", "what is under way is carried over; the one that joins reads")
                                .with("Coordinators", "{0, 1}")
                                .withAll("Plainly"))
                .map(Model::slow)
                .toList();
    }
}
