/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.agent;

/** Sees to it that the commit log comes to the disk, in place of the thread that has put something into it. */
@FunctionalInterface
public interface LogWaiter {
    /**
     * Called by the thread that has just put it there.
     *
     * @return whether that thread need not wait
     */
    boolean takes(OriginalWait log, Object entry);
}
