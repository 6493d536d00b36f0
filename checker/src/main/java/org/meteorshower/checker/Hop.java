/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

/**
 * One step of a path between operations; a run of steps in session order, version order or real time is one hop.
 *
 * @param edge number of the hop's last edge
 */
record Hop(int from, int to, Reason reason, int via, int edge) {}
