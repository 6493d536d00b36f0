/* SPDX-License-Identifier: Apache-2.0 */

/**
 * Reads of partitions in which nothing is in flight, by threads that take no step of the protocol. Knows the protocol's
 * effects only; used by whoever runs the core: the node, and the simulator.
 */
@NullMarked
package org.meteorshower.atrest;

import org.jspecify.annotations.NullMarked;
