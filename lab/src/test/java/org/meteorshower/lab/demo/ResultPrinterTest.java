/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.meteorshower.lab.console.Display;

final class ResultPrinterTest {
    private final StringWriter text = new StringWriter();

    @Test
    void theTableHasEveryModeWithEveryDataCentre() {
        print(false, List.of());
        List<String> lines = text.toString().lines().toList();
        for (Mode mode : Mode.values()) {
            int row = 0;
            while (!lines.get(row).startsWith(mode.title() + " ")) {
                row++;
            }
            assertThat(lines.get(row)).contains(" all ");
            assertThat(lines.get(row + 1)).contains(" eu ");
            assertThat(lines.get(row + 3)).contains(" asia ");
        }
        assertThat(text.toString()).contains("✓ read p50, QUORUM : sequential", "at least 50");
    }

    @Test
    void aViolationIsShownWithItsCounterexample() {
        SessionLog session = new SessionLog("s00");
        session.written("sequential/1", "v1", 0, 1, 1);
        session.read("sequential/1", null, 2, 3);
        print(false, Judge.findings(new Recording(List.of(session), Map.of()), List.of(Mode.SEQUENTIAL)));
        assertThat(text.toString()).contains("✗ all MeteorShower modes: NOT sequential", "s00 read sequential/1");
    }

    @Test
    void withoutATerminalThereAreNoColoursAndNoChangingLines() {
        Display plain = new Display(new PrintWriter(text), false);
        plain.live("changing");
        print(false, List.of());
        assertThat(text.toString()).doesNotContain("\033", "changing", "\r");
    }

    @Test
    void onATerminalTheChangingLineIsTakenAwayBeforeTheNextThatStays() {
        Display terminal = new Display(new PrintWriter(text), true);
        terminal.live("changing");
        terminal.say("stays");
        assertThat(text.toString()).endsWith("\r\033[Kstays" + System.lineSeparator());
        print(true, List.of());
        assertThat(text.toString()).contains("\033[32m✓");
    }

    @Test
    void onceSilencedNothingIsPrinted() {
        Display display = new Display(new PrintWriter(text), true);
        display.silence();
        display.say("late");
        display.live("later");
        assertThat(text.toString()).isEmpty();
    }

    private void print(boolean terminal, List<Finding> findings) {
        Display display = new Display(new PrintWriter(text), terminal);
        new ResultPrinter(display).print(Samples.result(Samples.allModes(), findings));
    }
}
