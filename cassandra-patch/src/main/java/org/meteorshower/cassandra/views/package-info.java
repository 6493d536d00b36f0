/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The virtual tables that only show. What they show they are told by those who know; docs/OPERATE.md says what to make
 * of it.
 */
@NullMarked
package org.meteorshower.cassandra.views;

import org.jspecify.annotations.NullMarked;
