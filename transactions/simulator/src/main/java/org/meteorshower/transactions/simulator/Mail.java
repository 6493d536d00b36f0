/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.codec.BadDataException;
import org.meteorshower.transactions.codec.MessageCodec;
import org.meteorshower.transactions.language.Bytes;
import org.meteorshower.transactions.log.Body;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.log.Formats;
import org.meteorshower.transactions.log.Front;
import org.meteorshower.transactions.log.Submission;
import org.meteorshower.transactions.port.AcceptedEntry;
import org.meteorshower.transactions.port.AcceptorState;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Message;

/**
 * Messages between data centres: as the objects that they are, where all entries are of the earlier form; else through
 * their bytes, so that each data centre reads what it executes.
 */
final class Mail {
    /** Of the forwarded submissions that are bytes so many of a hundred are not what was said of them. */
    private static final int DAMAGED = 10;

    /** The kind of request that has no session, as its bytes begin. Of what has one, somebody may know that it ran. */
    private static final int ONCE = 3;

    private final World world;
    private final @Nullable MessageCodec codec;

    /** Drawn apart from all else. */
    private final SplittableRandom random;

    private @Nullable Message last;
    private byte[] lastBytes = {};
    private long fronted;

    Mail(World world) {
        this.world = world;
        this.random = new SplittableRandom(world.plan.seed() ^ 0xda3a6e);
        boolean hasFronts = world.plan.replacesPlugins() || world.plan.format() >= Formats.PROPOSES_FRONTS;
        this.codec = hasFronts ? new MessageCodec(new Members(0, world.plan.dcs())) : null;
    }

    /** So many entries with fronts were proposed. */
    long fronted() {
        return fronted;
    }

    /** @param life of the process that sends */
    void send(int from, long life, int to, Message message) {
        Supplier<Message> arrives = codec == null ? () -> message : carried(from, message, codec);
        world.network.send(from, to, () -> world.dcs.get(to).deliver(from, life, arrives));
    }

    private Supplier<Message> carried(int from, Message message, MessageCodec by) {
        if (message != last) { // most go to all others
            if (message instanceof Message.Propose propose && propose.entry().isFronted()) {
                fronted++;
                requireNoted(from);
            }
            last = message;
            lastBytes = by.encode(message instanceof Message.Forward forward ? damaged(forward) : message);
        }
        byte[] bytes = lastBytes;
        return () -> {
            try {
                return by.decode(bytes);
            } catch (BadDataException e) {
                throw new IllegalStateException("a message that nobody can read", e);
            }
        };
    }

    /** Nobody whom an entry with fronts could reach may go back to a release that cannot read it. */
    private void requireNoted(int from) {
        for (DataCentre dc : world.dcs) {
            if (world.plan.replacesPlugins() && dc.disk.format() < Formats.PROPOSES_FRONTS - 1) {
                world.verifier.broken("d" + from + " proposes an entry with fronts, and d" + dc.number
                        + " has not noted that it can read them");
            }
        }
    }

    private Message damaged(Message.Forward forward) {
        List<Submission> submissions = new ArrayList<>();
        for (Submission each : forward.submissions()) {
            Body body = each.body();
            if (body != null && body.request().toArray()[0] == ONCE && random.nextInt(100) < DAMAGED) {
                submissions.add(new Submission(each.ticket(), damaged(body)));
            } else {
                submissions.add(each);
            }
        }
        return new Message.Forward(forward.ballot(), submissions);
    }

    private Body damaged(Body body) {
        byte[] request = body.request().toArray();
        return switch (random.nextInt(4)) {
            case 0 -> new Body(Front.ofRows(random.nextLong()), body.told(), body.request());
            case 1 -> new Body(Front.OPENS, body.told(), body.request());
            case 2 -> new Body(body.front(), body.told(), Bytes.copyOf(request, 0, request.length - 1));
            default -> new Body(Front.ofClaims(), body.told(), body.request());
        };
    }

    /** Whether there is an entry in it that earlier releases cannot read. */
    static boolean hasFronts(Message message) {
        if (message instanceof Message.Propose propose) {
            return propose.entry().isFronted();
        } else if (message instanceof Message.Decided decided) {
            return decided.entries().stream().anyMatch(Entry::isFronted);
        } else if (message instanceof Message.Promised promised) {
            return hasFronts(promised.state());
        } else if (message instanceof Message.Revoke revoke) {
            return hasFronts(revoke.state());
        } else if (message instanceof Message.RejoinAnswer answer) {
            return answer.acceptors().stream().anyMatch(Mail::hasFronts);
        }
        return message instanceof Message.Forward forward
                && forward.submissions().stream().anyMatch(submission -> submission.body() != null);
    }

    private static boolean hasFronts(AcceptorState state) {
        return state.accepted().stream().map(AcceptedEntry::entry).anyMatch(Entry::isFronted);
    }
}
