/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Clusters of real Cassandra nodes on loopback addresses, each node a process of its own.
 *
 * <p>Begin with {@code LocalCluster}, which starts, attaches to, and stops one, and {@code ClusterOptions}, what it
 * shall look like. Starting a node: {@code NodeStarter}, {@code NodeCommand}, {@code NodeFiles}, {@code Readiness}. One
 * node more: {@code NextNode}; what it says on its way into the ring: {@code RingProgress}. {@code NodeTool} is a
 * node's management interface. What a cluster is while it runs is kept in {@code StateFile}. The emulated network:
 * {@code WanLinks} changes it, {@code WanMatrix} is its file. {@code Waiting} is how everybody here waits.
 */
@NullMarked
package org.meteorshower.lab.cluster;

import org.jspecify.annotations.NullMarked;
