/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.config;

/** What becomes of a write into an enabled table at a consistency level too weak for it. */
public enum WeakWrites {
    REFUSE,
    /** Done at the level that the table needs. */
    RAISE
}
