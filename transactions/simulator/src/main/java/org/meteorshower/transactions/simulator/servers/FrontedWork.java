/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator.servers;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.meteorshower.transactions.codec.BadDataException;
import org.meteorshower.transactions.codec.DataIn;
import org.meteorshower.transactions.codec.DataOut;
import org.meteorshower.transactions.codec.LogCodec;
import org.meteorshower.transactions.fronts.Bodies;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.log.Submission;
import org.meteorshower.transactions.merge.Merged;
import org.meteorshower.transactions.servers.Division;
import org.meteorshower.transactions.servers.Placed;

/**
 * The merged order as bytes, as a log has it: entries of the earlier form and of that with fronts, and among the latter
 * submissions that are not what was said of them. Which ones is known here because they were made so.
 */
final class FrontedWork {
    /** Of entries without such submissions. */
    private static final double EARLIER_FORM = 0.2;

    private final ServersPlan plan;
    private final Bodies bodies;
    private final SplittableRandom random;
    private final List<byte[]> entries = new ArrayList<>();
    private final List<Merged> order = new ArrayList<>();
    private final Consumer<String> broken;

    /** How much heap the submission that is being written says that it takes. */
    private long told;

    FrontedWork(ServersPlan plan, Division division, Consumer<String> broken) {
        this.plan = plan;
        this.bodies = new Bodies(division);
        this.random = new SplittableRandom(plan.seed() ^ 0x5eed);
        this.broken = broken;
    }

    /**
     * The next one. Returns it as it must be executed.
     *
     * @param ends so many submissions, the first ones, are what they say
     */
    Merged add(Merged merged, int ends) {
        Set<Integer> bad = new HashSet<>();
        for (int index = ends; index < merged.entry().submissions().size(); index++) {
            if (random.nextDouble() < plan.bad()) {
                bad.add(index);
            }
        }
        boolean isEarlier = bad.isEmpty() && random.nextDouble() < EARLIER_FORM;
        entries.add(isEarlier ? LogCodec.bytes(merged.entry()) : fronted(merged.entry(), bad));
        Merged executed = executed(merged, bad);
        if (!bodies.executed(read(merged.number())).equals(executed.entry())) {
            broken.accept("one process reads entry " + merged.number() + " as " + bodies.executed(read(merged.number()))
                    + ", and must as " + executed.entry());
        }
        order.add(executed);
        return executed;
    }

    private static Merged executed(Merged merged, Set<Integer> bad) {
        List<Submission> submissions = new ArrayList<>();
        for (Submission submission : merged.entry().submissions()) {
            submissions.add(
                    bad.contains(submissions.size())
                            ? new Submission(submission.ticket(), Bodies.NOTHING)
                            : submission);
        }
        Entry entry = new Entry(merged.entry().epoch(), merged.entry().origin(), submissions);
        return new Merged(merged.number(), merged.lane(), merged.position(), merged.epoch(), entry);
    }

    /** As from the log. */
    Placed at(long count) {
        Merged merged = order.get((int) count);
        return new Placed(count, merged.lane(), merged.position(), bodies.fronted(read(count)));
    }

    private Entry read(long count) {
        try {
            return LogCodec.entry(entries.get((int) count));
        } catch (BadDataException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Written here by hand, so that what is bad is so whatever the core thinks of it. */
    private byte[] fronted(Entry entry, Set<Integer> bad) {
        byte[] right = LogCodec.bytes(bodies.fronted(entry));
        if (bad.isEmpty()) {
            return right;
        }
        try {
            DataIn in = new DataIn(right);
            DataOut out = new DataOut(right.length + 64);
            for (int number = 0; number < 4; number++) {
                out.varint(in.varint()); // form, epoch, origin, count
            }
            for (int index = 0; index < entry.submissions().size(); index++) {
                out.varint(in.varint());
                long said = in.varint();
                List<Long> tokens = new ArrayList<>();
                for (long token = 2; token < said; token += 2) {
                    tokens.add(in.fixed64());
                }
                told = in.varint();
                byte[] body = in.sized("a request");
                if (bad.contains(index)) {
                    damaged(said, tokens, body, out);
                } else {
                    write(said, tokens, body, out);
                }
            }
            return out.toBytes();
        } catch (BadDataException e) {
            throw new IllegalStateException(e);
        }
    }

    private void damaged(long said, List<Long> tokens, byte[] body, DataOut out) {
        switch (random.nextInt(6)) {
            case 0 -> { // a row more, or partitions that it has to itself, too
                long more = random.nextLong();
                tokens.add(more);
                write((more & 1) + 1 + 2L * tokens.size(), tokens, body, out);
            }
            case 1 -> { // one less, or none where a session is opened
                List<Long> less = tokens.isEmpty() ? List.of() : tokens.subList(0, tokens.size() - 1);
                write(said == 1 ? 0 : 1 + 2L * less.size(), less, body, out);
            }
            case 2 -> { // another turn, or a session that is not opened
                List<Long> turned = new ArrayList<>(tokens);
                turned.add(turned.isEmpty() ? 7 : turned.remove(0));
                write(
                        turned.equals(tokens) ? 0 : 1 + 2L * turned.size(),
                        turned.equals(tokens) ? List.of() : turned,
                        body,
                        out);
            }
            case 3 -> write(said, tokens, Arrays.copyOf(body, body.length - 1), out);
            case 4 -> write(said, tokens, Arrays.copyOf(body, body.length + 1), out);
            default -> {
                body[0] = (byte) (200 + random.nextInt(50)); // no kind of request
                write(said, tokens, body, out);
            }
        }
    }

    private void write(long said, List<Long> tokens, byte[] body, DataOut out) {
        out.varint(said);
        tokens.forEach(out::fixed64);
        out.varint(told).sized(body);
    }
}
