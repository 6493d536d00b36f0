/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.metrics;

/**
 * An exception by which a request is refused. Nothing has happened, but where the cause is
 * {@link RefusalCause#UNKNOWN}. Its message names cause and cure.
 */
public interface Refused {
    RefusalCause cause();
}
