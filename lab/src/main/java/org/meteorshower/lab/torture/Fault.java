/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

/**
 * One fault to come.
 *
 * @param dc the data centre it strikes
 * @param quietMillis how long all is well before it
 * @param lengthMillis how long it lasts, where that is not decided by how long a restart takes
 * @param amount how much of it: the share of messages lost, the milliseconds that the clock is off
 */
record Fault(FaultKind kind, String dc, long quietMillis, long lengthMillis, double amount) {}
