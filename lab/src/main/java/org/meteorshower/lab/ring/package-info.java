/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Changes of a running cluster's ring, as an operator makes them: {@code Ring} adds, removes and replaces nodes, and
 * alters the replication. What it refuses is in {@code RingRules}, what keyspaces want in {@code Replication}.
 * {@code NodeCql} asks one node in CQL, {@code TableStates} all of them how the enabled tables do.
 */
@NullMarked
package org.meteorshower.lab.ring;

import org.jspecify.annotations.NullMarked;
