/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.agent;

/** What Cassandra's commit log did before {@link HookInstaller} put a hook in front of it. */
public interface OriginalWait {
    String METHOD = "meteorshowerAwait";

    /** Waits until the log is on disk as far as this entry, where {@code commitlog_sync} says so. */
    void meteorshowerAwait(Object entry);
}
