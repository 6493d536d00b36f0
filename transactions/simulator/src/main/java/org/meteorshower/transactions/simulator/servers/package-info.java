/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Chain servers of one data centre on simulated nodes: messages that are lost, repeated, late and overtaken, nodes that
 * die, pause and are replaced. Single-threaded, and the same from the same seed.
 */
@NullMarked
package org.meteorshower.transactions.simulator.servers;

import org.jspecify.annotations.NullMarked;
