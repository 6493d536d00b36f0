/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RefusalsTest {
    private final MetricSet metrics = new MetricSet(MetricSet.SILENT);
    private final Refusals refusals = new Refusals(metrics);

    private static final class Late extends RuntimeException implements Refused {
        private static final long serialVersionUID = 1L;

        Late() {
            super("too late: try again");
        }

        @Override
        public RefusalCause cause() {
            return RefusalCause.TIMED_OUT;
        }
    }

    @Test
    void aRefusalIsCountedAndKept() {
        for (int i = 0; i < 3; i++) {
            refusals.note("read", "shop.cart", new Late());
        }
        assertThat(metrics.count(Metric.REFUSALS, "read", "timed_out").value()).isEqualTo(3);
        assertThat(refusals.recent()).singleElement().satisfies(entry -> {
            assertThat(entry.table()).isEqualTo("shop.cart");
            assertThat(entry.times()).isEqualTo(3);
            assertThat(entry.text()).isEqualTo("too late: try again");
            assertThat(entry.lastMillis()).isGreaterThanOrEqualTo(entry.firstMillis());
        });
    }

    @Test
    void whatIsNoRefusalIsNotCounted() {
        refusals.note("read", "t", new IllegalStateException("a bug"));
        assertThat(refusals.recent()).isEmpty();
    }

    @Test
    void aFloodOfOneKindPushesNoOtherOutAndManyKindsPushOutTheOldest() {
        refusals.add("write", "shop.first", RefusalCause.STATEMENT, "no");
        for (int i = 0; i < 10_000; i++) {
            refusals.add("read", "shop.flooded", RefusalCause.OVERLOADED, "later");
        }
        assertThat(refusals.recent()).hasSize(2);
        for (int i = 0; i < Refusals.MOST_KEPT - 1; i++) {
            refusals.add("read", "shop.t" + i, RefusalCause.NOT_READY, "wait");
        }
        assertThat(refusals.recent()).hasSize(Refusals.MOST_KEPT);
        assertThat(refusals.recent()).extracting(Refusals.Entry::table).doesNotContain("shop.first");
        assertThat(refusals.recent()).extracting(Refusals.Entry::table).contains("shop.flooded");
    }

    @Test
    void longTextsAreCut() {
        refusals.add("read", "t", RefusalCause.STATEMENT, "x".repeat(100_000));
        assertThat(refusals.recent().get(0).text()).hasSize(Refusals.MOST_CHARS);
    }
}
