/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EpochMarksTest {
    private final UUID one = UUID.randomUUID();
    private final UUID two = UUID.randomUUID();

    @TempDir
    private Path directory;

    @Test
    void marksOutlastARestartAndThoseOfAnotherMeaningAreApart() {
        var marks = new EpochMarks(directory, "strange-");
        marks.add(one);
        marks.add(one);
        new EpochMarks(directory, "forgotten-").add(two);

        var after = new EpochMarks(directory, "strange-");
        assertThat(after.contains(one)).isTrue();
        assertThat(after.contains(two)).isFalse();
        assertThat(after.all()).containsExactly(one);
    }

    @Test
    void whatIsNotKeptIsGoneAfterARestartToo() {
        var marks = new EpochMarks(directory, "strange-");
        marks.add(one);
        marks.add(two);
        marks.keepOnly(List.of(two));

        assertThat(marks.contains(one)).isFalse();
        assertThat(new EpochMarks(directory, "strange-").all()).containsExactly(two);
    }

    @Test
    void aDirectoryThatCannotBeUsedIsNamed() throws Exception {
        Path gone = Files.createDirectory(directory.resolve("gone"));
        var marks = new EpochMarks(gone, "strange-");
        Files.delete(gone);

        assertThatThrownBy(() -> marks.add(one))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining(gone.toString());
    }
}
