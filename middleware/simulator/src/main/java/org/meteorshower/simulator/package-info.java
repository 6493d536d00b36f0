/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The protocol core on simulated clocks, networks, stores and crashes: single-threaded, and the same from the same
 * seed.
 */
@NullMarked
package org.meteorshower.simulator;

import org.jspecify.annotations.NullMarked;
