/* SPDX-License-Identifier: Apache-2.0 */
/** How far other nodes are, as measured, and which of them is asked: without I/O, threads or clocks. */
@NullMarked
package org.meteorshower.cassandra.ways;

import org.jspecify.annotations.NullMarked;
