/* SPDX-License-Identifier: Apache-2.0 */
/** Which tables are enabled, and since when; how that changes, and follows the ring. */
@NullMarked
package org.meteorshower.cassandra.tables;

import org.jspecify.annotations.NullMarked;
