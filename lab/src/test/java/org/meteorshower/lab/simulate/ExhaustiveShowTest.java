/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class ExhaustiveShowTest {
    /** Searches that end for want of memory once they have told of something. */
    private static final SmallScopes GREEDY = new SmallScopes() {
        @Override
        public Map<String, Object> search(
                String scenario, @Nullable Integer ticks, int[] bounds, Consumer<Map<String, Object>> progress) {
            Map<String, Object> figures = new LinkedHashMap<>();
            figures.put("depth", 17);
            figures.put("states", 4_321L);
            progress.accept(figures);
            throw new OutOfMemoryError("as if");
        }

        @Override
        public @Nullable String retell(
                String scenario, @Nullable Integer ticks, String schedule, Consumer<String> lines) {
            return null;
        }
    };

    @Test
    void aSearchThatRunsOutOfMemoryStillTellsWhatWasDone() {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        ExhaustiveOptions options = new ExhaustiveOptions();
        int status = new ExhaustiveShow(
                        options, null, GREEDY, null, new PrintWriter(out, true), new PrintWriter(err, true))
                .run();

        assertThat(status).isZero();
        assertThat(out.toString()).contains(" 17 ", "4,321");
        assertThat(err.toString()).contains("the memory did not suffice");
    }
}
