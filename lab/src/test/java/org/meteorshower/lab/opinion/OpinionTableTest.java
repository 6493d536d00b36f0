/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.opinion;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.meteorshower.lab.opinion.Answer.Opinion;

class OpinionTableTest {
    private static Comparison comparison(Opinion ours, Opinion theirs) {
        return new Comparison("linearizable", new Answer(ours, ""), new Answer(theirs, ""));
    }

    @Test
    void whatTheyDifferOnIsCountedAndMarked() {
        StringWriter out = new StringWriter();
        OpinionTable table = new OpinionTable(new PrintWriter(out, true));
        table.add("Porcupine", comparison(Opinion.ACCEPTED, Opinion.ACCEPTED));
        table.add("Porcupine", comparison(Opinion.REFUSED, Opinion.REFUSED));
        table.add("Porcupine", comparison(Opinion.ACCEPTED, Opinion.REFUSED));
        table.add("Porcupine", comparison(Opinion.REFUSED, Opinion.ACCEPTED));
        table.add("Porcupine", comparison(Opinion.REFUSED, Opinion.OPEN));
        table.print("some");

        assertThat(out.toString()).containsPattern("some +linearizable +5 +1 +1 +1 +2 <-");
        assertThat(table.compared()).isEqualTo(5);
        assertThat(table.differ()).isEqualTo(2);
        assertThat(table.open()).isEqualTo(1);
    }
}
