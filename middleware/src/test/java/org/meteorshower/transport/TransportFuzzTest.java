/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.meteorshower.fuzzing.Fuzz;
import org.meteorshower.fuzzing.Target;
import org.meteorshower.protocol.Message;
import org.meteorshower.protocol.NodeId;

/** What comes from the network is read or refused, and nothing else. */
class TransportFuzzTest {
    /** {@link MessageCodec}. */
    static final class Messages implements Target {
        private final MessageCodec codec = new MessageCodec(StringUpdate.CODEC);

        @Override
        public Sample sample(SplittableRandom random) {
            Message message = new RandomMessages(random.nextLong()).next();
            return new Sample(codec.encode(message), message);
        }

        @Override
        public Message decode(byte[] input) throws BadMessageException {
            return codec.decode(input);
        }

        /** What was read can be written, and is then read as the same. */
        @Override
        public Object view(Object decoded) {
            Message message = (Message) decoded;
            try {
                assertThat(codec.decode(codec.encode(message))).isEqualTo(message);
            } catch (BadMessageException e) {
                throw new AssertionError("what was read cannot be written: " + message, e);
            }
            return message;
        }

        @Override
        public boolean declares(Throwable thrown) {
            return thrown instanceof BadMessageException;
        }
    }

    /** {@link Hello}. */
    private static final class Hellos implements Target {
        @Override
        public Sample sample(SplittableRandom random) {
            Hello hello = Conversation.hello(NodeId.of(random.nextLong()), NodeId.of(random.nextLong()));
            return new Sample(hello.encode(), hello);
        }

        @Override
        public Hello decode(byte[] input) throws BadMessageException, RefusedException {
            WireInput in = new WireInput(input);
            Hello hello = Hello.decode(in, WireVersions.ALL);
            in.end();
            return hello;
        }

        @Override
        public boolean declares(Throwable thrown) {
            return thrown instanceof BadMessageException || thrown instanceof RefusedException;
        }
    }

    /** All that a connection may receive, in each of its states; see {@link Conversation}. */
    private static class Connections implements Target {
        private final Conversation.State state;

        Connections(Conversation.State state) {
            this.state = state;
        }

        @Override
        public Sample sample(SplittableRandom random) {
            return new Sample(Conversation.validInput(state, random), Conversation.Outcome.GOES_ON);
        }

        @Override
        public Conversation.Outcome decode(byte[] input) {
            return Conversation.outcome(state, input);
        }

        /** It closes the connection and counts why; anything else is a fault. */
        @Override
        public boolean declares(Throwable thrown) {
            return false;
        }
    }

    // One class each, since coverage-guided fuzzing makes targets by their class.

    private static final class Strangers extends Connections {
        Strangers() {
            super(Conversation.State.BEFORE_HELLO);
        }
    }

    private static final class Provers extends Connections {
        Provers() {
            super(Conversation.State.BEFORE_PROOF);
        }
    }

    private static final class Acceptors extends Connections {
        Acceptors() {
            super(Conversation.State.BEFORE_WELCOME);
        }
    }

    private static final class Peers extends Connections {
        Peers() {
            super(Conversation.State.READY);
        }
    }

    @Test
    void messagesAreReadAsTheyWereOrRefused() {
        Fuzz.run("messages", new Messages(), 150_000);
    }

    @Test
    void introductionsAreReadAsTheyWereOrRefused() {
        Fuzz.run("introductions", new Hellos(), 100_000);
    }

    @Test
    void whatAStrangerSendsToAnAcceptorEndsItsConnectionAtMost() {
        Fuzz.run("frames before the handshake", new Strangers(), 20_000);
    }

    @Test
    void whatANodeSendsAfterItsIntroductionEndsItsConnectionAtMost() {
        Fuzz.run("frames within the handshake", new Provers(), 15_000);
    }

    @Test
    void whatAnAcceptorAnswersEndsTheConnectionAtMost() {
        Fuzz.run("answers to the handshake", new Acceptors(), 15_000);
    }

    @Test
    void whatAPeerSendsEndsItsConnectionAtMost() {
        Fuzz.run("frames after the handshake", new Peers(), 20_000);
    }
}
