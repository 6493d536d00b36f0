/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meteorshower.driver.StoppedException;
import org.meteorshower.protocol.Effect;
import org.meteorshower.protocol.Event;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.ScanRange;
import org.meteorshower.protocol.Served;

/**
 * One scan, whose cut is kept until it is closed, or lost. Whoever scans reads the store, or an index of it; asks which
 * partitions have been {@linkplain #stirred stirred}; drops what the store said of these; and {@linkplain #read reads}
 * each of them at the cut. Used by one thread at a time.
 */
public final class Scan implements AutoCloseable {
    private final CoreRequests requests;
    private final long id;
    private final long deadlineNanos;
    private final Mailbox<Effect.ReadAnswer> mailbox;
    private Effect.ReadInfo info = new Effect.ReadInfo(0, Served.LOCAL, 0);
    private List<PartitionKey> stirred = List.of();
    private long loweredMicros;
    private long raisedMicros = Long.MIN_VALUE;

    private Scan(CoreRequests requests, long deadlineNanos) {
        this.requests = requests;
        this.id = requests.next();
        this.mailbox = requests.mailbox();
        this.deadlineNanos = deadlineNanos;
    }

    static Scan begin(CoreRequests requests, ScanRange range, long tokenMicros, long deadlineNanos, boolean shared)
            throws RequestRefusedException, InterruptedException {
        Scan scan = new Scan(requests, deadlineNanos);
        boolean pinned = false;
        requests.ask(
                (id, answers) -> requests.driver()
                        .scan(new Event.ScanStarted(id, range, tokenMicros, deadlineNanos, shared), answers),
                scan.id,
                scan.mailbox);
        try {
            scan.takeOne();
            pinned = true;
        } finally {
            if (!pinned) {
                scan.close();
            }
        }
        return scan;
    }

    /** Its cut, and how it came by it. */
    public Effect.ReadInfo info() {
        return info;
    }

    /**
     * The newest cut that is not above this one, and at which all of a scan that is shared can be answered here;
     * {@link Long#MIN_VALUE} where there is none among those that are kept. To be called before it is raised.
     *
     * @throws RequestRefusedException with {@link Effect.Failure#CUT_GONE} where the scan is to begin anew
     * @throws StoppedException if this node has stopped, or stops meanwhile
     */
    public long newestUpTo(long mostMicros) throws RequestRefusedException, InterruptedException {
        requests.tell(new Event.ScanLowered(id, mostMicros));
        takeOne();
        return loweredMicros;
    }

    /**
     * It is shared, and read at this cut: other nodes read other parts of it there. To be called before anything is
     * read. Blocks until no mutation below that cut is still to come.
     *
     * @throws RequestRefusedException with {@link Effect.Failure#CUT_GONE} where the scan is to begin anew
     * @throws StoppedException if this node has stopped, or stops meanwhile
     */
    public void raise(long cutMicros) throws RequestRefusedException, InterruptedException {
        if (cutMicros != raisedMicros) {
            requests.tell(new Event.ScanRaised(id, cutMicros, deadlineNanos));
            takeOne();
            raisedMicros = cutMicros;
        }
    }

    /**
     * The partitions of the range of which the store's word does not count, as of now: to be asked when the store has
     * been read, each time that it has been.
     *
     * @throws RequestRefusedException with {@link Effect.Failure#CUT_GONE} where the scan is to begin anew
     * @throws StoppedException if this node has stopped, or stops meanwhile
     */
    public List<PartitionKey> stirred() throws RequestRefusedException, InterruptedException {
        requests.tell(new Event.ScanRead(id));
        takeOne();
        return stirred;
    }

    /**
     * Reads one partition of the range, in whole, at the cut. Blocks until that is served, at most until the deadline
     * of the scan.
     *
     * @throws RequestRefusedException with {@link Effect.Failure#CUT_GONE} where the scan is to begin anew
     * @throws StoppedException if this node has stopped, or stops meanwhile
     */
    public <T> T read(PartitionKey key, LocalReader<T> reader) throws RequestRefusedException, InterruptedException {
        return requests.read(
                        (readId, answers) -> requests.driver()
                                .read(new Event.PinnedReadStarted(readId, id, key, deadlineNanos), answers),
                        deadlineNanos,
                        reader)
                .value();
    }

    /** The cut is not kept any longer. */
    @Override
    public void close() {
        requests.end(id);
    }

    private void takeOne() throws RequestRefusedException, InterruptedException {
        Answers answers = new Answers();
        requests.take(id, mailbox, deadlineNanos).handOver(answers);
        if (answers.failure != null) {
            throw new RequestRefusedException(answers.failure.failure(), answers.failure.detail());
        }
    }

    private final class Answers implements Effect.ReadAnswer.Handler {
        private Effect.@Nullable ReadFailed failure;

        @Override
        public void on(Effect.ReadAt at) {
            info = at.info();
        }

        @Override
        public void on(Effect.ReadConfirmed confirmed) {
            throw new IllegalStateException("an answer to a read of one partition");
        }

        @Override
        public void on(Effect.ReadFailed failed) {
            failure = failed;
        }

        @Override
        public void on(Effect.ScanLowered lowered) {
            loweredMicros = lowered.newestMicros();
        }

        @Override
        public void on(Effect.ScanStirred given) {
            stirred = given.partitions();
        }
    }
}
