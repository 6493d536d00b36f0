/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.meteorshower.transactions.codec.BadDataException;
import org.meteorshower.transactions.codec.DataOut;
import org.meteorshower.transactions.log.FormatUse;
import org.meteorshower.transactions.log.Formats;
import org.meteorshower.transport.WireVersions;

/** What nodes say to each other for transactions, by the version that they speak: each version stays as it is. */
final class ParcelTest {
    private static final FormatUse NEWER = new FormatUse(new Formats(2, 4), 3);

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    private static String hex(Parcel.Packed parcel) {
        return HexFormat.of().formatHex(parcel.bytes());
    }

    /** As the first releases wrote it, and all that they understand. */
    @Test
    void anAnnouncementOfAnEarlierVersionIsWrittenAndReadAsEver() throws BadDataException {
        for (int version = 1; version < Parcel.STATES_FORMATS; version++) {
            Parcel.Packed packed = Parcel.announcement(300, NEWER, version);
            assertThat(hex(packed)).isEqualTo("01ac02");
            assertThat(packed.versions()).isEqualTo(new WireVersions(1, 2));
            assertThat(Parcel.decode(packed.bytes(), version))
                    .isEqualTo(new Parcel.Announcement(300, FormatUse.UNSAID));
        }
    }

    @Test
    void anAnnouncementSaysWhichFormatsThereAreAndLaterReleasesMaySayMore() throws BadDataException {
        Parcel.Packed packed = Parcel.announcement(300, NEWER, 3);
        assertThat(hex(packed)).isEqualTo("05ac02020403");
        assertThat(packed.versions()).isEqualTo(WireVersions.since(3));
        assertThat(Parcel.decode(packed.bytes(), 3)).isEqualTo(new Parcel.Announcement(300, NEWER));
        assertThat(Parcel.decode(bytes("05ac02020403" + "00ff17"), 3)).isEqualTo(new Parcel.Announcement(300, NEWER));
        assertThat(Parcel.decode(bytes("05ac02020403" + "00ff17"), 9)).isEqualTo(new Parcel.Announcement(300, NEWER));
    }

    @Test
    void aParcelOfAGroupOfLanesNamesItAndThatOfAllGoesAsEver() throws BadDataException {
        Parcel.Packed farewell = Parcel.farewell(300);
        assertThat(Parcel.of(0, farewell)).isSameAs(farewell);
        Parcel.Packed packed = Parcel.of(300, farewell);
        assertThat(hex(packed)).isEqualTo("07ac02" + "04ac02");
        assertThat(packed.versions()).isEqualTo(WireVersions.since(13));
        OfGroup unpacked = Parcel.unpack(packed.bytes(), 13);
        assertThat(unpacked.group()).isEqualTo(300);
        assertThat(Parcel.decode(unpacked.bytes(), 13)).isEqualTo(new Parcel.Farewell(300));
        assertThat(Parcel.unpack(farewell.bytes(), 13).group()).isZero();

        // Before version 13 there is no such kind.
        assertThat(Parcel.unpack(packed.bytes(), 12).group()).isZero();
        assertThatThrownBy(() -> Parcel.decode(packed.bytes(), 12)).isInstanceOf(BadDataException.class);
        for (String said : List.of("07", "0700", "07ffffffff0f", "07ffffffff")) {
            assertThatThrownBy(() -> Parcel.unpack(bytes(said), 13)).as(said).isInstanceOf(BadDataException.class);
        }
    }

    @Test
    void aCallOfAGroupOfLanesNamesIt() throws BadDataException {
        byte[] call = new CallForm.AwaitTables(7, 100).encode();
        assertThat(CallForm.of(0, call)).isSameAs(call);
        OfGroup unpacked = CallForm.unpack(CallForm.of(300, call));
        assertThat(CallForm.isOne(CallForm.of(300, call))).isTrue();
        assertThat(unpacked.group()).isEqualTo(300);
        assertThat(CallForm.decode(unpacked.bytes())).isEqualTo(new CallForm.AwaitTables(7, 100));
        assertThat(CallForm.unpack(call).group()).isZero();
        assertThat(CallForm.unpack(bytes("7a")).group()).isZero();
        assertThatThrownBy(() -> CallForm.unpack(bytes("7a0500"))).isInstanceOf(BadDataException.class);
    }

    @Test
    void nonsenseAboutFormatsIsBadData() {
        // None at all, the wrong way round, one in use that is not known, too many, and cut short.
        for (String said : List.of("000101", "020101", "010203", "020301", "01ffffffff0f01", "01", "")) {
            assertThatThrownBy(() -> Parcel.decode(bytes("05ac02" + said), 3))
                    .as(said)
                    .isInstanceOf(BadDataException.class);
        }
        assertThatThrownBy(() -> Parcel.decode(bytes("01ac0201"), 2)).hasMessageContaining("too many");
    }

    @Test
    void whatANodeOfAnEarlierVersionWouldNotUnderstandIsNotForIt() throws BadDataException {
        for (Parcel.Packed packed : List.of(Parcel.candidacy(), Parcel.farewell(300))) {
            assertThat(packed.versions()).isEqualTo(WireVersions.since(3));
            assertThat(Parcel.decode(packed.bytes(), 3)).isNotNull();
            assertThatThrownBy(() -> Parcel.decode(packed.bytes(), 2)).hasMessageContaining("in version 2");
        }
        assertThatThrownBy(() -> Parcel.decode(bytes("05ac02010101"), 2)).hasMessageContaining("in version 2");
        assertThatThrownBy(() -> Parcel.decode(bytes("01ac02"), 3)).hasMessageContaining("in version 3");
    }

    @Test
    void contentsAreWrittenAndReadAsEverInAllVersions() throws BadDataException {
        Parcel.Packed packed = Parcel.contents(300, 7, List.of(new byte[] {1, 2}, new byte[] {3}), 1);
        assertThat(hex(packed)).isEqualTo("02ac020702" + "020102" + "0103");
        assertThat(packed.versions()).isEqualTo(WireVersions.ANY);
        for (int version = 1; version <= 3; version++) {
            assertThat(Parcel.decode(packed.bytes(), version))
                    .isInstanceOfSatisfying(Parcel.Contents.class, contents -> assertThat(contents.messages())
                            .containsExactly(new byte[] {1, 2}, new byte[] {3}));
        }
    }

    /** Whatever stands behind what is known of an announcement. */
    @Test
    void moreBehindAnAnnouncementChangesNothing() throws BadDataException {
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < 1_000; i++) {
            byte[] more = new byte[random.nextInt(50)];
            random.nextBytes(more);
            byte[] longer = new DataOut()
                    .raw(Parcel.announcement(i, NEWER, 3).bytes())
                    .raw(more)
                    .toBytes();
            assertThat(Parcel.decode(longer, 3)).isEqualTo(new Parcel.Announcement(i, NEWER));
        }
    }
}
