/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.schedule;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.io.FSError;
import org.apache.cassandra.utils.JVMStabilityInspector;
import org.apache.cassandra.utils.NoSpamLogger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task that is done again and again until its executor is shut down. A plain executor forgets a periodic task whose
 * run has thrown, and says nothing: one assertion of Cassandra's would end it for the rest of the node's life. Here a
 * failure is logged, and Cassandra's own rules say whether the node can go on (out of memory, broken disk).
 */
public final class Repeatedly {
    private static final Logger log = LoggerFactory.getLogger(Repeatedly.class);

    private Repeatedly() {}

    /**
     * Begins after one pause; the pauses are between the end of a run and the beginning of the next.
     *
     * @param what is done, for the log: "MeteorShower: could not …"
     */
    public static void run(ScheduledExecutorService thread, String what, Runnable task, long pause, TimeUnit unit) {
        var unused = thread.scheduleWithFixedDelay(guarded(what, task), pause, pause, unit);
    }

    /**
     * A task whose failure is logged, and after which the thread that runs it goes on where Cassandra can.
     *
     * @param what as of {@link #run}
     */
    public static Runnable guarded(String what, Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (Throwable e) {
                NoSpamLogger.log(
                        log, NoSpamLogger.Level.ERROR, 10, TimeUnit.SECONDS, "MeteorShower: could not " + what, e);
                if (e instanceof VirtualMachineError || e instanceof FSError) {
                    JVMStabilityInspector.inspectThrowable(e);
                }
            }
        };
    }
}
