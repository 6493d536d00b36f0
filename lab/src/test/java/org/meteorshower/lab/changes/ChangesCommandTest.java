/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.changes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.DriverTimeoutException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.meteorshower.client.changes.ChangePosition;
import org.meteorshower.client.changes.ChangedRow;
import org.meteorshower.lab.arguments.CommandRuns;
import org.meteorshower.lab.cluster.ClusterException;

@Timeout(60)
final class ChangesCommandTest {
    private final FakeChangeStream stream = new FakeChangeStream();
    private final CommandRuns command = new CommandRuns((out, err) -> new ChangesCommand(
            out, err, (place, contact, dc, group) -> new StreamConnection(stream, () -> closed = true)));
    private boolean closed;

    private int run(String... arguments) {
        return command.run(arguments);
    }

    private List<String> lines() {
        return command.out.toString().lines().toList();
    }

    private static String line(String at, String table) {
        return "{\"at\":\"" + at + "\",\"changes\":[{\"table\":\"" + table
                + "\",\"key\":{\"id\":1},\"row\":{\"balance\":5}}]}";
    }

    @Test
    void withoutFollowAllIsPrintedFromTheOldestToTheEnd() {
        stream.with("3", "shop.accounts").with("5.2", "shop.cart").end(9).oldest(2);

        assertThat(run()).as("%s", command.err).isZero();

        assertThat(lines()).containsExactly(line("3.0", "shop.accounts"), line("5.2", "shop.cart"));
        assertThat(command.err.toString().strip()).isEqualTo("go on with --from 9");
        assertThat(closed).isTrue();
    }

    @Test
    void aDeletedRowIsNullAndNumbersAreAsTheyWereWritten() {
        stream.with("1", new ChangedRow("shop.accounts", "{\"id\":\"ä\"}", null));
        stream.with("2", new ChangedRow("a.b", "{\"id\":1}", "{\"price\":1.10,\"n\":123456789012345678901234567890}"));

        assertThat(run()).isZero();

        assertThat(lines())
                .containsExactly(
                        "{\"at\":\"1.0\",\"changes\":[{\"table\":\"shop.accounts\",\"key\":{\"id\":\"ä\"},\"row\":null}]}",
                        "{\"at\":\"2.0\",\"changes\":[{\"table\":\"a.b\",\"key\":{\"id\":1},"
                                + "\"row\":{\"price\":1.10,\"n\":123456789012345678901234567890}}]}");
    }

    @Test
    void onlyRowsOfTheTablesThatWereNamedArePrinted() {
        stream.with("1", "shop.cart").with("2", "shop.cart", "shop.accounts").with("3", "shop.stock");

        assertThat(run("--table", "shop.accounts", "--table", "shop.stock")).isZero();

        assertThat(lines()).containsExactly(line("2.0", "shop.accounts"), line("3.0", "shop.stock"));
    }

    @Test
    void afterSoManyItStopsAndGoesOnWhereItWas() {
        stream.with("1", "a.b")
                .with("1.1", "a.c")
                .with("1.2", "a.b")
                .with("1.3", "a.b")
                .end(7);

        assertThat(run("--most", "2", "--table", "a.b")).isZero();
        assertThat(command.err.toString().strip()).isEqualTo("go on with --from 1.3");
        assertThat(run("--from", "1.3")).isZero();

        assertThat(lines()).containsExactly(line("1.0", "a.b"), line("1.2", "a.b"), line("1.3", "a.b"));
    }

    @Test
    void manyBatchesFollowOnEachOther() {
        for (int place = 0; place < 1_234; place++) {
            stream.with(Integer.toString(place), "a.b");
        }

        assertThat(run()).isZero();

        assertThat(lines()).hasSize(1_234).doesNotHaveDuplicates();
    }

    @Test
    void nothingIsPrintedFromNowToTheEnd() {
        stream.with("1", "a.b").end(7);

        assertThat(run("--from", "now")).isZero();

        assertThat(lines()).isEmpty();
        assertThat(command.err.toString().strip()).isEqualTo("go on with --from 7");
    }

    @Test
    void followingBeginsNowAndWaitsForWhatComes() {
        stream.with("1", "a.b").end(7);
        stream.beforeRead = () -> {
            if (stream.reads == 3) {
                stream.with("8", "a.b");
            }
        };

        assertThat(run("--follow", "--most", "1")).isZero();

        assertThat(lines()).containsExactly(line("8.0", "a.b"));
        assertThat(command.err.toString().strip()).isEqualTo("go on with --from 8.1");
    }

    @Test
    void whereNothingIsPrintedForASecondTheLineSaysHowFarItIs() {
        stream.end(7);
        stream.beforeRead = () -> {
            if (stream.reads < 20) {
                stream.with(Integer.toString(10 + stream.reads), "a.other");
            } else {
                stream.with("100", "a.b");
            }
            sleep();
        };

        assertThat(run("--follow", "--until", "--table", "a.b", "--most", "1")).isZero();

        assertThat(lines()).hasSizeGreaterThan(1).endsWith(line("100.0", "a.b"));
        assertThat(lines().get(0)).matches("\\{\"until\":\"[12][0-9]\"}");
    }

    private static void sleep() {
        try {
            Thread.sleep(80);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void whatIsGoneIsCode4WithTheOldestPositionAndTheCure() {
        stream.oldest(40).with("50", "a.b");

        assertThat(run("--from", "12")).isEqualTo(ChangesCommand.GONE);

        assertThat(command.err.toString())
                .contains("from position 12 on is gone here", "the oldest position is 40", "--from 40", "--dc")
                .contains("read the tables anew");
        assertThat(lines()).isEmpty();
        assertThat(closed).isTrue();
    }

    @Test
    void aReaderThatFallsOffIsToldSoToo() {
        stream.with("1", "a.b");
        stream.beforeRead = () -> stream.oldest(stream.reads == 3 ? 40 : 0);

        assertThat(run("--follow")).isEqualTo(ChangesCommand.GONE);
    }

    @Test
    void nodesThatDoNotAnswerAreAskedAgain() {
        stream.with("1", "a.b");
        stream.beforeRead = () -> {
            if (stream.reads < 3) {
                throw new DriverTimeoutException("late");
            }
        };

        assertThat(run()).isZero();

        assertThat(lines()).containsExactly(line("1.0", "a.b"));
    }

    @Test
    void patienceEndsWithWhereToGoOn() {
        stream.beforeRead = () -> {
            throw new DriverTimeoutException("late");
        };
        PatientReading reading = new PatientReading(stream, Duration.ofMillis(300));

        assertThatThrownBy(() -> reading.read(new ChangePosition(4, 2), 10))
                .isInstanceOf(ClusterException.class)
                .hasMessageContaining("gave no answer in time")
                .hasMessageEndingWith("; go on with --from 4.2");
        assertThat(stream.reads).isGreaterThan(1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    --most 0             | --most must be at least 1
                    --until              | --until is for --follow
                    --table accounts     | 'accounts' is no table: give its keyspace too
                    --from yesterday     | "yesterday" is no position
                    --from -1            | "-1" is no position
                    """)
    void whatMakesNoSenseIsRefused(String arguments, String complaint) {
        assertThat(run(arguments.split(" "))).as("%s", command.err).isEqualTo(2);
        assertThat(command.err.toString()).contains(complaint);
        assertThat(stream.reads).isZero();
    }
}
