/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What transactions have changed, in their one order, for others to follow: indexes, caches, queues. Start at
 * {@link org.meteorshower.client.changes.ChangeStream}.
 */
@NullMarked
package org.meteorshower.client.changes;

import org.jspecify.annotations.NullMarked;
