/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Drives the protocol core: brings it events, and has its effects carried out by ports. Without lock, thread, clock or
 * disk, so that a node, the simulator and the search of small worlds run the same.
 */
@NullMarked
package org.meteorshower.driver;

import org.jspecify.annotations.NullMarked;
