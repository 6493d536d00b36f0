/* SPDX-License-Identifier: Apache-2.0 */
/** Clusters of real Cassandra nodes on loopback addresses, each node a process of its own. */
@NullMarked
package org.meteorshower.lab.cluster;

import org.jspecify.annotations.NullMarked;
