/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

/**
 * The time at which a step of the protocol happens; always an argument, never asked for inside.
 *
 * @param wallMicros the node's physical clock, microseconds since 1970; may jump either way
 * @param elapsedNanos a clock that never goes back, with no relation to the first; for durations and time-outs
 */
public record Now(long wallMicros, long elapsedNanos) {}
