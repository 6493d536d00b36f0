/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.meteorshower.cassandra.config.ConfigParser;
import org.meteorshower.cassandra.config.PluginConfig;
import org.meteorshower.cassandra.token.TokenFormat.BadTokenException;

/**
 * The token secret is replaced on three nodes as docs/OPERATE.md says, with the very lines that stand there: one node
 * after the other, and clients go from node to node all the while.
 */
class SecretRotationTest {
    private static final int NODES = 3;
    private static final String OWNER = "alice";

    private final List<TokenFormat> nodes = new ArrayList<>();

    /** What a client holds: as each node would have made it, at some time. */
    private final List<ByteBuffer> tokens = new ArrayList<>();

    private final List<String> names = new ArrayList<>();
    private List<String> steps;

    @BeforeEach
    void readTheRunbook() throws IOException {
        String runbook = Files.readString(Path.of("..", "docs", "OPERATE.md"));
        int from = runbook.indexOf("### The token secret is replaced");
        int to = runbook.indexOf("\n### ", from + 1);
        Matcher blocks = Pattern.compile("(?m)(?:^ {7,}\\S.*\\n)+").matcher(runbook.substring(from, to));
        steps = blocks.results().map(block -> block.group().stripIndent()).toList();
        assertThat(steps).hasSize(4);
    }

    @Test
    void noTokenAndNoNameIsRefusedAtAnyMomentOfTheProcedure() throws Exception {
        begin();
        roll(steps.get(1));
        roll(steps.get(2));
        tokens.clear(); // the sessions of before have ended
        names.clear();
        roll(steps.get(2)); // as every session's next answer does: signed with the new one
        roll(steps.get(3));
    }

    @Test
    void afterwardsTheOldSecretIsWorthNothing() throws Exception {
        begin();
        ByteBuffer old = tokens.get(0);
        String oldName = names.get(0);
        roll(steps.get(1));
        roll(steps.get(2));
        tokens.clear();
        names.clear();
        roll(steps.get(3));
        assertThatThrownBy(() -> nodes.get(0).decode(old)).isInstanceOf(BadTokenException.class);
        assertThatThrownBy(() -> nodes.get(0).seal().open(oldName, OWNER)).isInstanceOf(BadTokenException.class);
    }

    @Test
    void eachStepIsNeeded() throws Exception {
        begin();
        assertThatThrownBy(() -> roll(steps.get(2)))
                .as("a node signs with what others have not got yet")
                .isInstanceOf(BadTokenException.class);
        begin();
        roll(steps.get(1));
        assertThatThrownBy(() -> roll(steps.get(3)))
                .as("sessions still hold tokens of the old one")
                .isInstanceOf(BadTokenException.class);
    }

    private void begin() throws Exception {
        nodes.clear();
        tokens.clear();
        names.clear();
        for (int node = 0; node < NODES; node++) {
            nodes.add(startedWith(steps.get(0)));
        }
        clientsGoAround();
    }

    private void roll(String text) throws Exception {
        for (int node = 0; node < NODES; node++) {
            nodes.set(node, startedWith(text));
            clientsGoAround();
        }
    }

    /** Every node is shown what any node has made, and makes some more. */
    private void clientsGoAround() throws BadTokenException {
        for (TokenFormat node : nodes) {
            tokens.add(node.encode(1_000 + tokens.size()));
            names.add(node.seal().seal("1.2." + names.size(), OWNER));
        }
        for (TokenFormat node : nodes) {
            for (ByteBuffer token : tokens) {
                assertThat(node.decode(token)).isGreaterThanOrEqualTo(1_000);
            }
            for (String name : names) {
                assertThat(node.seal().open(name, OWNER)).startsWith("1.2.");
            }
        }
    }

    private static TokenFormat startedWith(String text) throws Exception {
        PluginConfig config = ConfigParser.parse(text);
        return new TokenFormat(new TokenSecrets(config.tokenSecrets(), config.tokenSecretId()));
    }
}
