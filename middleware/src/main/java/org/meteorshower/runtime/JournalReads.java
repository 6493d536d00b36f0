/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.Effect;
import org.meteorshower.protocol.Update;

/**
 * Reads mutations back from the journal on a thread of its own, one after the other, so that one at a time is on the
 * heap. What finds no place in its queue is left out: the core asks again. Thread-safe.
 */
final class JournalReads implements AutoCloseable {
    private static final int MAX_QUEUED = 1_024;
    private static final long IDLE_SECONDS = 10;

    private final AlarmListener alarms;
    private final ThreadPoolExecutor reader;

    JournalReads(AlarmListener alarms) {
        this.alarms = alarms;
        reader = new ThreadPoolExecutor(
                1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MAX_QUEUED), JournalReads::daemon);
        reader.allowCoreThreadTimeOut(true);
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "MeteorShower-JournalReads");
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Reads soon, and does not block.
     *
     * @param reading null where there is nothing to read
     * @param then called on the reading thread; must not throw
     */
    void read(Journal.@Nullable Reading reading, Consumer<Update> then) {
        if (reading == null) {
            return;
        }
        try {
            reader.execute(() -> readNow(reading, then));
        } catch (RejectedExecutionException e) {
            reading.close();
        }
    }

    private void readNow(Journal.Reading reading, Consumer<Update> then) {
        Update update;
        try (reading) {
            update = reading.read();
        } catch (RuntimeException e) {
            alarms.alarm(new Effect.Alarm(
                    Effect.AlarmKind.PROTOCOL,
                    "a mutation cannot be read back from the journal, and is not sent to the replica that lacks it: "
                            + e.getMessage()));
            return;
        }
        then.accept(update);
    }

    /** What waits is left out. */
    @Override
    public void close() {
        reader.getQueue().clear();
        reader.shutdown();
    }
}
