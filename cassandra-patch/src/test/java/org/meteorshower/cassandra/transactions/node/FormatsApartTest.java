/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.transactions.codec.BadDataException;
import org.meteorshower.transactions.codec.MessageCodec;
import org.meteorshower.transactions.log.FormatUse;
import org.meteorshower.transactions.log.Formats;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Message;

/**
 * Processes of different releases, as far as what goes between them: who has no format in common keeps to itself, and
 * says so.
 */
final class FormatsApartTest {
    private static final List<String> NAMES = List.of("eu", "us", "asia");
    private static final Message OUTBID = new Message.Outbid(0, 7);
    private static final Message REFUSED = new Message.ForwardRefused(7, List.of(1L));
    private static final Formats OLD = new Formats(1, 1);
    private static final Formats BOTH = new Formats(1, 2);
    private static final Formats NEW = new Formats(2, 2);

    private final Map<NodeId, End> ends = new HashMap<>();
    private long nanos;

    /** A node that runs the process of a data centre, without the process. */
    private final class End implements Intake.Owner, Post {
        final NodeId node;
        final int dc;
        int newestVersion;
        final Representatives representatives = new Representatives(NAMES.size());
        final List<Message> received = new ArrayList<>();
        final List<String> large = new ArrayList<>();
        final List<String> apart = new ArrayList<>();
        final List<String> bad = new ArrayList<>();
        final PeerFormats formats;
        final Intake intake;
        final NodeCourier courier;

        /** Counts of what was sent. */
        int sent;

        End(int dc, Formats known, int used, int newestVersion) {
            this.dc = dc;
            this.node = NodeId.of(dc + 1);
            this.newestVersion = newestVersion;
            MessageCodec codec = new MessageCodec(new Members(dc, NAMES.size()));
            formats = new PeerFormats(NAMES, dc, known, () -> nanos, apart::add);
            formats.begins(used);
            intake = new Intake(
                    from -> {
                        End end = ends.get(from);
                        return end == null ? DataCentres.NONE : end.dc;
                    },
                    dc,
                    representatives,
                    formats,
                    codec,
                    this);
            courier = new NodeCourier(
                    this, representatives, formats, codec, (to, message) -> large.add(String.valueOf(to)), life());
            ends.put(node, this);
        }

        @Override
        public CompletableFuture<byte[]> call(NodeId to, byte[] request, Duration timeout) {
            return CompletableFuture.failedFuture(new IllegalStateException("nobody is asked here"));
        }

        long life() {
            return 100L + dc;
        }

        @Override
        public boolean isConnected(NodeId to) {
            return true;
        }

        @Override
        public int version(NodeId to) {
            return Math.min(newestVersion, ends.get(to).newestVersion);
        }

        @Override
        public void send(NodeId to, Parcel.Packed parcel, boolean twice) {
            sent++;
            if (parcel.versions().includes(version(to))) {
                ends.get(to).intake.parcel(node, parcel.bytes(), version(to));
            }
        }

        void announce() {
            for (End other : ends.values()) {
                if (other != this) {
                    send(other.node, Parcel.announcement(life(), formats.own(), version(other.node)), false);
                }
            }
            sent = 0;
        }

        void tell(int to, Message... messages) {
            for (Message message : messages) {
                courier.send(to, message, true);
            }
            courier.flush();
        }

        @Override
        public void announced(NodeId from, long life) {}

        @Override
        public void candidate() {}

        @Override
        public void farewell(long life) {}

        @Override
        public void received(int from, Message message) {
            received.add(message);
        }

        @Override
        public void bad(NodeId from, BadDataException why) {
            bad.add(String.valueOf(why.getMessage()));
        }
    }

    private End end(int dc, Formats known, int used) {
        return new End(dc, known, used, 3);
    }

    private void allAnnounce() {
        ends.values().forEach(End::announce);
    }

    @Test
    void whoKnowsWhatTheOtherUsesIsSpokenTo() {
        End one = end(0, OLD, 1);
        End two = end(1, BOTH, 1);
        allAnnounce();
        one.tell(1, OUTBID, REFUSED);
        two.tell(0, OUTBID);

        assertThat(two.received).containsExactly(OUTBID, REFUSED);
        assertThat(one.received).containsExactly(OUTBID);
        assertThat(one.formats.trouble(1)).isNull();
        assertThat(one.formats.of(1)).hasToString("knows formats 1 to 2 and uses 1");
        assertThat(one.apart).isEmpty();
    }

    @Test
    void withoutACommonFormatNothingIsExchangedAndBothSaySoOnce() {
        End one = end(0, OLD, 1);
        End two = end(1, NEW, 2);
        End three = end(2, OLD, 1);
        for (int i = 0; i < 3; i++) {
            allAnnounce();
        }
        one.tell(1, OUTBID, new Message.Rejoin(1, 2));
        two.tell(0, OUTBID);
        assertThat(one.sent + two.sent).isZero();
        assertThat(one.representatives.of(1)).isNull();
        // As one that has not heard what this one uses yet, or is mistaken in it.
        two.representatives.heard(0, one.node, one.life());
        two.tell(0, OUTBID);
        assertThat(two.sent).isZero();
        byte[] message = new MessageCodec(new Members(1, 3)).encode(OUTBID);
        one.intake.parcel(
                two.node, Parcel.contents(two.life(), 9, List.of(message), 1).bytes(), 3);
        one.intake.large(two.node, message);

        assertThat(one.received).isEmpty();
        assertThat(two.received).isEmpty();
        assertThat(one.apart).singleElement().satisfies(text -> assertThat(text)
                .contains(
                        two.node.toString(),
                        "data centre us",
                        "knows format 2 and uses 2",
                        "this one knows format 1 and uses 1",
                        "Install the same plugin"));
        assertThat(two.apart).hasSize(2);
        assertThat(one.formats.trouble(1)).isEqualTo(one.apart.get(0));

        // The others go on.
        one.tell(2, OUTBID);
        three.tell(0, REFUSED);
        assertThat(three.received).containsExactly(OUTBID);
        assertThat(one.received).containsExactly(REFUSED);
        assertThat(one.formats.trouble(2)).isNull();
        assertThat(one.bad).isEmpty();
    }

    /** It knows both, but its log has gone on to what the other does not know. */
    @Test
    void whoUsesWhatTheOtherDoesNotKnowIsNotSpokenTo() {
        End one = end(0, OLD, 1);
        End two = end(1, BOTH, 2);
        allAnnounce();
        one.tell(1, OUTBID);
        two.tell(0, OUTBID);

        assertThat(one.sent + two.sent).isZero();
        assertThat(one.apart).hasSize(1);
        assertThat(two.apart).hasSize(1);
        one.formats.begins(1);
        two.formats.begins(1);
        allAnnounce();
        one.tell(1, OUTBID);
        assertThat(two.received).containsExactly(OUTBID);
        assertThat(one.formats.trouble(1)).isNull();
        two.formats.begins(2);
        allAnnounce();
        assertThat(one.apart).as("said again when it is so again").hasSize(2);
    }

    @Test
    void aProcessIsHeardWhenItHasSaidWhatItUsesAndNotBefore() {
        End one = end(0, OLD, 1);
        End two = end(1, OLD, 1);
        one.announce();
        two.tell(0, OUTBID);
        assertThat(one.received).isEmpty();
        two.announce();
        two.tell(0, OUTBID);
        assertThat(one.received).containsExactly(OUTBID);
        // What the next life of that node knows is not known yet.
        byte[] message = new MessageCodec(new Members(1, 3)).encode(OUTBID);
        one.intake.parcel(
                two.node,
                Parcel.contents(two.life() + 1, 1, List.of(message), 1).bytes(),
                3);
        assertThat(one.received).hasSize(1);
    }

    /** It does not know of formats, and of these kinds: it is told as ever, and nothing that it would warn of. */
    @Test
    void whoSpeaksTheLastVersionIsToldNothingNew() {
        End one = end(0, BOTH, 1);
        End old = new End(1, OLD, 1, 2);
        allAnnounce();
        one.tell(1, OUTBID, REFUSED, OUTBID);
        one.tell(1, REFUSED);
        assertThat(one.sent).isEqualTo(1);
        old.tell(0, OUTBID, REFUSED);

        assertThat(old.received).containsExactly(OUTBID, OUTBID);
        assertThat(one.received).containsExactly(OUTBID);
        assertThat(one.formats.of(1)).hasToString("knows format 1 and uses 1");
        assertThat(old.bad).isEmpty();
        assertThat(one.bad).isEmpty();
        // If it were, all the same, the other one would say so, as the last release did.
        byte[] message = new MessageCodec(new Members(0, 3)).encode(REFUSED);
        old.intake.parcel(
                one.node, Parcel.contents(one.life(), 9, List.of(message), 1).bytes(), 2);
        assertThat(old.bad).singleElement().asString().contains("ForwardRefused in version 2");
    }

    @Test
    void whoGoesBackToTheLastVersionIsSpokenToAsThat() {
        End one = end(0, OLD, 1);
        End two = end(1, OLD, 1);
        allAnnounce();
        one.tell(1, OUTBID, REFUSED);
        two.newestVersion = 2;
        two.announce();
        one.tell(1, OUTBID);
        assertThat(two.received).containsExactly(OUTBID, REFUSED, OUTBID);
        assertThat(two.bad).isEmpty();
    }

    /** The next format is not for who says nothing of formats. */
    @Test
    void whoSpeaksTheLastVersionKnowsTheFirstFormatOnly() {
        End one = end(0, BOTH, 2);
        End old = new End(1, OLD, 1, 2);
        allAnnounce();
        one.tell(1, OUTBID);
        assertThat(one.sent).isZero();
        assertThat(one.apart).hasSize(1);
        old.tell(0, OUTBID);
        assertThat(one.received).isEmpty();
    }

    @Test
    void nonsenseAboutFormatsIsBadDataAndNothingElse() {
        End one = end(0, OLD, 1);
        End two = end(1, OLD, 1);
        allAnnounce();
        one.intake.parcel(two.node, new byte[] {Parcel.ANNOUNCEMENT_WITH_FORMATS, 101, 3, 2, 2}, 3);
        assertThat(one.bad).singleElement().asString().contains("no formats 3 to 2");
        two.tell(0, OUTBID);
        assertThat(one.received).containsExactly(OUTBID);
        assertThat(one.apart).isEmpty();
    }

    /** One after the other, each when all others have said that they can follow. */
    @Test
    void allGoOnWhenOneIsAskedToAndAllCanFollow() {
        Formats all = new Formats(1, 3);
        End one = end(0, all, 1);
        End two = end(1, all, 1);
        End old = end(2, OLD, 1);
        allAnnounce();
        one.formats.want();
        assertThat(one.formats.next()).as("one does not know it").isZero();
        assertThat(one.formats.lacks(3)).contains("eu knows formats 1 to 3 and uses 1");

        ends.remove(old.node);
        End three = end(2, all, 1);
        allAnnounce();
        assertThat(two.formats.next()).as("nobody asks").isZero();
        assertThat(one.formats.next()).isEqualTo(2);
        one.formats.begins(2);
        assertThat(one.formats.next()).as("the others do not use 2 yet").isZero();
        allAnnounce();
        assertThat(two.formats.next()).isEqualTo(2);
        two.formats.begins(2);
        three.formats.begins(2);
        allAnnounce();
        assertThat(one.formats.next()).isEqualTo(3);
        assertThat(one.formats.uses(3)).isFalse();
        one.formats.begins(3);
        assertThat(one.formats.uses(3)).isTrue();
        allAnnounce();
        two.formats.begins(three.formats.next());
        assertThat(two.formats.next()).isZero();
        nanos += 3_000_000_000L;
        assertThat(three.formats.next()).as("nobody is heard").isZero();
        assertThat(one.formats.uses(3)).as("there is no way back").isTrue();
    }

    /** Formats, of which the first is used everywhere; the first data centre's end. */
    private End whereAllKnowThree() {
        Formats all = new Formats(1, 3);
        End one = end(0, all, 1);
        one.newestVersion = Parcel.WISHES;
        end(1, all, 1);
        end(2, all, 1);
        allAnnounce();
        return one;
    }

    @Test
    void aWishIsHeardInItsOwnDataCentre() {
        End one = whereAllKnowThree();
        one.intake.parcel(NodeId.of(2), Parcel.wish().bytes(), Parcel.WISHES);
        assertThat(one.formats.next()).as("of another data centre").isZero();
        one.intake.parcel(one.node, Parcel.wish().bytes(), Parcel.WISHES);
        assertThat(one.formats.next()).isEqualTo(2);
    }

    @Test
    void aWishIsHeardFromWhoIsInNoDataCentreOfTheGroup() {
        End one = whereAllKnowThree();
        NodeId outsider = NodeId.of(99);
        one.intake.parcel(outsider, Parcel.farewell(7).bytes(), Parcel.WISHES);
        assertThat(one.formats.next()).isZero();
        one.intake.parcel(outsider, Parcel.wish().bytes(), Parcel.WISHES);
        assertThat(one.formats.next()).isEqualTo(2);
    }

    /** It proposes nothing itself, so whoever it asks must be able to. */
    @Test
    void whoIsInNoDataCentreOfTheGroupGoesByAllOfThem() {
        PeerFormats outside = new PeerFormats(NAMES, DataCentres.NONE, BOTH, () -> nanos, apart -> {});
        FormatUse older = new FormatUse(BOTH, 1);
        FormatUse newer = new FormatUse(BOTH, 2);
        assertThat(outside.uses(1)).isFalse();
        for (int dc = 0; dc < NAMES.size(); dc++) {
            assertThat(outside.heard(dc, NodeId.of(dc + 1), 7, dc == 0 ? older : newer))
                    .isTrue();
        }
        assertThat(outside.uses(2)).isFalse();
        assertThat(outside.lacks(2)).startsWith(NAMES.get(0));
        outside.heard(0, NodeId.of(1), 7, newer);
        assertThat(outside.uses(2)).isTrue();
    }

    /** Who runs no process minds only what it cannot ask its own data centre's for. */
    @Test
    void aNodeWithoutAProcessMindsWhatItDoesNotKnow() {
        End one = end(0, OLD, 1);
        one.formats.ends();
        NodeId neighbour = NodeId.of(9);
        assertThat(one.formats.heard(0, neighbour, 7, new FormatUse(BOTH, 1))).isTrue();
        assertThat(one.formats.heard(0, neighbour, 7, new FormatUse(BOTH, 2))).isFalse();
        assertThat(one.formats.trouble(0)).contains("data centre eu", "this one knows format 1:");
        nanos += 3_000_000_000L;
        assertThat(one.formats.trouble(0)).as("of who is not heard any more").isNull();
    }
}
