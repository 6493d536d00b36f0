/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The repairs that this node runs by itself: piece by piece, with an estimate of their end, and slower where clients
 * would suffer.
 */
@NullMarked
package org.meteorshower.cassandra.background;

import org.jspecify.annotations.NullMarked;
