/* SPDX-License-Identifier: Apache-2.0 */
/** Which tables are enabled, since when, and the virtual table that changes it. */
@NullMarked
package org.meteorshower.cassandra.tables;

import org.jspecify.annotations.NullMarked;
