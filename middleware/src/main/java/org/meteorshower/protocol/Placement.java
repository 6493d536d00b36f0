/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

/** Tells where partitions live. Pure: the answers change only between two steps of the protocol, never within one. */
@FunctionalInterface
public interface Placement {
    ReplicaGroup replicasOf(PartitionKey key);
}
