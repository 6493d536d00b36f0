/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SearchTest {
    private static final long ROOM = 1 << 20;
    private static final int PLANS = 3_000;

    private final ToySubject subject = new ToySubject();

    private static Search.Options options(boolean onlyDrawn) {
        return new Search.Options(1, null, onlyDrawn, null, ROOM);
    }

    private List<ObjectNode> plansOf(Search search, int plans) {
        List<ObjectNode> tried = new ArrayList<>();
        for (int i = 0; i < plans; i++) {
            Search.Candidate candidate = search.next();
            tried.add(candidate.plan());
            search.ran(candidate, subject.run(candidate.plan()));
        }
        return tried;
    }

    @Test
    void theSameSeedTriesTheSamePlans() {
        assertThat(plansOf(new Search(subject, "toy", options(false)), 300))
                .isEqualTo(plansOf(new Search(subject, "toy", options(false)), 300));
    }

    @Test
    void whatDrawnPlansDoNotShowIsFound() {
        Search drawn = new Search(subject, "toy", options(true));
        Search guided = new Search(subject, "toy", options(false));

        plansOf(drawn, PLANS);
        plansOf(guided, PLANS);

        assertThat(drawn.failures()).isEmpty();
        assertThat(guided.failures()).hasSize(1);
        assertThat(guided.figures().features()).isGreaterThan(drawn.figures().features());
    }

    @Test
    void aChangedPlanStaysWithinWhatDrawnOnesHave() {
        for (ObjectNode plan : plansOf(new Search(subject, "toy", options(false)), 500)) {
            assertThat(plan.at("/workload/operations").asInt()).isBetween(100, 1_099);
            assertThat(plan.at("/faults/crashes").asInt()).isBetween(0, 2);
            assertThat(plan.at("/faults/loss").asDouble()).isBetween(0.0, 1.0);
            assertThat(plan.at("/frame/a").asLong())
                    .isEqualTo(-plan.at("/frame/b").asLong());
            plan.path("strikes").forEach(strike -> {
                assertThat(strike.path("fault").asText()).isIn("a", "b", "c", "d");
                assertThat(strike.path("atMicros").asLong()).isBetween(0L, 10_000_000L);
            });
        }
    }

    @Test
    void aPlanThatFailedIsMadeAsSmallAsItCanBe() {
        Search search = new Search(subject, "toy", options(false));
        plansOf(search, PLANS);

        ObjectNode smallest = new Minimiser(subject, search.failures().get(0), 1_000).run();

        assertThat(subject.run(smallest).complaint()).isNotNull();
        assertThat(smallest.path("strikes")).hasSize(3);
        assertThat(smallest.at("/workload/operations").asInt()).isLessThan(40);
        assertThat(smallest.at("/faults/crashes").asInt()).isZero();
    }

    @Test
    void aSearchGoesOnFromWhatAnEarlierOneHasLeft(@TempDir Path folder) {
        Search.Options options = new Search.Options(7, null, false, folder, ROOM);
        Search earlier = new Search(subject, "toy", options);
        plansOf(earlier, 400);
        Search later = new Search(subject, "toy", options);

        plansOf(later, earlier.figures().corpus());

        assertThat(later.figures().features()).isEqualTo(earlier.figures().features());
    }

    @Test
    void aCorpusKeepsToItsBound(@TempDir Path folder) throws IOException {
        Corpus corpus = new Corpus("toy", folder, 4_000, new Coverage());
        for (int i = 0; i < 100; i++) {
            corpus.add(subject.families().get(0), subject.drawn("toy", i), new Features(new int[] {i}), 100);
            assertThat(corpus.bytes()).isLessThanOrEqualTo(4_000);
        }
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.mapToLong(file -> file.toFile().length()).sum()).isBetween(1_000L, 4_400L);
        }
    }

    @Test
    void aFileThatIsNoPlanIsRefusedWithTheReason(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("p.json"), "{\"model\": \"reads\"}");

        assertThatThrownBy(() -> PlanFile.read(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("p.json is no plan");
        Files.writeString(file, "{");
        assertThatThrownBy(() -> PlanFile.read(file)).hasMessageContaining("is no JSON");
    }

    @Test
    void aKindThatIsNotSearchedIsRefused() {
        assertThatThrownBy(() -> new Search(subject, "toy", new Search.Options(7, "doll", false, null, ROOM)))
                .hasMessageContaining("doll");
    }
}
