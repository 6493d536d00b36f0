/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The core of Catenae on simulated clocks, networks, disks and clients: single-threaded, and the same from the same
 * seed.
 */
@NullMarked
package org.meteorshower.transactions.simulator;

import org.jspecify.annotations.NullMarked;
