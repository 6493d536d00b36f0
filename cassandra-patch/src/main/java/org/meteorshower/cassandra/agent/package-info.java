/* SPDX-License-Identifier: Apache-2.0 */
/** How the plugin gets into the node: the Java agent, and the few hooks it puts into Cassandra's classes. */
@NullMarked
package org.meteorshower.cassandra.agent;

import org.jspecify.annotations.NullMarked;
