/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.meteorshower.protocol.TakingPart.Answer;
import org.meteorshower.protocol.TakingPart.Here;
import org.meteorshower.protocol.TakingPart.Question;
import org.meteorshower.protocol.TakingPart.Stage;
import org.meteorshower.protocol.TakingPart.Word;

/**
 * Every order of events in small worlds: three nodes that are replicas and coordinators, two of which ask on behalf of
 * the table at the same time and may pause between any two steps; a schema whose changes arrive in any order, the
 * latest of which wins; clients' writes, whose messages are late, or lost. Each world is one to the end of which all
 * that can happen has been tried.
 */
class TakingPartWorldsTest {
    private static final int NODES = 3;
    private static final int ASKERS = 2;
    private static final int MAJORITY = 2;
    private static final int EVERYWHERE = 0b111;

    /** Changes of the schema, the beginning counted. */
    private static final int MOST_VERSIONS = 5;

    /** Mistakes that must show. */
    private enum Mutant {
        NONE,
        /** A node has closed the table while requests go on. */
        REQUESTS_NOT_AWAITED,
        /** What nodes hold is asked before all have closed. */
        ONE_ROUND,
        /** Nodes that have said what they hold take more. */
        MORE_IS_TAKEN,
        /** Mutations that some replica may not have do not count. */
        UNSETTLED_NOT_AWAITED,
        /** One node is not asked. */
        ONE_NOT_ASKED,
        /** Data that nobody has compared is taken for the same. */
        APART_TAKEN_FOR_ALIKE,
        /** The schema is changed although it has changed since the question. */
        STALE_CHANGE
    }

    /** A change of the schema. */
    private record Version(@Nullable Stage stage, boolean enabled) {}

    private static final class World implements Cloneable {
        /** As they were made, and as they win over each other: the last one over all. */
        private List<Version> versions = new ArrayList<>(List.of(new Version(null, false)));

        private List<Integer> order = new ArrayList<>(List.of(0));
        private int[] known = new int[NODES];

        /** The version for which a node was asked what it holds; -1 where it takes what comes. */
        private int[] takesNoMore = {-1, -1, -1};

        private boolean repaired;

        /** Whether a request that goes on was not taken somewhere. */
        private boolean refused;

        /** By write: the replicas that hold it, those that a message is under way to, whose answers have come. */
        private int[] held;

        private int[] underWay;
        private int[] answered;

        /** By write: 0 not begun, 1 goes on, 2 acknowledged, 3 timed out. */
        private int[] state;

        /** By asker: of which version, which question (null: none), and the words that came, by node. */
        private int[] askedOf = {0, 0};

        private @Nullable Question[] question = {null, null};
        private @Nullable Word[][] words = {nothing(), nothing()};

        private static @Nullable Word[] nothing() {
            return new @Nullable Word[] {null, null, null};
        }

        /** @param enabled whether the table is so from the beginning, and its replicas have come together */
        World(int writes, boolean enabled) {
            versions.set(0, new Version(null, enabled));
            repaired = enabled;
            held = new int[writes];
            underWay = new int[writes];
            answered = new int[writes];
            state = new int[writes];
        }

        World copy() {
            try {
                World copy = (World) clone();
                copy.versions = new ArrayList<>(versions);
                copy.order = new ArrayList<>(order);
                copy.known = known.clone();
                copy.takesNoMore = takesNoMore.clone();
                copy.held = held.clone();
                copy.underWay = underWay.clone();
                copy.answered = answered.clone();
                copy.state = state.clone();
                copy.askedOf = askedOf.clone();
                copy.question = question.clone();
                copy.words = new @Nullable Word[][] {words[0].clone(), words[1].clone()};
                return copy;
            } catch (CloneNotSupportedException e) {
                throw new IllegalStateException(e);
            }
        }

        ByteBuffer key() {
            ByteBuffer key = ByteBuffer.allocate(96);
            for (Version version : versions) {
                key.put(number(version.stage)).put((byte) (version.enabled ? 1 : 0));
            }
            key.put((byte) -1);
            order.forEach(version -> key.put(version.byteValue()));
            for (int[] each : List.of(known, takesNoMore, held, underWay, answered, state, askedOf)) {
                for (int one : each) {
                    key.put((byte) one);
                }
            }
            key.put((byte) (repaired ? 1 : 0)).put((byte) (refused ? 1 : 0));
            for (int asker = 0; asker < ASKERS; asker++) {
                key.put(number(question[asker]));
                for (Word word : words[asker]) {
                    key.put(number(word));
                }
            }
            return key.flip();
        }

        /** No two of one kind have the same. */
        private static byte number(@Nullable Enum<?> one) {
            return one == null
                    ? -1
                    : (byte) (one.name().charAt(one.name().length() - 1)
                            + one.name().length());
        }

        Version at(int node) {
            return versions.get(known[node]);
        }

        boolean isOpenAnywhere() {
            return isKnown(Stage.OPEN);
        }

        private boolean isKnown(Stage stage) {
            for (int node = 0; node < NODES; node++) {
                if (at(node).stage == stage) {
                    return true;
                }
            }
            return false;
        }

        boolean allEnabled() {
            for (int node = 0; node < NODES; node++) {
                if (!at(node).enabled) {
                    return false;
                }
            }
            return true;
        }

        void hears(int node, int version) {
            if (order.indexOf(version) > order.indexOf(known[node])) {
                known[node] = version;
                if (at(node).stage != Stage.CLOSED) {
                    takesNoMore[node] = -1;
                }
            }
        }

        boolean takes(int replica) {
            return at(replica).stage != Stage.OPEN && takesNoMore[replica] < 0;
        }

        boolean hasData(int node) {
            return Arrays.stream(held).anyMatch(by -> (by & (1 << node)) != 0);
        }

        boolean isUnsettled(int node) {
            return Arrays.stream(held).anyMatch(by -> (by & (1 << node)) != 0 && by != EVERYWHERE);
        }

        boolean hasRequests(int node) {
            for (int write = 0; write < state.length; write++) {
                if (coordinator(write) == node && state[write] == 1) {
                    return true;
                }
            }
            return false;
        }

        /** What must never be; null where nothing is wrong. */
        @Nullable
        String wrong() {
            if (refused) {
                return "a client's write is not taken";
            }
            int open = -1;
            for (int i = 0; i < versions.size(); i++) {
                open = versions.get(i).stage == Stage.OPEN ? i : open;
            }
            if (open < 0) {
                return null;
            }
            if (versions.get(order.get(order.size() - 1)).stage != Stage.OPEN) {
                return "the table takes part, and the schema goes back";
            }
            for (int write = 0; write < held.length; write++) {
                if (held[write] != 0 && held[write] != EVERYWHERE) {
                    return "data centres begin with different rows";
                } else if (state[write] == 2 && held[write] == 0) {
                    return "an acknowledged write is lost";
                }
            }
            return null;
        }
    }

    /** The third node does not ask, and the first one does. */
    private static int coordinator(int write) {
        return write == 0 ? 2 : 0;
    }

    private record Explored(
            int worlds, int opened, @Nullable String wrong) {}

    /** @param askers at the same time */
    private static Explored explore(World first, Mutant mutant, int askers) {
        Set<ByteBuffer> seen = new HashSet<>();
        Deque<World> toDo = new ArrayDeque<>();
        seen.add(first.key());
        toDo.add(first);
        int opened = 0;
        while (!toDo.isEmpty()) {
            World world = toDo.removeFirst();
            String wrong = world.wrong();
            if (wrong != null) {
                return new Explored(seen.size(), opened, wrong);
            }
            opened += world.isOpenAnywhere() ? 1 : 0;
            for (World next : after(world, mutant, askers)) {
                if (seen.add(next.key())) {
                    toDo.add(next);
                }
            }
        }
        return new Explored(seen.size(), opened, null);
    }

    private static List<World> after(World world, Mutant mutant, int askers) {
        List<World> next = new ArrayList<>();
        for (int node = 0; node < NODES; node++) {
            for (int version : world.order) {
                if (world.order.indexOf(version) > world.order.indexOf(world.known[node])) {
                    int arriving = version;
                    int at = node;
                    add(next, world, then -> then.hears(at, arriving));
                }
            }
        }
        for (int write = 0; write < world.state.length; write++) {
            writes(next, world, write, mutant);
        }
        if (world.allEnabled() && !world.repaired) {
            add(next, world, then -> {
                then.repaired = true;
                for (int write = 0; write < then.held.length; write++) {
                    then.held[write] = then.held[write] == 0 ? 0 : EVERYWHERE;
                }
            });
        }
        for (int asker = 0; asker < askers; asker++) {
            asks(next, world, asker, mutant);
        }
        return next;
    }

    private static void add(List<World> to, World world, Consumer<World> change) {
        World then = world.copy();
        change.accept(then);
        to.add(then);
    }

    private static void writes(List<World> next, World world, int write, Mutant mutant) {
        int by = coordinator(write);
        if (world.state[write] == 0) {
            Stage stage = world.at(by).stage;
            if (stage == null || stage == Stage.COMING_TOGETHER) {
                add(next, world, then -> {
                    then.state[write] = 1;
                    then.underWay[write] = EVERYWHERE;
                });
            }
            return;
        }
        for (int replica = 0; replica < NODES; replica++) {
            int bit = 1 << replica;
            if ((world.underWay[write] & bit) != 0) {
                // What a node has from its own clients goes another way.
                boolean taken = replica == by || world.takes(replica) || mutant == Mutant.MORE_IS_TAKEN;
                add(next, world, then -> {
                    then.underWay[write] &= ~bit;
                    if (taken) {
                        then.held[write] |= bit;
                        then.answered[write] |= then.state[write] == 1 ? bit : 0;
                    } else {
                        then.refused |= then.state[write] == 1;
                    }
                });
                add(next, world, then -> then.underWay[write] &= ~bit); // lost
            }
        }
        if (world.state[write] == 1) {
            boolean enough = Integer.bitCount(world.answered[write]) >= MAJORITY;
            add(next, world, then -> {
                then.state[write] = enough ? 2 : 3;
                then.answered[write] = 0;
                if (!enough) {
                    then.underWay[write] &= ~(1 << by); // its own comes too late as well
                }
            });
        }
        // A replica that follows the table gives what it has to those that lack it.
        if (world.repaired && world.held[write] != 0 && world.held[write] != EVERYWHERE) {
            for (int node = 0; node < NODES; node++) {
                if ((world.held[write] & (1 << node)) != 0 && world.at(node).enabled) {
                    add(next, world, then -> then.held[write] = EVERYWHERE);
                    break;
                }
            }
        }
    }

    private static void asks(List<World> next, World world, int asker, Mutant mutant) {
        Question question = world.question[asker];
        if (question == null) {
            Stage stage = world.at(asker).stage;
            if (stage != Stage.OPEN && world.versions.size() < MOST_VERSIONS) {
                Question first = mutant == Mutant.ONE_ROUND && stage == Stage.CLOSED
                        ? Question.HOLDS
                        : TakingPart.firstQuestion(stage);
                add(next, world, then -> begins(then, asker, then.known[asker], first));
            }
            return;
        }
        for (int node = 0; node < NODES; node++) {
            int asked = node;
            if (world.words[asker][node] == null) {
                add(next, world, then -> {
                    Word word = asked(then, asked, question, then.askedOf[asker], mutant);
                    then.words[asker][asked] = word;
                    if (word == Word.NOT_YET) {
                        ends(then, asker); // it is asked again
                    }
                });
            }
        }
        if (Arrays.stream(world.words[asker]).allMatch(word -> word != null)) {
            add(next, world, then -> decides(then, asker, question, mutant));
        }
    }

    private static void begins(World world, int asker, int version, Question question) {
        world.askedOf[asker] = version;
        world.question[asker] = question;
        world.words[asker] = World.nothing();
    }

    private static void ends(World world, int asker) {
        begins(world, asker, 0, Question.LOOK);
        world.question[asker] = null;
    }

    private static Word asked(World world, int node, Question question, int version, Mutant mutant) {
        if (mutant == Mutant.ONE_NOT_ASKED && node == 2) {
            return question == Question.CLOSED ? Word.CLOSED : Word.NOTHING;
        }
        boolean isClosed = world.at(node).stage == Stage.CLOSED && world.known[node] == version;
        boolean requests = world.hasRequests(node) && mutant != Mutant.REQUESTS_NOT_AWAITED;
        if (question == Question.HOLDS && isClosed && !requests) {
            world.takesNoMore[node] = version;
        }
        Here here = new Here(
                isClosed,
                requests,
                world.hasData(node),
                world.at(node).enabled,
                world.repaired ? null : "its replicas come together",
                world.isUnsettled(node) && mutant != Mutant.UNSETTLED_NOT_AWAITED,
                0);
        Word word = TakingPart.answer(question, here).word();
        return mutant == Mutant.APART_TAKEN_FOR_ALIKE && word == Word.APART ? Word.ALIKE : word;
    }

    private static void decides(World world, int asker, Question question, Mutant mutant) {
        Collection<Answer> answers = Arrays.stream(world.words[asker])
                .map(word -> new Answer(Objects.requireNonNull(word), 0, ""))
                .toList();
        int version = world.askedOf[asker];
        if (question == Question.CLOSED) {
            if (TakingPart.areClosed(answers)) {
                begins(world, asker, version, Question.HOLDS);
            } else {
                ends(world, asker);
            }
            return;
        }
        Version before = world.versions.get(version);
        Stage stage = TakingPart.next(before.stage, answers);
        boolean isStillIt = world.known[asker] == version || mutant == Mutant.STALE_CHANGE;
        ends(world, asker);
        if (stage == null || !isStillIt) {
            return;
        }
        int made = world.versions.size();
        boolean enabled = stage == Stage.COMING_TOGETHER || (stage == Stage.CLOSED && before.enabled);
        world.versions.add(new Version(stage, enabled));
        // Its clock is as it is: at least behind what the node knows, at most before all.
        int place = asker == 0 ? world.order.size() : world.order.indexOf(world.known[asker]) + 1;
        world.order.add(place, made);
        world.hears(asker, made);
    }

    /** Two at the same time ask on behalf of an ordinary table, where long tests are wanted: that is most of it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void allDataCentresBeginWithTheSameRows(boolean enabled) {
        Explored explored =
                explore(new World(1, enabled), Mutant.NONE, enabled || Boolean.getBoolean("long.tests") ? ASKERS : 1);
        System.out.println("a table's way into transactions, enabled before " + enabled + ": " + explored);
        assertThat(explored.wrong()).isNull();
        assertThat(explored.opened()).as("worlds in which it takes part").isPositive();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void eachMistakeShows(Mutant mutant) {
        boolean enabled = mutant == Mutant.UNSETTLED_NOT_AWAITED;
        int askers = mutant == Mutant.STALE_CHANGE ? ASKERS : 1;
        assertThat(explore(new World(1, enabled), mutant, askers).wrong()).isNotNull();
    }
}
