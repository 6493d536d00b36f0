/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.tpcc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class InputsTest {
    private static final int MANY = 100_000;
    private static final Offset<Double> POINT = within(0.01);

    private final SplittableRandom random = new SplittableRandom(7);

    @ParameterizedTest
    @CsvSource({"0, BARBARBAR", "371, PRICALLYOUGHT", "999, EINGEINGEING", "40, BARPRESBAR"})
    void lastNamesAreMadeOfTheSyllablesOfTheirDigits(int number, String name) {
        assertThat(LastNames.of(number)).isEqualTo(name);
    }

    @Test
    void allLastNamesDiffer() {
        assertThat(IntStream.range(0, LastNames.COUNT).mapToObj(LastNames::of)).doesNotHaveDuplicates();
    }

    @Test
    void unevenNumbersStayInTheirBoundsAndReachThem() {
        for (TpccScale scale : List.of(TpccScale.SMALL, TpccScale.STANDARD, new TpccScale(1, 1, 1, 1))) {
            for (NuRand numbers : List.of(
                    NuRand.customers(scale, random), NuRand.items(scale, random), NuRand.names(scale, random))) {
                int[] drawn = IntStream.range(0, 2_000_000)
                        .map(i -> numbers.draw(random))
                        .toArray();
                assertThat(IntStream.of(drawn).min()).hasValue(numbers.least());
                assertThat(IntStream.of(drawn).max()).hasValue(numbers.most());
                assertThat(numbers.c()).isBetween(0, numbers.a());
            }
        }
    }

    @Test
    void theStandardsNumbersAreDrawnByTheStandardsConstants() {
        assertThat(NuRand.customers(TpccScale.STANDARD, random))
                .extracting(NuRand::a)
                .isEqualTo(1_023);
        assertThat(NuRand.items(TpccScale.STANDARD, random))
                .extracting(NuRand::a)
                .isEqualTo(8_191);
        assertThat(NuRand.names(TpccScale.STANDARD, random))
                .extracting(NuRand::a)
                .isEqualTo(255);
    }

    @Test
    void someNumbersComeUpFarOftenerThanOthers() {
        NuRand items = NuRand.items(TpccScale.STANDARD, random);
        Map<Integer, Integer> counts = new TreeMap<>();
        for (int i = 0; i < 1_000_000; i++) {
            counts.merge(items.draw(random), 1, Integer::sum);
        }
        List<Integer> sorted = new ArrayList<>(counts.values());
        sorted.sort((a, b) -> b - a);
        // Evenly drawn the most frequent of 100,000 would come up some 26 times.
        assertThat(sorted.get(0)).isGreaterThan(60);
        int hot = sorted.subList(0, sorted.size() / 10).stream()
                .mapToInt(Integer::intValue)
                .sum();
        assertThat(hot).isGreaterThan(300_000);
    }

    @Test
    void theConstantOfARunIsAsFarFromThatOfTheLoadAsTheStandardSays() {
        NuRand loaded = NuRand.names(TpccScale.STANDARD, random);
        for (int i = 0; i < 1_000; i++) {
            int apart = Math.abs(NuRand.namesAsked(loaded, random).c() - loaded.c());
            assertThat(apart).isBetween(65, 119).isNotIn(96, 112);
        }
    }

    @Test
    void theMixIsTheStandards() {
        Map<TpccType, Integer> counts = new TreeMap<>();
        for (int i = 0; i < MANY; i++) {
            counts.merge(TpccType.draw(random), 1, Integer::sum);
        }
        for (TpccType type : TpccType.values()) {
            assertThat((double) counts.get(type) / MANY).isEqualTo(type.share() / 100.0, POINT);
        }
    }

    @Test
    void aNewOrderHasFiveToFifteenLinesOfWhichFewAreFromElsewhereAndOneInAHundredIsToFail() {
        TpccScale scale = TpccScale.SMALL;
        Inputs inputs = new Inputs(scale, 3, 1);
        int lines = 0;
        int remote = 0;
        int failing = 0;
        for (int i = 0; i < MANY; i++) {
            Unit.NewOrder order = ((TpccInput.NewOrder) inputs.next(TpccType.NEW_ORDER, 2, 1, random)).unit();
            assertThat(order.lines().size()).isBetween(5, 15);
            assertThat(order.warehouse()).isEqualTo(2);
            assertThat(order.district()).isBetween(1, 10);
            assertThat(order.customer()).isBetween(1, scale.customers());
            for (int k = 0; k < order.lines().size(); k++) {
                TpccInput.Line line = order.lines().get(k);
                lines++;
                remote += line.supplier() == 2 ? 0 : 1;
                assertThat(line.supplier()).isBetween(1, 3);
                assertThat(line.quantity()).isBetween(1, 10);
                boolean last = k == order.lines().size() - 1;
                assertThat(line.item()).isBetween(1, scale.items() + (last ? 1 : 0));
                failing += line.item() > scale.items() ? 1 : 0;
            }
        }
        assertThat((double) lines / MANY).isEqualTo(10, within(0.1));
        assertThat((double) remote / lines).isEqualTo(0.01, within(0.001));
        assertThat((double) failing / MANY).isEqualTo(0.01, within(0.002));
    }

    @Test
    void paymentsAreOfCustomersFromElsewhereAndByNameAsOftenAsTheStandardSays() {
        Inputs inputs = new Inputs(TpccScale.SMALL, 3, 1);
        int remote = 0;
        int named = 0;
        for (int i = 0; i < MANY; i++) {
            TpccInput.Payment payment = (TpccInput.Payment) inputs.next(TpccType.PAYMENT, 3, 1, random);
            TpccInput.Who who = payment.who();
            assertThat(payment.amount()).isBetween(100L, 500_000L);
            assertThat(who.warehouse()).isBetween(1, 3);
            remote += who.warehouse() == 3 ? 0 : 1;
            named += who.isNamed() ? 1 : 0;
            assertThat(who.isNamed() ? who.name() : who.id() - 1)
                    .isBetween(0, (who.isNamed() ? TpccScale.SMALL.names() : TpccScale.SMALL.customers()) - 1);
            assertThat(who.district() == payment.district() || who.warehouse() != 3)
                    .isTrue();
        }
        assertThat((double) remote / MANY).isEqualTo(0.15, POINT);
        assertThat((double) named / MANY).isEqualTo(0.6, POINT);
    }

    @Test
    void whereThereIsOneWarehouseNothingIsFromElsewhere() {
        Inputs inputs = new Inputs(TpccScale.SMALL, 1, 1);
        for (int i = 0; i < 1_000; i++) {
            assertThat(((TpccInput.Payment) inputs.next(TpccType.PAYMENT, 1, 1, random))
                            .who()
                            .warehouse())
                    .isEqualTo(1);
            assertThat(((TpccInput.NewOrder) inputs.next(TpccType.NEW_ORDER, 1, 1, random))
                            .unit()
                            .isLocal())
                    .isTrue();
        }
    }

    @Test
    void thinkingTakesAsLongAsTheStandardSaysOnAverageAndTenTimesThatAtMost() {
        double sum = 0;
        for (int i = 0; i < MANY; i++) {
            double seconds = TpccType.PAYMENT.thinkingSeconds(random);
            assertThat(seconds).isBetween(0.0, 120.0);
            sum += seconds;
        }
        assertThat(sum / MANY).isEqualTo(12, within(0.3));
    }
}
