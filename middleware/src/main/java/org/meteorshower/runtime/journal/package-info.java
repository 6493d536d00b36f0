/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The journal as memory-mapped segment files.
 *
 * <p>Files {@code segment-N.journal} hold entries one after the other; the newest is written, the older ones are
 * sealed. Every segment begins with the whole small state (incarnation, ceiling, tables, stale peers), so that older
 * segments are needed only for the mutations that are not retired. Segments leave oldest first and never out of turn:
 * an entry that retires a mutation is always younger than the one it retires, so it may never leave before it.
 */
@NullMarked
package org.meteorshower.runtime.journal;

import org.jspecify.annotations.NullMarked;
