/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The demo's checks can fail: each is shown a history that breaks what it checks. */
final class JudgeTest {
    private final SessionLog alice = new SessionLog("alice");
    private final SessionLog bob = new SessionLog("bob");

    @Test
    void aSessionThatGoesBackBetweenModesIsAViolation() {
        alice.written("sequential/1", "a1", 0, 10, 1);
        alice.written("sequential/1", "a2", 11, 20, 2);
        bob.read("sequential/1", "a2", 30, 40);
        bob.read("sequential/1", "a1", 41, 50);
        Finding finding = judge(List.of(Mode.SEQUENTIAL)).get(0);
        assertThat(finding.isViolation()).isTrue();
        assertThat(finding.promised()).isTrue();
        assertThat(finding.report()).contains("bob read sequential/1 = a1");
    }

    @Test
    void aStaleReadIsNoViolationOfSequentialButOneOfStrict() {
        alice.written("strict_rows/1", "a1", 0, 10, 1);
        bob.read("strict_rows/1", null, 20, 30);
        List<Finding> findings = judge(List.of(Mode.SEQUENTIAL, Mode.STRICT));
        assertThat(findings).extracting(Finding::isViolation).containsExactly(false, true);
    }

    @Test
    void staleReadsInTheOtherModesDoNotCountAgainstStrict() {
        alice.written("sequential/1", "a1", 0, 10, 1);
        bob.read("sequential/1", null, 20, 30);
        assertThat(judge(List.of(Mode.SEQUENTIAL, Mode.STRICT))).noneMatch(Finding::isViolation);
    }

    @Test
    void whatPlainCassandraBreaksIsShownAndNotCounted() {
        alice.written("plain_local_one/1", "a1", 0, 10, 1);
        alice.read("plain_local_one/1", null, 20, 30);
        List<Finding> findings = Judge.findings(
                new Recording(List.of(), Map.of(Mode.CASSANDRA_LOCAL_ONE, List.of(alice))),
                List.of(Mode.CASSANDRA_LOCAL_ONE));
        assertThat(findings).singleElement().matches(finding -> finding.isViolation() && !finding.promised());
    }

    private List<Finding> judge(List<Mode> modes) {
        return Judge.findings(new Recording(List.of(alice, bob), Map.of()), modes);
    }
}
