/* SPDX-License-Identifier: Apache-2.0 */
/** Who holds a partition: Cassandra's ring as the middleware's replica groups. */
@NullMarked
package org.meteorshower.cassandra.placement;

import org.jspecify.annotations.NullMarked;
