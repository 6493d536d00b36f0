/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime;

/**
 * Errors after which a process is not to be trusted: the machine under it is short of memory, or broken. They must
 * reach whoever decides whether the process ends, also where a future, an event loop or a pool would keep them to
 * itself. Thread-safe.
 */
public final class Fatal {
    private Fatal() {}

    /**
     * Tells the thread's handler of uncaught exceptions, which is Cassandra's in a node, of such an error; of others
     * nobody.
     */
    public static void report(Throwable thrown) {
        if (thrown instanceof VirtualMachineError) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
        }
    }

    /** The same task; what it throws is told before it goes on its way. */
    public static Runnable told(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (Throwable e) {
                report(e);
                throw e;
            }
        };
    }
}
