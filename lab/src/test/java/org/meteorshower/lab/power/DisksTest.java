/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.power;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class DisksTest {
    private static final String DISK = "eu-1";
    private static final int FILE = Inode.FILE | 0644;
    private static final int FOLDER = Inode.FOLDER | 0755;

    private final Disks ordered = with(Disks.Metadata.ORDERED);
    private final Disks strict = with(Disks.Metadata.STRICT);

    private static Disks with(Disks.Metadata metadata) {
        Disks disks = new Disks(metadata, Set.of("liar"));
        try {
            disks.create(disks.byId(Disks.ROOT), DISK, FOLDER);
            disks.create(disks.byId(Disks.ROOT), "us-1", FOLDER);
        } catch (Refused e) {
            throw new IllegalStateException(e);
        }
        return disks;
    }

    private static Inode top(Disks disks) throws Refused {
        return disks.lookup(disks.byId(Disks.ROOT), DISK);
    }

    private static Inode file(Disks disks, String name, String text) throws Refused {
        Inode file = disks.create(top(disks), name, FILE);
        disks.write(file, 0, text.getBytes(StandardCharsets.UTF_8));
        return file;
    }

    private static String text(Inode file) throws Refused {
        return new String(file.content().read(0, 100), StandardCharsets.UTF_8);
    }

    private static Disks.Loss lose(Disks disks) throws Refused {
        return disks.lose(DISK, 0, new Random(1));
    }

    @Test
    void whatWasForcedIsThereAndTheRestIsGone() throws Refused {
        Inode kept = file(ordered, "kept", "forced");
        ordered.force(kept, false);
        ordered.write(kept, 0, "changed".getBytes(StandardCharsets.UTF_8));
        file(ordered, "gone", "not forced");

        Disks.Loss loss = lose(ordered);

        assertThat(top(ordered).entries()).containsOnlyKeys("kept");
        assertThat(text(ordered.lookup(top(ordered), "kept"))).isEqualTo("forced");
        assertThat(loss).isEqualTo(new Disks.Loss(1, 1));
    }

    @Test
    void aFileThatWasOpenBeforeIsWorthNothing() throws Refused {
        Inode before = ordered.told(file(ordered, "a", "text"));
        ordered.force(before, false);
        lose(ordered);

        assertThatThrownBy(() -> ordered.byId(before.id)).isInstanceOf(Refused.class);
    }

    @Test
    void otherDisksKeepTheirPower() throws Refused {
        Inode other = ordered.lookup(ordered.byId(Disks.ROOT), "us-1");
        ordered.write(ordered.create(other, "a", FILE), 0, new byte[10]);

        lose(ordered);

        assertThat(ordered.lookup(other, "a").size()).isEqualTo(10);
    }

    @Test
    void forcingAFileBringsEarlierNamesToAnOrderedDiskButNotTheirBytes() throws Refused {
        file(ordered, "new", "text");
        ordered.rename(top(ordered), "new", top(ordered), "renamed", false);
        ordered.force(file(ordered, "other", "forced"), false);

        lose(ordered);

        assertThat(top(ordered).entries()).containsOnlyKeys("renamed", "other");
        assertThat(ordered.lookup(top(ordered), "renamed").size()).isZero();
    }

    @Test
    void forcingTheDataOfAFileThatHasItsPlaceBringsNoName() throws Refused {
        Inode file = file(ordered, "spare", "text");
        ordered.force(file, false);
        ordered.rename(top(ordered), "spare", top(ordered), "segment", false);
        ordered.write(file, 0, "more".getBytes(StandardCharsets.UTF_8));
        ordered.force(file, true);

        lose(ordered);

        assertThat(top(ordered).entries()).containsOnlyKeys("spare");
        assertThat(text(ordered.lookup(top(ordered), "spare"))).isEqualTo("more");
    }

    @Test
    void forcingTheDataOfANewFileBringsItsName() throws Refused {
        ordered.force(file(ordered, "new", "text"), true);
        lose(ordered);

        assertThat(text(ordered.lookup(top(ordered), "new"))).isEqualTo("text");
    }

    @Test
    void onAStrictDiskANameIsSafeOnlyWithItsFolder() throws Refused {
        strict.force(file(strict, "new", "text"), false);
        lose(strict);
        assertThat(top(strict).entries()).isEmpty();

        strict.force(file(strict, "new", "text"), false);
        strict.force(top(strict), false);
        lose(strict);
        assertThat(text(strict.lookup(top(strict), "new"))).isEqualTo("text");
    }

    @Test
    void onAStrictDiskARenameAcrossFoldersCanBeHalfDone() throws Refused {
        Inode folder = strict.create(top(strict), "folder", FOLDER);
        strict.force(file(strict, "a", "text"), false);
        strict.force(top(strict), false);
        strict.rename(top(strict), "a", folder, "b", false);
        strict.force(folder, false);
        lose(strict);

        assertThat(top(strict).entries()).containsOnlyKeys("a", "folder");
        assertThat(strict.lookup(strict.lookup(top(strict), "folder"), "b")).isSameAs(strict.lookup(top(strict), "a"));
    }

    @Test
    void aRemovedFileIsBackUnlessItsRemovalWasForced() throws Refused {
        Inode file = file(ordered, "a", "text");
        ordered.force(file, false);
        ordered.remove(top(ordered), "a", false);
        lose(ordered);
        assertThat(text(ordered.lookup(top(ordered), "a"))).isEqualTo("text");

        ordered.remove(top(ordered), "a", false);
        ordered.force(top(ordered), false);
        lose(ordered);
        assertThat(top(ordered).entries()).isEmpty();
    }

    @Test
    void aLengthReachesTheDiskWithTheNames() throws Refused {
        Inode file = file(ordered, "a", "text");
        ordered.force(file, false);
        ordered.truncate(file, 2);
        ordered.write(file, 2, "st".getBytes(StandardCharsets.UTF_8));
        ordered.force(top(ordered), false);
        lose(ordered);

        assertThat(text(ordered.lookup(top(ordered), "a"))).isEqualTo("te");
    }

    @Test
    void forcingAFileAfterItsLengthWasSetKeepsAllOfIt() throws Refused {
        Inode file = file(ordered, "a", "text");
        ordered.truncate(file, 0);
        ordered.write(file, 0, "longer text".getBytes(StandardCharsets.UTF_8));
        ordered.force(file, true);
        ordered.force(top(ordered), false);
        lose(ordered);

        assertThat(text(ordered.lookup(top(ordered), "a"))).isEqualTo("longer text");
    }

    @Test
    void aDiskThatLiesForcesNothing() throws Refused {
        Inode folder = ordered.create(top(ordered), "liar", FOLDER);
        Inode file = ordered.create(folder, "a", FILE);
        ordered.write(file, 0, new byte[10]);
        ordered.force(file, false);
        lose(ordered);

        assertThat(top(ordered).entries()).isEmpty();
    }

    @Test
    void linksAreTheSameFileAfterwards() throws Refused {
        Inode file = file(ordered, "a", "text");
        ordered.link(file, top(ordered), "b");
        ordered.force(file, false);
        lose(ordered);

        Inode a = ordered.lookup(top(ordered), "a");
        assertThat(ordered.lookup(top(ordered), "b")).isSameAs(a);
        assertThat(a.links).isEqualTo(2);
    }

    @Test
    void whatTheKernelHadWrittenByItselfSurvives() throws Refused {
        file(ordered, "a", "text");
        ordered.lose(DISK, 1, new Random(1));

        assertThat(text(ordered.lookup(top(ordered), "a"))).isEqualTo("text");
    }
}
